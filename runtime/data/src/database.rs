//! The database: a pool or a transaction of it, behind one handle.

mod connection;
mod fault;
mod migrate;
mod pivot;
mod progress;
mod row;
mod sql;
mod sqlite;
mod transaction;
mod writers;

use std::{sync::Arc, time::Duration};

pub use fault::Fault;
pub(crate) use migrate::{Step, apply};
pub use pivot::PivotLink;
pub use row::{Row, Stored};
pub use sql::Sql;
pub use sql::among;
pub use sql::{ESCAPE, LIMIT, OFFSET, containing, quoted, quoted_list};
pub use sqlite::{is_missing, plain};
pub use transaction::Transaction;

use crate::{
    error::{Error, Result},
    value::Value,
};
use connection::Connection;
use progress::Progress;
use sqlite::ConnectionPool;
use transaction::Shared;
use writers::Writers;

/// Where the data lives, and how many connections lead there.
#[derive(Debug, Clone)]
pub struct DatabaseOptions {
    /// `sqlite://data/bistro.sqlite`, `sqlite::memory:`.
    pub url: String,
    /// Connections at most.
    pub max: u32,
    /// Connections kept open.
    pub min: u32,
    /// How long a request waits for a connection before it is answered 503.
    pub acquire_timeout: Duration,
    /// How long an unused connection stays open; `None`: for ever.
    pub idle_timeout: Option<Duration>,
}

impl DatabaseOptions {
    /// The database at `url`, with a pool of sensible size.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            max: 8,
            min: 0,
            acquire_timeout: Duration::from_secs(5),
            idle_timeout: None,
        }
    }
}

/// The kinds of database whose SQL differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// SQLite 3.
    Sqlite,
}

impl Dialect {
    /// The word for it in migrations.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
        }
    }
}

/// The database: the pool, or the transaction inside hooks that run in one. Cheap to clone.
///
/// Outside of a transaction a statement has its connection for as long as it runs. Each handle of a
/// request counts its statements together ([`Db::statements`]).
#[derive(Clone)]
pub struct Db {
    pool: ConnectionPool,
    transaction: Option<Arc<Shared>>,
    writers: Writers,
    progress: Arc<Progress>,
}

/// What a statement that returns no rows did.
pub struct Done {
    /// Rows it changed.
    pub rows: u64,
    /// The key the database counted for the last new row.
    pub counted: i64,
}

impl Db {
    /// Opens the database at `options.url`; a SQLite file is made where there is none.
    ///
    /// # Errors
    /// A sentence about what is wrong with the address or the file.
    pub async fn connect(options: &DatabaseOptions) -> Result<Self> {
        if !options.url.starts_with("sqlite:") {
            return Err(Error::internal(unknown_kind(&options.url)));
        }
        Ok(Self {
            pool: sqlite::connect(options).await?,
            transaction: None,
            writers: Writers::new(options.acquire_timeout),
            progress: Arc::default(),
        })
    }

    /// A handle with a statement counter of its own: one for each request. What a service notes for
    /// itself has one too: it is no change that the request made.
    #[must_use]
    pub fn for_request(&self) -> Self {
        Self {
            progress: Arc::default(),
            ..self.clone()
        }
    }

    /// How many statements this handle and its transactions have run.
    #[must_use]
    pub fn statements(&self) -> u64 {
        self.progress.statements()
    }

    /// Which SQL this database speaks.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    /// Begins a transaction that may write. In a transaction it joins that one.
    ///
    /// # Errors
    /// 503 when no connection is free in time, or another writer does not finish.
    pub async fn begin(&self) -> Result<Transaction> {
        if let Some(shared) = &self.transaction {
            return Ok(Transaction::joined(self.clone(), Arc::clone(shared)));
        }
        self.progress.count();
        let turn = self.writers.turn().await?;
        let mut connection = self.pool.get_to_write().await?;
        sqlite::begin(&mut connection).await?;
        let shared = Arc::new(Shared::new(connection, turn));
        let db = Self {
            transaction: Some(Arc::clone(&shared)),
            ..self.clone()
        };
        Ok(Transaction::begun(db, shared))
    }

