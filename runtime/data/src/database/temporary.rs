//! Databases of tests: empty, beside another one, and removed afterwards.

use super::driver::{scheme, unknown};
#[cfg(feature = "mysql")]
use super::mysql;
#[cfg(feature = "postgres")]
use super::postgres;
#[cfg(feature = "sqlite")]
use super::sqlite;
#[cfg(any(feature = "postgres", feature = "mysql"))]
use super::{DatabaseOptions, Db, quoted};
use crate::error::Result;

/// Creates an empty database by the driver of the address `beside`: a file in the folder for
/// temporary files, or a database on the same server. Returns its address.
///
/// # Errors
/// 500 where no driver was compiled for the address, or the server refuses.
pub async fn create_temporary(beside: &str, name: &str) -> Result<String> {
    match scheme(beside) {
        #[cfg(feature = "sqlite")]
        "sqlite" => Ok(sqlite::temporary::address(name)),
        #[cfg(feature = "postgres")]
        "postgres" | "postgresql" => {
            run(beside, format!("CREATE DATABASE {}", quoted(name))).await?;
            postgres::temporary::address(beside, name)
        }
        #[cfg(feature = "mysql")]
        // Its collation is set when its first table is made.
        "mysql" | "mariadb" => {
            run(beside, format!("CREATE DATABASE {}", quoted(name))).await?;
            mysql::temporary::address(beside, name)
        }
        scheme => Err(unknown(scheme)),
    }
}

/// Removes what [`create_temporary`] created with the same arguments.
///
/// # Errors
/// As [`create_temporary`].
pub async fn remove_temporary(beside: &str, name: &str) -> Result<()> {
    match scheme(beside) {
        #[cfg(feature = "sqlite")]
        "sqlite" => sqlite::temporary::remove(name),
        #[cfg(feature = "postgres")]
        "postgres" | "postgresql" => run(beside, postgres::temporary::removal(name)).await?,
        #[cfg(feature = "mysql")]
        "mysql" | "mariadb" => mysql::temporary::remove(beside, name).await?,
        scheme => return Err(unknown(scheme)),
    }
    Ok(())
}

/// Runs a statement on a server, in a connection of its own.
#[cfg(any(feature = "postgres", feature = "mysql"))]
async fn run(server: &str, sql: String) -> Result<()> {
    let db = Db::connect(&DatabaseOptions::new(server)).await?;
    let outcome = db.execute(sql, []).await;
    db.close().await;
    outcome.map(drop)
}
