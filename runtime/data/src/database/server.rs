//! Shared parts of the drivers of servers: connecting, and sqlx's pools.

use std::time::Duration;

use sqlx::{ConnectOptions, Connection, Database, Pool, pool::PoolOptions};

use super::{fault::Fault, options::DatabaseOptions};
use crate::error::{Error, Result};

/// Opens a connection and closes it: sqlx's pool would retry a wrong address, and report that it is
/// busy. The whole address may hold a password, so the message has host and port.
///
/// # Errors
/// 500 with what the server, or the way to it, answers.
pub(super) async fn check_connects<C: Connection>(
    connect: &impl ConnectOptions<Connection = C>,
    (host, port): (&str, u16),
    fault: fn(sqlx::Error) -> Fault,
) -> Result<()> {
    let first = connect.connect().await.map_err(|error| {
        let why = Error::from(fault(error));
        Error::internal(format!(
            "the database at {host}:{port} cannot be opened: {why}"
        ))
    })?;
    let closed = first.close().await;
    closed.map_err(|error| fault(error).into())
}

/// A connection that was idle for longer is checked before its next use. sqlx also checks a
/// connection when it goes back to the pool, so a shorter idle time needs no check.
const FRESH: Duration = Duration::from_secs(1);

/// The limits of sqlx's pool.
pub(super) fn pool_options<D: Database>(options: &DatabaseOptions) -> PoolOptions<D> {
    PoolOptions::new()
        .max_connections(options.max.max(1))
        .min_connections(options.min.min(options.max))
        .acquire_timeout(options.acquire_timeout)
        .idle_timeout(options.idle_timeout)
        .test_before_acquire(false)
        .before_acquire(|connection: &mut D::Connection, lent| {
            Box::pin(async move {
                if lent.idle_for > FRESH {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
}

/// How many connections the pool has open, how many of these are free, and the most there may be.
pub(super) fn pool_sizes<D: Database>(pool: &Pool<D>) -> (usize, usize, usize) {
    let number = |count: u32| usize::try_from(count).unwrap_or(usize::MAX);
    let most = pool.options().get_max_connections();
    (number(pool.size()), pool.num_idle(), number(most))
}
