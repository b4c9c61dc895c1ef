//! The address of the database, and the number of connections.

use std::time::Duration;

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

/// The address of the database, and the number of connections.
#[derive(Debug, Clone)]
pub struct DatabaseOptions {
    /// The address, whose scheme names the driver: `sqlite://data/bistro.sqlite`, `sqlite::memory:`.
    pub url: String,
    /// Whether an embedded database writes each commit to the disk before it is answered. Servers
    /// have a setting of their own.
    pub synchronous: Synchronous,
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
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            synchronous: Synchronous::Normal,
            max: 8,
            min: 0,
            acquire_timeout: Duration::from_secs(5),
            idle_timeout: None,
        }
    }
}