    /// Runs a statement; returns how many rows it changed.
    ///
    /// # Errors
    /// 422 where a unique constraint, 409 where a foreign key is violated; 503 when no connection
    /// is free in time; 500 for everything else.
    pub async fn execute(
        &self,
        sql: impl Into<Sql>,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<u64> {
        let values = values.into_iter().collect();
        Ok(self.perform(sql.into(), values).await?.rows)
    }

    /// Runs a statement that reads; returns its rows as the database stores them (integers, floats,
    /// text). One that writes and returns rows is run by [`Db::returning`].
    ///
    /// # Errors
    /// As [`Db::execute`].
    pub async fn rows(
        &self,
        sql: impl Into<Sql>,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<Vec<Vec<Value>>> {
        let values = values.into_iter().collect();
        let rows = self.fetch(sql.into(), values).await?;
        rows.iter().map(Row::values).collect()
    }

    /// Runs a statement that writes and returns rows (`INSERT … RETURNING`): it waits until it is
    /// its turn to write, as [`Db::execute`] does.
    ///
    /// # Errors
    /// As [`Db::execute`].
    pub async fn returning(
        &self,
        sql: impl Into<Sql>,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<Vec<Vec<Value>>> {
        let mut connection = self.acquire_to_write().await?;
        let values = values.into_iter().collect();
        let rows = sqlite::fetch(&mut connection, sql.into(), values).await?;
        connection.done();
        rows.iter().map(Row::values).collect()
    }

    /// sqlx's own pool for the same SQLite database, for what [`Db`] cannot do. It is made at the first
    /// call, inside of tokio's runtime, and opens no connection before its first statement.
    ///
    /// It knows nothing of this handle's transaction: a write through it waits for the transaction
    /// of the request that makes it, and fails after five seconds. Let the transaction end first,
    /// or write through the handle.
    #[must_use]
    pub fn sqlite_pool(&self) -> sqlx::SqlitePool {
        self.pool.sqlx_pool()
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// As [`Db::execute`].
    pub async fn ping(&self) -> Result<()> {
        self.fetch(Sql::from("SELECT 1"), Vec::new()).await?;
        Ok(())
    }

    /// Whether there is a table of this name.
    ///
    /// # Errors
    /// As [`Db::execute`].
    pub async fn has_table(&self, table: &str) -> Result<bool> {
        let Dialect::Sqlite = self.dialect();
        let sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?";
        Ok(!self.rows(sql, [Value::from(table)]).await?.is_empty())
    }

    /// Closes the pool: waits for its connections to come back.
    pub async fn close(&self) {
        if self.transaction.is_none() {
            self.pool.close().await;
        }
    }

    /// The rows of a statement that reads.
    pub async fn fetch(&self, sql: Sql, values: Vec<Value>) -> Result<Vec<Row>, Fault> {
        let mut connection = self.acquire_to_read().await?;
        let rows = sqlite::fetch(&mut connection, sql, values).await?;
        connection.done();
        Ok(rows)
    }

    /// The first row of a statement, which is not asked for more: the cheapest way to one.
    pub async fn first(&self, sql: Sql, values: Vec<Value>) -> Result<Option<Row>, Fault> {
        let mut connection = self.acquire_to_read().await?;
        let row = sqlite::first(&mut connection, sql, values).await?;
        connection.done();
        Ok(row)
    }

    /// What a statement without rows did.
    pub async fn perform(&self, sql: Sql, values: Vec<Value>) -> Result<Done, Fault> {
        let mut connection = self.acquire_to_write().await?;
        let done = sqlite::perform(&mut connection, sql, values).await?;
        connection.done();
        Ok(done)
    }

    /// The connection of the next statement, which reads; the statement is counted.
    async fn acquire_to_read(&self) -> Result<Connection<'_>, Fault> {
        self.progress.count();
        match &self.transaction {
            Some(shared) => shared.connection().await,
            None => Ok(Connection::Reading(self.pool.get().await?)),
        }
    }

    /// The connection of the next statement, which writes, when it is its turn; the statement is
    /// counted.
    async fn acquire_to_write(&self) -> Result<Connection<'_>, Fault> {
        self.progress.count();
        if let Some(shared) = &self.transaction {
            return shared.connection().await;
        }
        let turn = self.writers.turn().await?;
        let connection = self.pool.get_to_write().await?;
        Ok(Connection::Writing(connection, turn, &self.progress))
    }

    /// The pool, for what needs a connection of its own; `None` in a transaction.
    pub(crate) fn pool(&self) -> Option<&ConnectionPool> {
        self.transaction.is_none().then_some(&self.pool)
    }

    /// How far the request that this handle belongs to has come with its changes.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }
}

impl std::fmt::Debug for Db {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Db")
            .field("transaction", &self.transaction.is_some())
            .field("statements", &self.statements())
            .finish()
    }
}

fn unknown_kind(url: &str) -> String {
    // The address may hold a password: only its beginning is shown.
    let kind = url.split(':').next().unwrap_or_default();
    format!("the database address begins with `{kind}:`, this service was built for `sqlite:`")
}
