//! SQLite connections, pooled by `deadpool`.
//!
//! sqlx's own pool pings each connection that comes back, which costs as much as a short statement
//! (`docs/adr/0015-deadpool.md`). Here a connection is reset only when its statement or transaction
//! did not end well.

mod file;

use std::{
    ops::{Deref, DerefMut},
    sync::{
        Arc, OnceLock, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use deadpool::{
    Runtime,
    managed::{self, Metrics, Object, PoolError, QueueMode, RecycleError, RecycleResult},
};
use sqlx::{
    ConnectOptions, Connection as _, SqliteConnection, SqlitePool,
    sqlite::{SqliteConnectOptions, SqlitePoolOptions},
};
use tokio::{
    runtime::Handle,
    time::{sleep, timeout},
};

use super::super::Fault;
use file::FileId;

/// How many connections there are, and for how long.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// Open connections at most; at least 1.
    pub max: u32,
    /// Connections that stay open although they are not used.
    pub min: u32,
    /// How long a request waits for a connection.
    pub acquire_timeout: Duration,
    /// How long an unused connection stays open; `None`: for ever.
    pub idle_timeout: Option<Duration>,
}

/// Steps of SQLite's machine between two looks at whether to go on: less than a millisecond, and
/// far more than a plain statement takes.
const STEPS: i32 = 5000;

/// SQLITE_ERROR: what `ROLLBACK` says where there is no transaction.
const NO_TRANSACTION: &str = "1";

/// How long a connection that was abandoned has to be as new; then another takes its place. An
/// interrupted statement ends within a millisecond, one that waits for another program's lock does
/// not.
const RESET_TIMEOUT: Duration = Duration::from_millis(10);

/// How often unused connections are closed, and the file is looked for.
const MAINTENANCE: Duration = Duration::from_secs(1);

/// The connections of a database; cheap to clone.
#[derive(Clone)]
pub(crate) struct ConnectionPool(Arc<Inner>);

struct Inner {
    pool: managed::Pool<Manager, PooledConnection>,
    bounds: Bounds,
    /// The pool of the project's own queries; made when it is asked for.
    sqlx: OnceLock<SqlitePool>,
    /// A database in memory ends with its last connection.
    _memory: Option<SqliteConnection>,
}

impl ConnectionPool {
    /// Makes the file where it is missing, and opens the connections that stay open.
    ///
    /// # Errors
    /// What the driver says of the file.
    pub async fn open(
        options: SqliteConnectOptions,
        bounds: Bounds,
        in_memory: bool,
    ) -> Result<Self, Fault> {
        let first = options.clone().create_if_missing(true).connect().await;
        let first = first.map_err(Fault::of)?;
        // A file that is moved away later is not replaced by an empty one.
        let manager = Manager {
            options: options.create_if_missing(false),
            in_memory,
        };
        let pool = managed::Pool::builder(manager)
            .max_size(bounds.max.max(1) as usize)
            // The others can be closed.
            .queue_mode(QueueMode::Lifo)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(bounds.acquire_timeout))
            .build()
            .map_err(|error| Fault::Other(crate::error::Error::internal(error)))?;
        let inner = Arc::new(Inner {
            pool,
            bounds,
            sqlx: OnceLock::new(),
            _memory: in_memory.then_some(first),
        });
        tokio::spawn(maintain(Arc::downgrade(&inner)));
        let pool = Self(inner);
        let mut kept = Vec::new();
        for _ in 0..bounds.min.min(bounds.max) {
            kept.push(pool.get().await?);
        }
        kept.into_iter().for_each(PooledConnection::done);
        Ok(pool)
    }

    /// A connection for a statement or a transaction.
    ///
    /// # Errors
    /// 503 when none is free in time, or the service is stopping.
    pub async fn get(&self) -> Result<PooledConnection, Fault> {
        self.0.pool.get().await.map_err(|error| match error {
            PoolError::Timeout(_) => Fault::of(sqlx::Error::PoolTimedOut),
            PoolError::Backend(error) => Fault::of(error),
            _ => Fault::of(sqlx::Error::PoolClosed),
        })
    }

    /// As [`ConnectionPool::get`], for what is to last: the file is looked for first.
    ///
    /// # Errors
    /// As [`ConnectionPool::get`].
    pub async fn get_to_write(&self) -> Result<PooledConnection, Fault> {
        self.0.close_unneeded();
        self.get().await
    }

    /// sqlx's own pool for the same database; it opens nothing before its first statement.
    pub fn sqlx(&self) -> SqlitePool {
        let Bounds {
            max,
            acquire_timeout,
            idle_timeout,
            ..
        } = self.0.bounds;
        let pool = || {
            SqlitePoolOptions::new()
                .max_connections(max.max(1))
                .acquire_timeout(acquire_timeout)
                .idle_timeout(idle_timeout)
                .connect_lazy_with(self.0.pool.manager().options.clone())
        };
        self.0.sqlx.get_or_init(pool).clone()
    }

    /// Lends nothing more, closes the connections, and waits for those in use.
    pub async fn close(&self) {
        let Inner { pool, sqlx, .. } = &*self.0;
        let idle = pool.retain(|_, _| false).removed;
        pool.close();
        for connection in idle {
            if let Err(error) = connection.inner.close().await {
                tracing::debug!(%error, "a connection was not closed");
            }
        }
        if let Some(sqlx) = sqlx.get() {
            sqlx.close().await;
        }
        while pool.status().size > 0 {
            sleep(Duration::from_millis(10)).await;
        }
    }
}

