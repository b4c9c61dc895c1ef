//! One connection: how it is opened, and how it is reset or closed when it is dropped.

use std::{
    ops::{Deref, DerefMut},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use deadpool::managed::{self, Metrics, Object, RecycleError, RecycleResult};
use sqlx::{ConnectOptions, SqliteConnection, sqlite::SqliteConnectOptions};
use tokio::{runtime::Handle, time::timeout};

use super::deadline::{Deadline, RunningStatement};
use crate::database::{fault::Fault, sqlite::fault::fault};

/// Steps of SQLite's machine between two looks at whether to go on: less than a millisecond, and
/// far more than a plain statement takes.
const STEPS: i32 = 5000;

/// SQLITE_ERROR: the error of `ROLLBACK` without a transaction.
const NO_TRANSACTION: &str = "1";

/// The time in which an abandoned connection must be reset; then another one replaces it. An
/// interrupted statement ends within a millisecond, one that waits for another program's lock does
/// not.
const RESET_TIMEOUT: Duration = Duration::from_millis(10);

/// Opens connections.
pub(super) struct Manager {
    pub connect: SqliteConnectOptions,
    pub statement_timeout: Option<Duration>,
    pub in_memory: bool,
}

impl Manager {
    /// The file that is there now.
    pub fn file(&self) -> Option<FileId> {
        (!self.in_memory).then(|| FileId::of(self.connect.get_filename()))?
    }
}

impl managed::Manager for Manager {
    type Type = Connection;
    type Error = sqlx::Error;

    async fn create(&self) -> sqlx::Result<Connection> {
        let mut inner = self.connect.connect().await?;
        let abandoned = Arc::new(AtomicBool::new(false));
        let interrupted = Arc::clone(&abandoned);
        let deadline = Deadline::new(self.statement_timeout);
        let limit = deadline.clone();
        // An abandoned statement would keep its thread, and a processor, busy.
        inner
            .lock_handle()
            .await?
            .set_progress_handler(STEPS, move || {
                !interrupted.load(Ordering::Relaxed) && !limit.is_over()
            });
        Ok(Connection {
            inner,
            abandoned,
            deadline,
            file: self.file(),
        })
    }

    async fn recycle(
        &self,
        connection: &mut Connection,
        _: &Metrics,
    ) -> RecycleResult<sqlx::Error> {
        if connection.abandoned.load(Ordering::Relaxed) {
            return Err(RecycleError::message("it could not be reset"));
        }
        Ok(())
    }
}

/// A connection, and its state in the pool.
pub(super) struct Connection {
    pub inner: SqliteConnection,
    /// It was dropped before its statement or transaction had ended well, and is not reset yet.
    abandoned: Arc<AtomicBool>,
    deadline: Deadline,
    /// The file it leads to.
    pub file: Option<FileId>,
}

impl Connection {
    /// Rolls back what is not committed; checks that foreign keys are on, which a migration
    /// switches off meanwhile.
    async fn reset(&mut self) -> sqlx::Result<bool> {
        match sqlx::query("ROLLBACK").execute(&mut self.inner).await {
            Err(sqlx::Error::Database(refusal))
                if refusal.code().as_deref() == Some(NO_TRANSACTION) => {}
            done => {
                done?;
            }
        }
        let check = sqlx::query_scalar("PRAGMA foreign_keys");
        check.fetch_one(&mut self.inner).await
    }
}

/// A connection that goes back to the pool when it is dropped. If its statement is not
/// [`PooledConnection::done`] by then, it is interrupted and rolled back first. If the connection
/// was lent, it is closed.
pub struct PooledConnection {
    connection: Option<Object<Manager>>,
    clean: bool,
    lent: bool,
    /// A statement took too long: SQLite may have rolled back its transaction with it.
    timed_out: bool,
}

impl From<Object<Manager>> for PooledConnection {
    fn from(connection: Object<Manager>) -> Self {
        Self {
            connection: Some(connection),
            clean: false,
            lent: false,
            timed_out: false,
        }
    }
}

impl PooledConnection {
    /// Limits the time of a statement until the result is dropped.
    ///
    /// # Errors
    /// Busy after a statement that took too long: later ones would commit by themselves.
    pub fn limit_time(&self) -> Result<RunningStatement, Fault> {
        if self.timed_out {
            return Err(Fault::TOO_LONG);
        }
        Ok(self.pooled().deadline.begin())
    }

    /// The outcome of a statement of limited time.
    pub fn answered<T>(&mut self, outcome: sqlx::Result<T>) -> Result<T, Fault> {
        outcome.map_err(|error| {
            let fault = fault(error);
            self.timed_out |= fault.is_too_long();
            fault
        })
    }

    fn pooled(&self) -> &Connection {
        self.connection.as_ref().expect(TAKEN)
    }

    /// Returns it to the pool: no statement and no transaction is open.
    pub fn done(mut self) {
        self.clean = true;
    }

    /// From now on its settings, functions and attached databases may be those of other code.
    pub fn set_lent(&mut self) {
        self.lent = true;
    }
}

impl Drop for PooledConnection {
    fn drop(&mut self) {
        if self.clean && !self.lent {
            return;
        }
        let Some(mut connection) = self.connection.take() else {
            return;
        };
        if self.lent {
            // Closing it rolls back, and no pragma outlives it.
            connection.abandoned.store(true, Ordering::Relaxed);
            drop(Object::take(connection));
            return;
        }
        connection.abandoned.store(true, Ordering::Relaxed);
        // Without a runtime it stays abandoned, and is replaced.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move {
                let reset = timeout(RESET_TIMEOUT, connection.reset()).await;
                if matches!(reset, Ok(Ok(true))) {
                    connection.abandoned.store(false, Ordering::Relaxed);
                }
            });
        }
    }
}

const TAKEN: &str = "a connection is taken when it is dropped";

impl Deref for PooledConnection {
    type Target = SqliteConnection;

    fn deref(&self) -> &SqliteConnection {
        &self.pooled().inner
    }
}

impl DerefMut for PooledConnection {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        &mut self.connection.as_mut().expect(TAKEN).inner
    }
}

/// The identity of a file, whatever its name is. An open connection keeps the system from giving
/// the same number to another file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileId(u64, u64);

impl FileId {
    /// The file at this path, if there is one.
    #[cfg(unix)]
    pub fn of(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;

        let found = std::fs::metadata(path).ok()?;
        Some(Self(found.dev(), found.ino()))
    }

    /// Other systems refuse to move an open file.
    #[cfg(not(unix))]
    pub fn of(_path: &Path) -> Option<Self> {
        None
    }
}
