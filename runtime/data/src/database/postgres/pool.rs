//! Connections, pooled by sqlx.

use std::ops::{Deref, DerefMut};

use sqlx::{PgConnection, PgPool, Postgres, pool::PoolConnection, postgres::PgTransactionManager};
use sqlx_core::transaction::TransactionManager;
use tokio::runtime::Handle;

use super::fault::{fault, is_aborted};
use crate::{
    database::{dialect::Dialect, fault::Fault, server::pool_sizes},
    error::Error,
};

/// The connections to a server; cheap to clone.
#[derive(Clone)]
pub struct ConnectionPool(PgPool);

/// A connection that goes back to the pool when it is dropped. An open transaction is rolled back
/// then: sqlx queues the `ROLLBACK`, and sends it before the connection is used again. Where a
/// statement was given up, the connection is closed, so that the server ends the statement
/// ([`watch_client`]).
pub struct PooledConnection {
    /// Until it is dropped or committed.
    connection: Option<PoolConnection<Postgres>>,
    in_transaction: bool,
    /// Its transaction has begun, and no statement was sent in it.
    is_fresh: bool,
    lent: bool,
    /// A statement was sent, and its answer was not read.
    unanswered: bool,
    /// Why its transaction may be aborted.
    doubt: Option<Doubt>,
    /// Where sqlx spawns what a dropped connection needs: its drop may be outside of tokio.
    runtime: Handle,
}

/// The parts of `DISCARD ALL`, except for prepared statements, which sqlx keeps.
const RESET: &str = "CLOSE ALL; RESET SESSION AUTHORIZATION; RESET ALL; UNLISTEN *; \
                     SELECT pg_advisory_unlock_all(); DISCARD SEQUENCES; DISCARD TEMP";

/// Fails outside of a transaction, and in an aborted one.
const PROBE: &str = "SAVEPOINT formwork_probe; RELEASE SAVEPOINT formwork_probe";

impl ConnectionPool {
    pub(super) const fn new(pool: PgPool) -> Self {
        Self(pool)
    }

    /// The server's dialect of SQL.
    pub const fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    /// A connection for a statement.
    ///
    /// # Errors
    /// 503 when none is free in time, or the service is stopping.
    pub async fn get(&self) -> Result<PooledConnection, Fault> {
        let connection = self.0.acquire().await.map_err(fault)?;
        Ok(PooledConnection {
            connection: Some(connection),
            in_transaction: false,
            is_fresh: false,
            lent: false,
            unanswered: false,
            doubt: None,
            runtime: Handle::current(),
        })
    }

    /// A connection in a transaction.
    ///
    /// # Errors
    /// As [`ConnectionPool::get`].
    pub async fn begin(&self) -> Result<PooledConnection, Fault> {
        let mut connection = self.get().await?;
        let begun = PgTransactionManager::begin(connection.sent(), None).await;
        connection.answered(begun)?;
        connection.in_transaction = true;
        connection.is_fresh = true;
        Ok(connection)
    }

    /// The pool itself.
    pub fn sqlx_pool(&self) -> PgPool {
        self.0.clone()
    }

    /// How many connections are open, how many of these are free, and the most there may be.
    pub fn sizes(&self) -> (usize, usize, usize) {
        pool_sizes(&self.0)
    }

    /// Closes the pool: it hands out no more connections, and waits for those in use.
    pub async fn close(&self) {
        self.0.close().await;
    }
}

impl PooledConnection {
    /// Returns it to the pool: no statement and no transaction is open.
    pub fn done(self) {}

    /// Commits the work since [`ConnectionPool::begin`]. It finishes even if the caller is dropped
    /// meanwhile.
    ///
    /// # Errors
    /// The server's error, or the earlier one that aborted the transaction.
    pub async fn commit(mut self) -> Result<(), Fault> {
        self.check_open().await?;
        let Some(mut connection) = self.connection.take() else {
            return Ok(());
        };
        let lent = self.lent;
        let commit = tokio::spawn(async move {
            let committed = PgTransactionManager::commit(&mut connection).await;
            if committed.is_err() {
                PgTransactionManager::start_rollback(&mut connection);
            }
            if lent {
                reset(connection).await;
            }
            committed
        });
        let commit = commit.await;
        commit
            .map_err(|error| Fault::Other(Error::internal(error)))?
            .map_err(|error| Fault::of_commit(error, fault))
    }

    /// From now on the settings of its session may be those of other code.
    pub fn set_lent(&mut self) {
        self.lent = true;
        self.doubt.get_or_insert(Doubt::Unseen);
        if let Some(connection) = &mut self.connection
            && !self.in_transaction
        {
            connection.close_on_drop();
        }
    }

    /// Whether it is in a transaction.
    pub(super) const fn is_in_transaction(&self) -> bool {
        self.in_transaction
    }

    /// Whether the next statement is the first one of a transaction.
    pub(super) const fn is_fresh(&self) -> bool {
        self.is_fresh
    }

    /// The connection for a statement, which may be given up before it is
    /// [`PooledConnection::answered`].
    pub(super) fn sent(&mut self) -> &mut PgConnection {
        if self.unanswered {
            self.doubt.get_or_insert(Doubt::Unseen);
        }
        self.unanswered = true;
        self.is_fresh = false;
        self
    }

