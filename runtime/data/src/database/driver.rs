//! The compiled drivers, behind one pool and one connection.

use std::path::Path;

#[cfg(feature = "mysql")]
use super::mysql;
#[cfg(feature = "postgres")]
use super::postgres;
#[cfg(feature = "sqlite")]
use super::sqlite;
use super::{
    dialect::Dialect,
    fault::Fault,
    options::DatabaseOptions,
    row::{Row, each},
    row_stream::RowSender,
    sql::Sql,
    step::Step,
};
use crate::{
    error::{Error, Result},
    value::Value,
};

/// The connections of a database; cheap to clone.
///
/// The futures of drivers are boxed here: with three of them in each other's place, the states of
/// every action would be large, and nested deeper than the compiler follows in a release build.
#[derive(Clone)]
pub(crate) enum Pool {
    #[cfg(feature = "sqlite")]
    Sqlite(sqlite::ConnectionPool),
    #[cfg(feature = "postgres")]
    Postgres(postgres::ConnectionPool),
    #[cfg(feature = "mysql")]
    Mysql(mysql::ConnectionPool),
}

/// A connection that returns to its pool when it is dropped. Work that is not
/// [`DriverConnection::done`] or committed by then is rolled back.
pub(super) enum DriverConnection {
    #[cfg(feature = "sqlite")]
    Sqlite(sqlite::PooledConnection),
    #[cfg(feature = "postgres")]
    Postgres(postgres::PooledConnection),
    #[cfg(feature = "mysql")]
    Mysql(mysql::PooledConnection),
}

/// The schemes of addresses that a driver was compiled for.
const SCHEMES: &[&str] = &[
    #[cfg(feature = "sqlite")]
    "sqlite",
    #[cfg(feature = "postgres")]
    "postgres",
    #[cfg(feature = "mysql")]
    "mysql",
    #[cfg(feature = "mysql")]
    "mariadb",
];

/// Makes the connection of the driver that a pool is of.
macro_rules! connection {
    ($pool:expr, $inner:ident => $call:expr) => {
        match $pool {
            #[cfg(feature = "sqlite")]
            Self::Sqlite($inner) => DriverConnection::Sqlite($call),
            #[cfg(feature = "postgres")]
            Self::Postgres($inner) => DriverConnection::Postgres($call),
            #[cfg(feature = "mysql")]
            Self::Mysql($inner) => DriverConnection::Mysql($call),
            #[cfg(not(any(feature = "sqlite", feature = "postgres", feature = "mysql")))]
            _ => unreachable!(),
        }
    };
}

impl Pool {
    /// Opens the database at an address, by the driver that its scheme names.
    pub async fn connect(options: &DatabaseOptions) -> Result<Self> {
        match scheme(&options.url) {
            #[cfg(feature = "sqlite")]
            "sqlite" => sqlite::connect(options).await.map(Self::Sqlite),
            #[cfg(feature = "postgres")]
            "postgres" | "postgresql" => postgres::connect(options).await.map(Self::Postgres),
            #[cfg(feature = "mysql")]
            "mysql" | "mariadb" => mysql::connect(options).await.map(Self::Mysql),
            scheme => Err(unknown(scheme)),
        }
    }

    /// A pool without a database: no file is opened, or an empty database in memory.
    pub async fn nowhere() -> Result<Self> {
        #[cfg(feature = "sqlite")]
        return Self::connect(&DatabaseOptions::new("sqlite::memory:")).await;
        #[cfg(all(feature = "postgres", not(feature = "sqlite")))]
        return postgres::lazily(&DatabaseOptions::new("postgres://127.0.0.1")).map(Self::Postgres);
        #[cfg(all(feature = "mysql", not(any(feature = "postgres", feature = "sqlite"))))]
        return mysql::lazily(&DatabaseOptions::new("mysql://127.0.0.1")).map(Self::Mysql);
        #[cfg(not(any(feature = "mysql", feature = "postgres", feature = "sqlite")))]
        Err(unknown("none"))
    }

    pub const fn dialect(&self) -> Dialect {
        each!(self, pool => pool.dialect())
    }

    /// Whether there is one writer at a time, so that others should wait without a connection.
    pub const fn has_one_writer(&self) -> bool {
        matches!(self.dialect(), Dialect::Sqlite)
    }

    /// A connection for a statement.
    pub async fn get(&self) -> Result<DriverConnection, Fault> {
        Ok(connection!(self, pool => Box::pin(pool.get()).await?))
    }

    /// A connection for a statement that writes.
    pub async fn get_to_write(&self) -> Result<DriverConnection, Fault> {
        match self {
            // The file may have been replaced: it is looked for first.
            #[cfg(feature = "sqlite")]
            Self::Sqlite(pool) => {
                let connection = Box::pin(pool.get_to_write()).await?;
                Ok(DriverConnection::Sqlite(connection))
            }
            #[allow(unreachable_patterns, reason = "depends on the compiled drivers")]
            _ => self.get().await,
        }
    }

    /// A connection in a new transaction that may write. If the connection is lost, the next one is
    /// tried, because no statement has run yet.
    pub async fn begin(&self) -> Result<DriverConnection, Fault> {
        let (_, _, most) = self.sizes();
        for _ in 0..most {
            match self.begin_once().await {
                Err(Fault::Lost) => {}
                begun => return begun,
            }
        }
        self.begin_once().await
    }

    async fn begin_once(&self) -> Result<DriverConnection, Fault> {
        Ok(connection!(self, pool => Box::pin(pool.begin()).await?))
    }

