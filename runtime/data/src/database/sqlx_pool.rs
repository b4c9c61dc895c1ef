//! sqlx's own pools, for what [`Db`] cannot do.

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
