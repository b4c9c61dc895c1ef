//! The driver for MariaDB and MySQL: connections, statements, values and faults.

mod connect;
mod fault;
mod foreign_keys;
mod migrate;
mod pool;
mod rename;
mod split;
mod statement;
#[cfg(feature = "testing")]
pub(super) mod temporary;
mod value;

pub(super) use connect::connect;
#[cfg(not(any(feature = "sqlite", feature = "postgres")))]
pub(super) use connect::lazily;
pub(super) use migrate::left;
pub(super) use pool::{ConnectionPool, PooledConnection};
