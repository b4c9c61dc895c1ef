//! Connections, pooled by sqlx.

use std::ops::{Deref, DerefMut};

use sqlx::{PgConnection, PgPool, Postgres, Transaction, pool::PoolConnection};

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
pub enum PooledConnection {
    /// For one statement.
    Single(PoolConnection<Postgres>),
    /// In a transaction.
    Transaction(Transaction<'static, Postgres>),
}

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
        Ok(PooledConnection::Single(connection))
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
        Ok(PooledConnection::Transaction(transaction))
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
    pub async fn commit(self) -> Result<(), Fault> {
        let Self::Transaction(transaction) = self else {
            return Ok(());
        };
        let commit = tokio::spawn(transaction.commit()).await;
        commit
            .map_err(|error| Fault::Other(Error::internal(error)))?
            .map_err(fault)
    }

    /// Whether it is in a transaction.
    pub(super) const fn is_in_transaction(&self) -> bool {
        matches!(self, Self::Transaction(_))
    }
}

impl Deref for PooledConnection {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        match self {
            Self::Single(connection) => connection,
            Self::Transaction(transaction) => transaction,
        }
    }
}

impl DerefMut for PooledConnection {
    fn deref_mut(&mut self) -> &mut PgConnection {
        match self {
            Self::Single(connection) => connection,
            Self::Transaction(transaction) => transaction,
        }
    }
}
