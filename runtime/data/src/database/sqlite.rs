//! The SQLite driver: connections, statements, values and faults.

mod address;
mod connect;
mod fault;
mod foreign_keys;
mod migrate;
mod pool;
mod statement;
#[cfg(feature = "testing")]
pub(super) mod temporary;
mod value;

pub(super) use address::{is_missing, rooted};
pub(super) use connect::connect;
pub(super) use pool::{ConnectionPool, PooledConnection};
