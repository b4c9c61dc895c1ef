//! Connections, pooled by sqlx.

use std::ops::{Deref, DerefMut};

use sqlx::{PgConnection, PgPool, Postgres, Transaction, pool::PoolConnection};
use tokio::runtime::Handle;

use super::fault::fault;
use crate::{
    database::{dialect::Dialect, fault::Fault},
    error::Error,
};

/// The connections to a server; cheap to clone.
#[derive(Clone)]
pub struct ConnectionPool(PgPool);

/// A connection that goes back to the pool when it is dropped; an open transaction is rolled back
/// then: sqlx queues the `ROLLBACK`, and sends it before the connection is used again.
pub struct PooledConnection {
    /// Until it is dropped or committed.
    connection: Option<Connection>,
    lent: bool,
}

enum Connection {
    /// For one statement.
    Single(PoolConnection<Postgres>),
    /// In a transaction.
    Transaction(Transaction<'static, Postgres>),
}

/// What `DISCARD ALL` does but for prepared statements, which sqlx keeps.
const RESET: &str = "CLOSE ALL; RESET SESSION AUTHORIZATION; RESET ALL; UNLISTEN *; \
                     SELECT pg_advisory_unlock_all(); DISCARD SEQUENCES; DISCARD TEMP";

impl ConnectionPool {
    pub(super) const fn new(pool: PgPool) -> Self {
        Self(pool)
    }

    /// What the server speaks.
    pub const fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    /// A connection for a statement.
    ///
    /// # Errors
    /// 503 when none is free in time, or the service is stopping.
    pub async fn get(&self) -> Result<PooledConnection, Fault> {
        let connection = self.0.acquire().await.map_err(fault)?;
        Ok(Connection::Single(connection).into())
    }

    /// As [`ConnectionPool::get`]: the server lets many write at once.
    ///
    /// # Errors
    /// As [`ConnectionPool::get`].
    pub async fn get_to_write(&self) -> Result<PooledConnection, Fault> {
        self.get().await
    }

    /// A connection in a transaction.
    ///
    /// # Errors
    /// As [`ConnectionPool::get`].
    pub async fn begin(&self) -> Result<PooledConnection, Fault> {
        let transaction = self.0.begin().await.map_err(fault)?;
        Ok(Connection::Transaction(transaction).into())
    }

    /// The pool itself.
    pub fn sqlx_pool(&self) -> PgPool {
        self.0.clone()
    }

    /// Hands out no more connections, and waits for those in use.
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
    /// What the server answers.
    pub async fn commit(mut self) -> Result<(), Fault> {
        let Some(Connection::Transaction(transaction)) = self.connection.take() else {
            return Ok(());
        };
        let lent = self.lent;
        let commit = tokio::spawn(async move {
            if lent {
                end_lent(transaction, "COMMIT").await
            } else {
                transaction.commit().await
            }
        });
        let commit = commit.await;
        commit
            .map_err(|error| Fault::Other(Error::internal(error)))?
            .map_err(fault)
    }

    /// From now on the settings of its session may be those of other code.
    pub fn set_lent(&mut self) {
        self.lent = true;
        if let Some(Connection::Single(connection)) = &mut self.connection {
            connection.close_on_drop();
        }
    }

    /// Whether it is in a transaction.
    pub(super) const fn is_in_transaction(&self) -> bool {
        matches!(self.connection, Some(Connection::Transaction(_)))
    }
}

/// Ends the transaction of a connection that was lent, and resets its session.
async fn end_lent(
    mut transaction: Transaction<'static, Postgres>,
    end: &'static str,
) -> sqlx::Result<()> {
    let ended = sqlx::raw_sql(end).execute(&mut *transaction).await;
    // sqlx gives a connection back in the state in which it knows it: in a transaction. `BEGIN` is
    // a query of its own, so that its end does not undo the reset.
    for sql in [RESET, "BEGIN"] {
        sqlx::raw_sql(sql).execute(&mut *transaction).await?;
    }
    transaction.rollback().await?;
    ended.map(drop)
}

impl From<Connection> for PooledConnection {
    fn from(connection: Connection) -> Self {
        Self {
            connection: Some(connection),
            lent: false,
        }
    }
}

impl Drop for PooledConnection {
    fn drop(&mut self) {
        let lent = self.connection.take_if(|_| self.lent);
        if let Some(Connection::Transaction(transaction)) = lent
            && let Ok(runtime) = Handle::try_current()
        {
            runtime.spawn(end_lent(transaction, "ROLLBACK"));
        }
    }
}

const TAKEN: &str = "a connection is taken when it is committed or dropped";

impl Deref for PooledConnection {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        match self.connection.as_ref().expect(TAKEN) {
            Connection::Single(connection) => connection,
            Connection::Transaction(transaction) => transaction,
        }
    }
}

impl DerefMut for PooledConnection {
    fn deref_mut(&mut self) -> &mut PgConnection {
        match self.connection.as_mut().expect(TAKEN) {
            Connection::Single(connection) => connection,
            Connection::Transaction(transaction) => transaction,
        }
    }
}
