//! How busy the pool is, and sqlx's own pools for what [`Db`] cannot do.

use super::{driver::Pool, handle::Db};

impl Db {
    /// sqlx's own pool for the same SQLite database, for what [`Db`] cannot do. It is made at the first
    /// call, inside of tokio's runtime, and opens no connection before its first statement.
    ///
    /// It is no part of this handle's transaction: a write through it waits for the transaction of
    /// the request that makes it, and fails after five seconds. Let the transaction end first, or
    /// write through the handle.
    ///
    /// # Panics
    /// Where the database is not SQLite: see [`Db::dialect`].
    #[cfg(feature = "sqlite")]
    pub fn sqlite_pool(&self) -> sqlx::SqlitePool {
        match self.any_pool() {
            Pool::Sqlite(pool) => pool.sqlx_pool(),
            #[allow(unreachable_patterns, reason = "depends on the compiled drivers")]
            _ => panic!("the database is not SQLite"),
        }
    }

    /// sqlx's own pool for the same PostgreSQL database, for what [`Db`] cannot do. It is no part
    /// of this handle's transaction.
    ///
    /// # Panics
    /// Where the database is not PostgreSQL: see [`Db::dialect`].
    #[cfg(feature = "postgres")]
    pub fn postgres_pool(&self) -> sqlx::PgPool {
        match self.any_pool() {
            Pool::Postgres(pool) => pool.sqlx_pool(),
            #[allow(unreachable_patterns, reason = "depends on the compiled drivers")]
            _ => panic!("the database is not PostgreSQL"),
        }
    }

    /// sqlx's own pool for the same MariaDB or MySQL database, for what [`Db`] cannot do. It is no
    /// part of this handle's transaction.
    ///
    /// # Panics
    /// Where the database is another one: see [`Db::dialect`].
    #[cfg(feature = "mysql")]
    pub fn mysql_pool(&self) -> sqlx::MySqlPool {
        match self.any_pool() {
            Pool::Mysql(pool) => pool.sqlx_pool(),
            #[allow(unreachable_patterns, reason = "depends on the compiled drivers")]
            _ => panic!("the database is neither MariaDB nor MySQL"),
        }
    }
}

/// The connections of a database, and what waits for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolUsage {
    /// Connections that a statement or a transaction has.
    pub used: usize,
    /// Open connections that are free.
    pub idle: usize,
    /// The most connections: `database.pool.max`.
    pub max: usize,
    /// Statements and transactions that wait for a connection, or for their turn to write.
    pub waiting: usize,
}

impl Db {
    /// How busy the pool is at this moment.
    pub fn pool_usage(&self) -> PoolUsage {
        let (open, idle, max) = self.any_pool().sizes();
        PoolUsage {
            used: open.saturating_sub(idle),
            idle,
            max,
            waiting: self.waiting().count(),
        }
    }
}
