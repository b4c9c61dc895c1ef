//! The driver for MariaDB and MySQL: connections, statements, values and faults.

mod connect;
mod fault;
mod migrate;
mod pool;
mod statement;
mod value;

pub(super) use connect::connect;
#[cfg(not(any(feature = "sqlite", feature = "postgres")))]
pub(super) use connect::lazily;
pub(super) use migrate::left;
pub(super) use pool::{ConnectionPool, PooledConnection};
