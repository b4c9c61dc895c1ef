//! The address of the database, and the number of connections.

use std::time::Duration;

use log::LevelFilter;
use sqlx::ConnectOptions;

/// Prepared statements kept by each connection.
pub(super) const PREPARED_STATEMENTS: usize = 256;

/// When an embedded database writes commits to the disk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Synchronous {
    /// Some time after the commit: a commit outlives the program, but the last ones may be lost
    /// when the power fails or the system crashes. The file stays whole.
    #[default]
    Normal,
    /// Before the commit is answered: it outlives a power failure.
    Full,
}

/// How a server isolates transactions from each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Isolation {
    /// Each statement sees what was committed before it.
    ReadCommitted,
    /// All statements of a transaction see what was committed before its first one.
    RepeatableRead,
    /// Transactions have the effect that they had one after another.
    Serializable,
}

impl Isolation {
    /// Its name in SQL, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ReadCommitted => "read committed",
            Self::RepeatableRead => "repeatable read",
            Self::Serializable => "serializable",
        }
    }
}

/// Address, connections and limits of the database: the section `database` of `formwork.yaml`.
#[derive(Debug, Clone)]
pub struct DatabaseOptions {
    /// `database.url`, or `DATABASE_URL`: the address, whose scheme names the driver, such as
    /// `sqlite://data/bistro.sqlite` or `sqlite::memory:`.
    pub url: String,
    /// `database.synchronous`: whether an embedded database writes each commit to the disk before
    /// it is answered. Servers have a setting of their own.
    pub synchronous: Synchronous,
    /// `database.root_certificate`: the file of the certificate that a server's is checked against.
    pub root_certificate: Option<String>,
    /// `database.search_path`: the schemas in which PostgreSQL looks for tables.
    pub search_path: Option<String>,
    /// `database.statement_timeout`: a statement that takes longer is cancelled; `None`: none is.
    pub statement_timeout: Option<Duration>,
    /// `database.isolation`: how a server isolates transactions; `None`: by its own default.
    pub isolation: Option<Isolation>,
    /// `database.table_prefix`: the prefix of the names of the runtime's own tables; empty by
    /// default.
    pub table_prefix: String,
    /// `database.pool.max`: connections at most.
    pub max: u32,
    /// `database.pool.min`: connections kept open.
    pub min: u32,
    /// `database.pool.acquire_timeout`: how long a request waits for a connection before it is
    /// answered 503.
    pub acquire_timeout: Duration,
    /// `database.pool.idle_timeout`: how long an unused connection stays open; `None`: for ever.
    pub idle_timeout: Option<Duration>,
    /// `database.slow_statement`: a statement that takes longer is logged as a warning, with its
    /// SQL and without its values; `None`: none is.
    pub slow_statement: Option<Duration>,
}

impl DatabaseOptions {
    /// Sets what a driver logs of its statements: slow ones alone.
    pub(super) fn log_statements<O: ConnectOptions>(&self, connect: O) -> O {
        let connect = connect.disable_statement_logging();
        match self.slow_statement {
            Some(slow) => connect.log_slow_statements(LevelFilter::Warn, slow),
            None => connect,
        }
    }

    /// The database at `url`, with a pool of sensible size.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            synchronous: Synchronous::Normal,
            root_certificate: None,
            search_path: None,
            statement_timeout: None,
            isolation: None,
            table_prefix: String::new(),
            max: 8,
            min: 0,
            acquire_timeout: Duration::from_secs(5),
            idle_timeout: None,
            slow_statement: Some(Duration::from_secs(1)),
        }
    }
}
