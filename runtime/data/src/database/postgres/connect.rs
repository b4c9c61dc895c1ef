//! Connecting to a server.

use std::str::FromStr;

use sqlx::{
    ConnectOptions, Connection as _,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use super::{fault::fault, pool::ConnectionPool};
use crate::{
    database::options::DatabaseOptions,
    error::{Error, Result},
};

/// Prepared statements kept by each connection.
const STATEMENTS: usize = 256;

/// Connects to the server, so that a wrong address is known at the start.
pub async fn connect(options: &DatabaseOptions) -> Result<ConnectionPool> {
    let connect = parsed(options)?;
    // The address may hold a password, which is not shown.
    let (host, port) = (connect.get_host().to_owned(), connect.get_port());
    // The pool would retry, and report that it is busy.
    let first = connect.connect().await.map_err(|error| {
        let why = Error::from(fault(error));
        Error::internal(format!(
            "the database at {host}:{port} cannot be opened: {why}"
        ))
    })?;
    first
        .close()
        .await
        .map_err(|error| Error::from(fault(error)))?;
    Ok(pooled(options, connect))
}

/// The pool alone: the first statement connects.
#[cfg(not(feature = "sqlite"))]
pub fn lazily(options: &DatabaseOptions) -> Result<ConnectionPool> {
    Ok(pooled(options, parsed(options)?))
}

fn parsed(options: &DatabaseOptions) -> Result<PgConnectOptions> {
    let connect = PgConnectOptions::from_str(&options.url).map_err(Error::internal)?;
    Ok(options.log_statements(connect.statement_cache_capacity(STATEMENTS)))
}

fn pooled(options: &DatabaseOptions, connect: PgConnectOptions) -> ConnectionPool {
    let pool = PgPoolOptions::new()
        .max_connections(options.max.max(1))
        .min_connections(options.min.min(options.max))
        .acquire_timeout(options.acquire_timeout)
        .idle_timeout(options.idle_timeout)
        .connect_lazy_with(connect);
    ConnectionPool::new(pool)
}
