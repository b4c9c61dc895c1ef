//! The PostgreSQL driver: connections, statements, values and faults.

mod array;
mod connect;
mod doubt;
mod fault;
mod migrate;
mod placeholders;
mod pool;
mod statement;
#[cfg(feature = "testing")]
pub(super) mod temporary;
mod value;
mod watch;

pub(super) use array::items;
pub(super) use connect::connect;
#[cfg(not(feature = "sqlite"))]
pub(super) use connect::lazily;
pub(super) use pool::{ConnectionPool, PooledConnection};
