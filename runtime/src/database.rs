//! The database: a pool or a transaction of it, behind one handle.

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

pub(crate) use fault::Fault;
pub(crate) use migrate::{Step, apply};
pub use pivot::PivotLink;
pub use row::{Row, Stored};
pub use sql::Sql;
#[cfg(feature = "admin")]
pub(crate) use sql::among;
pub(crate) use sql::{ESCAPE, LIMIT, OFFSET, containing, quoted, quoted_list};
pub(crate) use sqlite::{is_missing, plain};
pub use transaction::Transaction;

use crate::{
    config::DatabaseConfig,
    error::{Error, Result},
    value::Value,
};
use progress::Progress;
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

impl From<&DatabaseConfig> for DatabaseOptions {
    fn from(config: &DatabaseConfig) -> Self {
        Self {
            url: config.url.clone(),
            max: config.pool_max,
            min: config.pool_min,
            acquire_timeout: config.acquire_timeout,
            idle_timeout: Some(config.idle_timeout),
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
/// Each handle of a request counts its statements together ([`Db::statements`]).
#[derive(Clone)]
pub struct Db {
    place: Place,
    writers: Writers,
    progress: Arc<Progress>,
}

#[derive(Clone)]
enum Place {
    Pool(Pool),
    Transaction(Arc<Shared>),
}

#[derive(Clone)]
pub(crate) enum Pool {
    #[cfg(feature = "sqlite")]
    Sqlite(sqlite::Connections),
}

/// What a statement that returns no rows did.
pub(crate) struct Done {
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
        let pool = match options.url.split_once(':').map(|(kind, _)| kind) {
            #[cfg(feature = "sqlite")]
            Some("sqlite") => Pool::Sqlite(sqlite::connect(options).await?),
            _ => return Err(Error::internal(unknown_kind(&options.url))),
        };
        Ok(Self {
            place: Place::Pool(pool),
            writers: Writers::new(options.acquire_timeout),
            progress: Arc::default(),
        })
    }

    /// A handle with a statement counter of its own: one for each request. What a service notes for
    /// itself has one too: it is no change that the request made.
    #[must_use]
    pub fn for_request(&self) -> Self {
        Self {
            place: self.place.clone(),
            writers: self.writers.clone(),
            progress: Arc::default(),
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
        let pool = match &self.place {
            Place::Pool(pool) => pool,
            Place::Transaction(shared) => {
                return Ok(Transaction::joined(self.clone(), Arc::clone(shared)));
            }
        };
        self.progress.count();
        let turn = self.writers.turn().await?;
        let shared = match pool {
            #[cfg(feature = "sqlite")]
            Pool::Sqlite(pool) => Shared::sqlite(sqlite::begin(pool).await?, turn),
        };
        let shared = Arc::new(shared);
        let place = Place::Transaction(Arc::clone(&shared));
        let db = Self {
            place,
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

    /// Runs a statement; returns its rows as the database stores them (integers, floats, text).
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
    pub(crate) async fn has_table(&self, table: &str) -> Result<bool> {
        let Dialect::Sqlite = self.dialect();
        let sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?";
        Ok(!self.rows(sql, [Value::from(table)]).await?.is_empty())
    }

    /// Closes the pool: waits for its connections to come back.
    pub async fn close(&self) {
        match &self.place {
            #[cfg(feature = "sqlite")]
            Place::Pool(Pool::Sqlite(pool)) => pool.close().await,
            Place::Transaction(_) => {}
        }
    }

    /// The rows of a statement.
    pub(crate) async fn fetch(&self, sql: Sql, values: Vec<Value>) -> Result<Vec<Row>, Fault> {
        self.progress.count();
        match &self.place {
            #[cfg(feature = "sqlite")]
            Place::Pool(Pool::Sqlite(connections)) => {
                let mut lent = connections.lend().await?;
                let rows = sqlite::fetch(&mut lent, sql, values).await?;
                lent.done();
                Ok(rows)
            }
            Place::Transaction(shared) => shared.fetch(sql, values).await,
        }
    }

    /// The first row of a statement, which is not asked for more: the cheapest way to one.
    pub(crate) async fn first(&self, sql: Sql, values: Vec<Value>) -> Result<Option<Row>, Fault> {
        self.progress.count();
        match &self.place {
            #[cfg(feature = "sqlite")]
            Place::Pool(Pool::Sqlite(connections)) => {
                let mut lent = connections.lend().await?;
                let row = sqlite::first(&mut lent, sql, values).await?;
                lent.done();
                Ok(row)
            }
            Place::Transaction(shared) => shared.first(sql, values).await,
        }
    }

    /// What a statement without rows did.
    pub(crate) async fn perform(&self, sql: Sql, values: Vec<Value>) -> Result<Done, Fault> {
        self.progress.count();
        match &self.place {
            #[cfg(feature = "sqlite")]
            Place::Pool(Pool::Sqlite(connections)) => {
                let _turn = self.writers.turn().await?;
                let mut lent = connections.lend_to_write().await?;
                let done = sqlite::perform(&mut lent, sql, values).await?;
                lent.done();
                // Outside of a transaction each statement is one: what it did lasts.
                self.progress.ended(true);
                Ok(done)
            }
            Place::Transaction(shared) => shared.perform(sql, values).await,
        }
    }

    /// The pool, for what needs a connection of its own.
    pub(crate) fn pool(&self) -> Option<&Pool> {
        match &self.place {
            Place::Pool(pool) => Some(pool),
            Place::Transaction(_) => None,
        }
    }

    /// How far the request that this handle belongs to has come with its changes.
    pub(crate) fn progress(&self) -> &Progress {
        &self.progress
    }
}

impl std::fmt::Debug for Db {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let place = match self.place {
            Place::Pool(_) => "pool",
            Place::Transaction(_) => "transaction",
        };
        f.debug_struct("Db")
            .field("place", &place)
            .field("statements", &self.statements())
            .finish()
    }
}

fn unknown_kind(url: &str) -> String {
    // The address may hold a password: only its beginning is shown.
    let kind = url.split(':').next().unwrap_or_default();
    format!("the database address begins with `{kind}:`, this service was built for `sqlite:`")
}
