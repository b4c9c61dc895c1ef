//! Connecting to a server.

use std::{str::FromStr, time::Duration};

use sqlx::{
    AssertSqlSafe, MySql, MySqlConnection,
    mysql::{MySqlConnectOptions, MySqlSslMode},
};

use super::{fault::fault, pool::ConnectionPool};
use crate::{
    database::{
        options::{DatabaseOptions, Isolation, PREPARED_STATEMENTS},
        server::{check_connects, pool_options},
    },
    error::{Error, Result},
};

/// Settings of each session. MariaDB and MySQL name the exact collation that does not pad texts with
/// spaces differently; `SIMULTANEOUS_ASSIGNMENT` is MariaDB's alone.
///
/// A statement of the runtime means the same on each database because of them.
const SESSION: &str = "SET NAMES utf8mb4; \
    SET autocommit = 1, time_zone = '+00:00', group_concat_max_len = 4294967295, \
    collation_connection = IF(VERSION() LIKE '%MariaDB%', 'utf8mb4_nopad_bin', 'utf8mb4_0900_bin'), \
    sql_mode = CONCAT('ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES,\
ERROR_FOR_DIVISION_BY_ZERO,NO_ZERO_DATE,NO_ZERO_IN_DATE,NO_AUTO_VALUE_ON_ZERO,\
NO_ENGINE_SUBSTITUTION', IF(VERSION() LIKE '%MariaDB%', ',SIMULTANEOUS_ASSIGNMENT', ''))";

/// Connects to the server, so that a wrong address is known at the start.
pub async fn connect(options: &DatabaseOptions) -> Result<ConnectionPool> {
    let connect = parsed(options)?;
    let server = (connect.get_host(), connect.get_port());
    check_connects(&connect, server, fault).await?;
    Ok(pooled(options, connect))
}

/// The pool alone: the first statement connects.
#[cfg(not(any(feature = "sqlite", feature = "postgres")))]
pub fn lazily(options: &DatabaseOptions) -> Result<ConnectionPool> {
    Ok(pooled(options, parsed(options)?))
}

fn parsed(options: &DatabaseOptions) -> Result<MySqlConnectOptions> {
    if options.search_path.is_some() {
        let message = "`database.search_path` is a setting of PostgreSQL; here the address names the database";
        return Err(Error::internal(message));
    }
    let connect = MySqlConnectOptions::from_str(&options.url).map_err(Error::internal)?;
    let connect = match &options.root_certificate {
        // sqlx would do without TLS where the server has none.
        Some(file)
            if !["sslmode=", "ssl-mode="]
                .iter()
                .any(|it| options.url.contains(it)) =>
        {
            connect.ssl_ca(file).ssl_mode(MySqlSslMode::VerifyIdentity)
        }
        Some(file) => connect.ssl_ca(file),
        None => connect,
    };
    // `SESSION` says all that sqlx would say with these.
    let connect = connect
        .pipes_as_concat(false)
        .no_engine_substitution(false)
        .timezone(None)
        .set_names(false)
        .statement_cache_capacity(PREPARED_STATEMENTS);
    Ok(options.log_statements(connect))
}

fn pooled(options: &DatabaseOptions, connect: MySqlConnectOptions) -> ConnectionPool {
    let session = session(options);
    let timeout = options.statement_timeout;
    let pool = pool_options::<MySql>(options)
        .after_connect(move |connection, _| {
            let session = session.clone();
            Box::pin(async move {
                run(connection, session).await?;
                match timeout {
                    Some(timeout) => limit_statements(connection, timeout).await,
                    None => Ok(()),
                }
            })
        })
        .connect_lazy_with(connect);
    ConnectionPool::new(pool)
}

/// The statements that begin a session. Locks of rows are waited for as long as connections are:
/// the server's default is 50 seconds.
fn session(options: &DatabaseOptions) -> String {
    let isolation = options.isolation.unwrap_or(Isolation::ReadCommitted);
    let isolation = isolation.name().to_ascii_uppercase();
    let seconds = options.acquire_timeout.as_secs().max(1);
    format!(
        "{SESSION}; SET SESSION TRANSACTION ISOLATION LEVEL {isolation}; \
         SET innodb_lock_wait_timeout = {seconds}"
    )
}

/// Sets how long a statement may take: MariaDB counts seconds, MySQL milliseconds of a SELECT.
async fn limit_statements(connection: &mut MySqlConnection, longest: Duration) -> sqlx::Result<()> {
    let asked = sqlx::query_scalar::<_, String>("SELECT VERSION()");
    let version = asked.fetch_one(&mut *connection).await?;
    let sql = match version.contains("MariaDB") {
        true => format!("SET max_statement_time = {}", longest.as_secs_f64()),
        false => format!("SET max_execution_time = {}", longest.as_millis()),
    };
    run(connection, sql).await
}

/// Runs statements without values.
pub(super) async fn run(connection: &mut MySqlConnection, sql: String) -> sqlx::Result<()> {
    let set = sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection);
    set.await.map(drop)
}
