//! The SQLite driver: connections, statements, values and faults.

mod connect;
mod fault;
mod foreign_keys;
mod migrate;
mod pool;
mod statement;
mod value;

pub(super) use connect::{connect, is_missing, rooted};
pub(super) use pool::{ConnectionPool, PooledConnection};