    /// Makes the database compare the texts of new tables exactly, where that is a setting of it.
    pub async fn set_collation(&self) -> Result<(), Fault> {
        match self {
            #[cfg(feature = "mysql")]
            Self::Mysql(pool) => pool.set_collation().await,
            #[allow(unreachable_patterns, reason = "depends on the compiled drivers")]
            _ => Ok(()),
        }
    }

    /// Applies a migration and records it; returns false where another runner had.
    pub async fn apply(&self, step: &Step) -> Result<bool, Fault> {
        each!(self, pool => Box::pin(pool.apply(step)).await)
    }

    /// The SQL that is left of a migration, to read.
    pub fn left(&self, step: &Step) -> String {
        match self {
            #[cfg(feature = "mysql")]
            Self::Mysql(_) if step.done > 0 => mysql::left(step),
            _ => format!("{}\n", step.text().trim_end()),
        }
    }

    /// How many connections are open, how many of these are free, and the most there may be.
    pub fn sizes(&self) -> (usize, usize, usize) {
        each!(self, pool => pool.sizes())
    }

    /// Waits for the connections to come back, and closes them.
    pub async fn close(&self) {
        each!(self, pool => pool.close().await);
    }
}

impl DriverConnection {
    /// All rows of a statement.
    pub async fn fetch(&mut self, sql: Sql, values: Vec<Value>) -> Result<Vec<Row>, Fault> {
        each!(self, connection => {
            let rows = Box::pin(connection.fetch(sql, values)).await?;
            Ok(rows.into_iter().map(Row::from).collect())
        })
    }

    /// Sends the rows of a statement, one after another.
    pub async fn stream(
        &mut self,
        sql: Sql,
        values: Vec<Value>,
        to: &RowSender,
    ) -> Result<(), Fault> {
        each!(self, connection => Box::pin(connection.stream(sql, values, to)).await)
    }

    /// Rows of a statement that writes. Where the database refuses it, a transaction goes on.
    pub async fn returning(&mut self, sql: Sql, values: Vec<Value>) -> Result<Vec<Row>, Fault> {
        match self {
            // By itself PostgreSQL ends the transaction of a refused statement.
            #[cfg(feature = "postgres")]
            Self::Postgres(connection) => {
                let rows = Box::pin(connection.returning(sql, values)).await?;
                Ok(rows.into_iter().map(Row::from).collect())
            }
            #[allow(unreachable_patterns, reason = "depends on the compiled drivers")]
            _ => self.fetch(sql, values).await,
        }
    }

    /// Marks the connection as lent to code of the project. This code may change the session, so
    /// the connection is reset or closed before its next use.
    pub fn set_lent(&mut self) {
        each!(self, connection => connection.set_lent());
    }

    /// The first row of a statement; further rows are not read.
    pub async fn first(&mut self, sql: Sql, values: Vec<Value>) -> Result<Option<Row>, Fault> {
        each!(self, connection => Ok(Box::pin(connection.first(sql, values)).await?.map(Row::from)))
    }

    /// How many rows a statement changed. Where the database refuses it, a transaction goes on.
    pub async fn perform(&mut self, sql: Sql, values: Vec<Value>) -> Result<u64, Fault> {
        match self {
            // As in `returning`.
            #[cfg(feature = "postgres")]
            Self::Postgres(connection) => Box::pin(connection.perform(sql, values)).await,
            #[allow(unreachable_patterns, reason = "depends on the compiled drivers")]
            _ => self.execute(sql, values).await,
        }
    }

    /// As [`DriverConnection::perform`], for statements whose refusal ends their transaction.
    pub async fn execute(&mut self, sql: Sql, values: Vec<Value>) -> Result<u64, Fault> {
        each!(self, connection => Box::pin(connection.execute(sql, values)).await)
    }

    /// Inserts a row; returns the key that the database counted. Where it is refused, a transaction
    /// goes on.
    pub async fn insert(&mut self, sql: Sql, values: Vec<Value>, key: &str) -> Result<i64, Fault> {
        each!(self, connection => Box::pin(connection.insert(sql, values, key)).await)
    }

    /// Defers foreign keys to the end of the transaction.
    pub async fn defer_foreign_keys(&mut self) -> Result<(), Fault> {
        each!(self, connection => connection.defer_foreign_keys().await)
    }

    /// Returns it to the pool: no statement and no transaction is open.
    pub fn done(self) {
        each!(self, connection => connection.done());
    }

    /// Commits the work since [`Pool::begin`].
    pub async fn commit(self) -> Result<(), Fault> {
        each!(self, connection => Box::pin(connection.commit()).await)
    }
}

/// The scheme of an address, which names the driver.
pub(super) fn scheme(url: &str) -> &str {
    url.split(':').next().unwrap_or_default()
}

/// The address may hold a password: only its scheme is shown.
pub(super) fn unknown(scheme: &str) -> Error {
    let known = SCHEMES.iter().map(|scheme| format!("`{scheme}:`"));
    let known = known.collect::<Vec<_>>().join(" or ");
    Error::internal(format!(
        "the database address begins with `{scheme}:`, this service was built for {known}"
    ))
}

/// Whether the database is a file that is not there yet.
///
/// # Errors
/// 500 where the driver cannot read the address.
pub fn is_missing(url: &str) -> Result<bool> {
    match scheme(url) {
        #[cfg(feature = "sqlite")]
        "sqlite" => sqlite::is_missing(url),
        _ => Ok(false),
    }
}

/// The address with its file below `root`, where it names a relative one.
pub fn rooted(url: &str, root: &Path) -> String {
    match (scheme(url), root) {
        #[cfg(feature = "sqlite")]
        ("sqlite", root) => sqlite::rooted(url, root),
        _ => url.to_owned(),
    }
}
