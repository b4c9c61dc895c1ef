//! Connecting to a server.

use std::str::FromStr;

use sqlx::postgres::{PgConnectOptions, PgSslMode};

use super::{
    fault::fault,
    pool::{ConnectionPool, watch_client},
};
use crate::{
    database::{
        options::{DatabaseOptions, PREPARED_STATEMENTS},
        server::{check_connects, pool_options},
    },
    error::{Error, Result},
};

/// Connects to the server, so that a wrong address is known at the start.
pub async fn connect(options: &DatabaseOptions) -> Result<ConnectionPool> {
    let connect = parsed(options)?;
    let server = (connect.get_host(), connect.get_port());
    check_connects(&connect, server, fault).await?;
    Ok(pooled(options, connect))
}

/// The pool alone: the first statement connects.
#[cfg(not(feature = "sqlite"))]
pub fn lazily(options: &DatabaseOptions) -> Result<ConnectionPool> {
    Ok(pooled(options, parsed(options)?))
}

fn parsed(options: &DatabaseOptions) -> Result<PgConnectOptions> {
    let connect = PgConnectOptions::from_str(&options.url).map_err(Error::internal)?;
    let connect = connect.options(settings(options));
    let connect = match &options.root_certificate {
        // sqlx would do without TLS where the server has none.
        Some(file) if !options.url.contains("sslmode=") => {
            connect.ssl_root_cert(file).ssl_mode(PgSslMode::VerifyFull)
        }
        Some(file) => connect.ssl_root_cert(file),
        None => connect,
    };
    Ok(options.log_statements(connect.statement_cache_capacity(PREPARED_STATEMENTS)))
}

/// The settings of each session.
fn settings(options: &DatabaseOptions) -> Vec<(&'static str, String)> {
    let timeout = options.statement_timeout;
    let timeout = timeout.map(|timeout| timeout.as_millis().to_string());
    let isolation = options.isolation.map(|it| it.name().to_owned());
    let settings = [
        ("search_path", options.search_path.clone()),
        ("statement_timeout", timeout),
        ("default_transaction_isolation", isolation),
    ];
    let set = settings.into_iter();
    set.filter_map(|(name, value)| Some((name, value?)))
        .collect()
}

fn pooled(options: &DatabaseOptions, connect: PgConnectOptions) -> ConnectionPool {
    let pool = pool_options(options)
        .after_connect(|connection, _| Box::pin(watch_client(connection)))
        .connect_lazy_with(connect);
    ConnectionPool::new(pool)
}
