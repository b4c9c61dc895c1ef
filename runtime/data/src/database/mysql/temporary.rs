//! Databases of tests: on the server of an address, beside the database it names.

use std::str::FromStr;

use sqlx::{ConnectOptions, mysql::MySqlConnectOptions};

use crate::{
    database::{DatabaseOptions, Db, quoted},
    error::{Error, Result},
    value::Value,
};

/// The address of a database on the same server.
pub fn address(server: &str, name: &str) -> Result<String> {
    let address = MySqlConnectOptions::from_str(server).map_err(Error::internal)?;
    Ok(address.database(name).to_url_lossy().into())
}

/// Drops the database with the connections to it: an open transaction would be waited for.
pub async fn remove(server: &str, name: &str) -> Result<()> {
    let db = Db::connect(&DatabaseOptions::new(server)).await?;
    let users = "SELECT ID FROM information_schema.PROCESSLIST WHERE DB = ?";
    for row in db.rows(users, [name.into()]).await? {
        if let Some(user) = row.first().and_then(Value::as_int) {
            // It may have left by itself meanwhile.
            let _ = db.execute(format!("KILL {user}"), []).await;
        }
    }
    let dropped = db
        .execute(format!("DROP DATABASE {}", quoted(name)), [])
        .await;
    db.close().await;
    dropped.map(drop)
}
