//! The address of the database, and the number of connections.

use std::time::Duration;

/// The address of the database, and the number of connections.
#[derive(Debug, Clone)]
pub struct DatabaseOptions {
    /// The address, whose scheme names the driver: `sqlite://data/bistro.sqlite`, `sqlite::memory:`.
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
