//! Databases of tests: on the server of an address, beside the database it names.

use std::str::FromStr;

use sqlx::{ConnectOptions, postgres::PgConnectOptions};

use crate::{
    database::{DatabaseOptions, Db, quoted},
    error::{Error, Result},
};

/// Creates an empty database; returns its address.
pub async fn create(server: &str, name: &str) -> Result<String> {
    run(server, format!("CREATE DATABASE {}", quoted(name))).await?;
    let address = PgConnectOptions::from_str(server).map_err(Error::internal)?;
    Ok(address.database(name).to_url_lossy().into())
}

/// Drops the database with the connections to it.
pub async fn remove(server: &str, name: &str) -> Result<()> {
    run(
        server,
        format!("DROP DATABASE {} WITH (FORCE)", quoted(name)),
    )
    .await
}

async fn run(server: &str, sql: String) -> Result<()> {
    let db = Db::connect(&DatabaseOptions::new(server)).await?;
    let outcome = db.execute(sql, []).await;
    db.close().await;
    outcome.map(drop)
}