impl Inner {
    /// Closes connections that were not used for a while, and those to a file that is gone.
    fn close_unneeded(&self) {
        let file = self.pool.manager().file();
        let Bounds {
            min, idle_timeout, ..
        } = self.bounds;
        let mut kept = 0;
        let closed = self.pool.retain(|connection, metrics| {
            let used = idle_timeout.is_none_or(|longest| metrics.last_used() < longest);
            let keep = connection.file == file && (used || kept < min);
            kept += u32::from(keep);
            keep
        });
        if closed
            .removed
            .iter()
            .any(|connection| connection.file != file)
        {
            tracing::warn!("the database's file is gone, or another: it is opened anew");
        }
    }
}

/// Closes what is not needed, as long as the pool is used.
async fn maintain(inner: Weak<Inner>) {
    loop {
        sleep(MAINTENANCE).await;
        let Some(inner) = inner.upgrade() else { return };
        inner.close_unneeded();
    }
}

/// Opens connections.
struct Manager {
    options: SqliteConnectOptions,
    in_memory: bool,
}

impl Manager {
    /// The file that is there now.
    fn file(&self) -> Option<FileId> {
        (!self.in_memory).then(|| FileId::of(self.options.get_filename()))?
    }
}

impl managed::Manager for Manager {
    type Type = Connection;
    type Error = sqlx::Error;

    async fn create(&self) -> sqlx::Result<Connection> {
        let mut inner = self.options.connect().await?;
        let abandoned = Arc::new(AtomicBool::new(false));
        let interrupted = Arc::clone(&abandoned);
        // A statement that nobody waits for would keep its thread, and a processor, busy.
        inner
            .lock_handle()
            .await?
            .set_progress_handler(STEPS, move || !interrupted.load(Ordering::Relaxed));
        Ok(Connection {
            inner,
            abandoned,
            file: self.file(),
        })
    }

    async fn recycle(
        &self,
        connection: &mut Connection,
        _: &Metrics,
    ) -> RecycleResult<sqlx::Error> {
        match connection.abandoned.load(Ordering::Relaxed) {
            false => Ok(()),
            true => Err(RecycleError::message("it could not be reset")),
        }
    }
}

/// A connection, and what the pool knows of it.
struct Connection {
    inner: SqliteConnection,
    /// It was dropped before its statement or transaction had ended well, and is not reset yet.
    abandoned: Arc<AtomicBool>,
    /// The file it leads to.
    file: Option<FileId>,
}

impl Connection {
    /// Rolls back what is not committed; whether foreign keys are in force, which a migration
    /// switches off for its time.
    async fn reset(&mut self) -> sqlx::Result<bool> {
        match sqlx::query("ROLLBACK").execute(&mut self.inner).await {
            Err(sqlx::Error::Database(refusal))
                if refusal.code().as_deref() == Some(NO_TRANSACTION) => {}
            done => drop(done?),
        }
        let check = sqlx::query_scalar("PRAGMA foreign_keys");
        check.fetch_one(&mut self.inner).await
    }
}

/// A connection that goes back to the pool when it is dropped. One that is not
/// [`PooledConnection::done`] by then is interrupted and rolled back first.
pub(crate) struct PooledConnection {
    connection: Option<Object<Manager>>,
    clean: bool,
}

impl From<Object<Manager>> for PooledConnection {
    fn from(connection: Object<Manager>) -> Self {
        Self {
            connection: Some(connection),
            clean: false,
        }
    }
}

impl PooledConnection {
    /// Gives it back: no statement and no transaction is open.
    pub fn done(mut self) {
        self.clean = true;
    }
}

impl Drop for PooledConnection {
    fn drop(&mut self) {
        if self.clean {
            return;
        }
        let Some(mut connection) = self.connection.take() else {
            return;
        };
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
        &self.connection.as_ref().expect(TAKEN).inner
    }
}

impl DerefMut for PooledConnection {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        &mut self.connection.as_mut().expect(TAKEN).inner
    }
}

#[cfg(test)]
mod tests;