    /// The server's answer to a statement whose failure aborts its transaction.
    pub(super) fn answered<T>(&mut self, outcome: sqlx::Result<T>) -> Result<T, Fault> {
        self.unanswered = false;
        outcome.map_err(|error| self.failed(error))
    }

    /// The server's answer to a statement whose refusal was undone.
    pub(super) fn settled<T>(&mut self, outcome: sqlx::Result<T>) -> Result<T, Fault> {
        self.unanswered = false;
        outcome.map_err(fault)
    }

    fn failed(&mut self, error: sqlx::Error) -> Fault {
        let aborted = is_aborted(&error);
        let message = error.to_string();
        let fault = fault(error);
        match &self.doubt {
            Some(doubt) if aborted => return doubt.fault(),
            _ => self.doubt = Some(Doubt::of(&fault, message)),
        }
        fault
    }

    /// Looks whether the transaction is open, where that is in doubt: a rollback to a savepoint may
    /// have opened it again.
    ///
    /// # Errors
    /// Why the server aborted it.
    pub(super) async fn check_open(&mut self) -> Result<(), Fault> {
        if !self.in_transaction {
            return Ok(());
        }
        if self.doubt.is_some() || self.unanswered {
            let probe = sqlx::raw_sql(PROBE).execute(self.sent()).await;
            self.answered(probe)?;
            self.doubt = None;
        }
        // Code that the connection was lent to has ended it, or has left a savepoint of sqlx's.
        match PgTransactionManager::get_transaction_depth(self) {
            1 => Ok(()),
            _ => Err(Doubt::Unseen.fault()),
        }
    }
}

impl Drop for PooledConnection {
    fn drop(&mut self) {
        // sqlx spawns a task for each connection that is dropped.
        let _entered = self.runtime.enter();
        let Some(mut connection) = self.connection.take() else {
            return;
        };
        if self.unanswered {
            connection.close_on_drop();
        } else if self.in_transaction && self.lent {
            self.runtime.spawn(async move {
                match PgTransactionManager::rollback(&mut connection).await {
                    Ok(()) => reset(connection).await,
                    Err(_) => connection.close_on_drop(),
                }
            });
        } else if self.in_transaction {
            PgTransactionManager::start_rollback(&mut connection);
        }
    }
}

/// Resets the session of a connection that was lent.
async fn reset(mut connection: PoolConnection<Postgres>) {
    let reset = sqlx::raw_sql(RESET).execute(&mut *connection).await;
    if reset.is_err() || watch_client(&mut connection).await.is_err() {
        connection.close_on_drop();
    }
}

const TAKEN: &str = "a connection is taken when it is committed or dropped";

impl Deref for PooledConnection {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        self.connection.as_ref().expect(TAKEN)
    }
}

impl DerefMut for PooledConnection {
    fn deref_mut(&mut self) -> &mut PgConnection {
        self.connection.as_mut().expect(TAKEN)
    }
}

/// PostgreSQL looks only now and then, and by itself never, whether the client of a statement is
/// still there: a statement whose request was given up would run to its end. Versions before 14 have
/// no such setting, and servers on some systems refuse it.
const WATCH_CLIENT: &str = "SELECT set_config(name, '1s', false) FROM pg_settings \
    WHERE name = 'client_connection_check_interval' AND setting = '0'";

/// Makes the server end a statement within a second after its connection was closed, where it can.
pub(super) async fn watch_client(connection: &mut PgConnection) -> sqlx::Result<()> {
    match sqlx::raw_sql(WATCH_CLIENT).execute(connection).await {
        Ok(_) | Err(sqlx::Error::Database(_)) => Ok(()),
        Err(lost) => Err(lost),
    }
}

/// Why the transaction may be aborted: a failed statement aborts it, and the server answers COMMIT with
/// ROLLBACK, which is no error to sqlx.
#[derive(Debug, Clone)]
enum Doubt {
    /// A statement was lost in favour of others: the request can be repeated.
    Busy(&'static str),
    /// A statement failed with this error.
    Failed(String),
    /// Its statements were answered elsewhere: the connection was lent, or a statement was given up.
    Unseen,
}

impl Doubt {
    /// The doubt that a failed statement raises.
    pub fn of(fault: &Fault, error: String) -> Self {
        match fault {
            Fault::Busy(sentence) => Self::Busy(sentence),
            Fault::Deadlock => Self::Busy("The database is busy; try again later."),
            _ => Self::Failed(error),
        }
    }

    /// The fault of what follows in an aborted transaction, its commit too.
    pub fn fault(&self) -> Fault {
        let why = match self {
            Self::Busy(sentence) => return Fault::Busy(sentence),
            Self::Failed(error) => error,
            Self::Unseen => "on a lent connection, or one that was given up",
        };
        Fault::Other(Error::internal(format!(
            "a statement failed ({why}), and PostgreSQL has rolled its transaction back; where a \
             statement may fail, send it behind `Db::savepoint`"
        )))
    }
}
