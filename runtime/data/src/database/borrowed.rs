//! The driver's own connection, for what [`Db`] cannot do.

use std::{
    marker::PhantomData,
    ops::{Deref, DerefMut},
};

use super::{
    dialect::Dialect,
    driver::DriverConnection,
    handle::Db,
    open::{Connection, Occupied},
    progress::Progress,
    share::Hold,
};
use crate::error::{Error, Result};

/// sqlx's connection to a database, with everything that sqlx can do: `&mut *connection` is an
/// executor. See [`Db::sqlite`],
/// [`Db::postgres`] and [`Db::mysql`].
pub struct BorrowedConnection<'d, C> {
    /// Dropped first: it belongs to the guard within the connection.
    _occupied: Option<Occupied<'d>>,
    connection: Connection<'d>,
    progress: &'d Progress,
    driver: PhantomData<fn() -> C>,
}

impl Db {
    /// sqlx's connection to the SQLite database.
    ///
    /// In a transaction it is the transaction's connection, and the handle sends no statement until
    /// it is dropped; do not end the transaction through it. Outside of a transaction it is a
    /// connection of the pool together with the turn to write: other writers wait until it is
    /// dropped, and what it changes without `BEGIN` is committed at once.
    ///
    /// Afterwards the connection is closed, so that an open transaction, a pragma or an attached
    /// database does not reach other requests: opening the next one takes about as long as ten
    /// short statements.
    ///
    /// # Errors
    /// 500 where the database is another one; otherwise as [`Db::execute`].
    #[cfg(feature = "sqlite")]
    pub async fn sqlite(&self) -> Result<BorrowedConnection<'_, sqlx::SqliteConnection>> {
        self.borrow(Dialect::Sqlite).await
    }

    /// sqlx's connection to the PostgreSQL server.
    ///
    /// In a transaction it is the transaction's connection, and the handle sends no statement until
    /// it is dropped; do not end the transaction through it. Its session (settings, locks,
    /// temporary tables) is reset when the transaction ends. Outside of a transaction it is a
    /// connection of the pool, which is closed afterwards.
    ///
    /// # Errors
    /// 500 where the database is another one; otherwise as [`Db::execute`].
    #[cfg(feature = "postgres")]
    pub async fn postgres(&self) -> Result<BorrowedConnection<'_, sqlx::PgConnection>> {
        self.borrow(Dialect::Postgres).await
    }

    /// sqlx's connection to the MariaDB or MySQL server.
    ///
    /// In a transaction it is the transaction's connection, and the handle sends no statement until
    /// it is dropped; do not end the transaction through it, also not by a statement that commits by
    /// itself, such as `CREATE TABLE`. Otherwise it is a connection of the pool. In both cases it is
    /// closed afterwards, with its settings, locks and temporary tables.
    ///
    /// # Errors
    /// 500 where the database is another one; otherwise as [`Db::execute`].
    #[cfg(feature = "mysql")]
    pub async fn mysql(&self) -> Result<BorrowedConnection<'_, sqlx::MySqlConnection>> {
        self.borrow(Dialect::Mysql).await
    }

    async fn borrow<C>(&self, dialect: Dialect) -> Result<BorrowedConnection<'_, C>> {
        if self.dialect() != dialect {
            let (is, not) = (self.dialect().name(), dialect.name());
            return Err(Error::internal(format!("the database is {is}, not {not}")));
        }
        let mut connection = self.acquire_to_write(Hold::Longer).await?;
        connection.set_lent();
        Ok(BorrowedConnection {
            _occupied: self.shared().map(|shared| shared.occupy()),
            connection,
            progress: self.progress(),
            driver: PhantomData,
        })
    }
}

/// Outside of a transaction its statements may have been committed.
impl<C> Drop for BorrowedConnection<'_, C> {
    fn drop(&mut self) {
        if matches!(self.connection, Connection::Writing(..)) {
            self.progress.begin_commit();
        }
    }
}

/// Dereferences to the connection of a driver.
macro_rules! driver {
    ($connection:ty, $driver:ident, $feature:literal) => {
        #[cfg(feature = $feature)]
        impl Deref for BorrowedConnection<'_, $connection> {
            type Target = $connection;

            fn deref(&self) -> &$connection {
                match &*self.connection {
                    DriverConnection::$driver(connection) => connection,
                    #[allow(unreachable_patterns, reason = "depends on the compiled drivers")]
                    _ => unreachable!("it was borrowed from this driver"),
                }
            }
        }

        #[cfg(feature = $feature)]
        impl DerefMut for BorrowedConnection<'_, $connection> {
            fn deref_mut(&mut self) -> &mut $connection {
                match &mut *self.connection {
                    DriverConnection::$driver(connection) => connection,
                    #[allow(unreachable_patterns, reason = "depends on the compiled drivers")]
                    _ => unreachable!("it was borrowed from this driver"),
                }
            }
        }
    };
}

driver!(sqlx::SqliteConnection, Sqlite, "sqlite");
driver!(sqlx::PgConnection, Postgres, "postgres");
driver!(sqlx::MySqlConnection, Mysql, "mysql");
