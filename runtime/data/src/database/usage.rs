//! How busy the pool is.

use super::handle::Db;

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
