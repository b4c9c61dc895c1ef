//! The PostgreSQL driver: connections, statements, values and faults.

mod connect;
mod fault;
mod migrate;
mod placeholders;
mod pool;
mod statement;
mod value;

pub(super) use connect::connect;
#[cfg(not(feature = "sqlite"))]
pub(super) use connect::lazily;
pub(super) use pool::{ConnectionPool, PooledConnection};
pub(super) use value::items;
