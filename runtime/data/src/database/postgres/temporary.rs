//! Databases of tests: on the server of an address, beside the database it names.

use std::str::FromStr;

use sqlx::{ConnectOptions, postgres::PgConnectOptions};

use crate::{
    database::quoted,
    error::{Error, Result},
};

/// The address of a database on the same server.
pub fn address(server: &str, name: &str) -> Result<String> {
    let address = PgConnectOptions::from_str(server).map_err(Error::internal)?;
    Ok(address.database(name).to_url_lossy().into())
}

/// The statement that drops a database with the connections to it.
pub fn removal(name: &str) -> String {
    format!("DROP DATABASE {} WITH (FORCE)", quoted(name))
}
