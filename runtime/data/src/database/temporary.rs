//! Databases of tests: empty, beside another one, and removed afterwards.

#[cfg(any(feature = "postgres", feature = "mysql"))]
use std::str::FromStr;
#[cfg(feature = "sqlite")]
use std::{env, fs, path::PathBuf};

#[cfg(any(feature = "postgres", feature = "mysql"))]
use sqlx::ConnectOptions;
#[cfg(feature = "mysql")]
use sqlx::mysql::MySqlConnectOptions;
#[cfg(feature = "postgres")]
use sqlx::postgres::PgConnectOptions;

use super::driver::{scheme, unknown};
#[cfg(any(feature = "postgres", feature = "mysql"))]
use super::{DatabaseOptions, Db, quoted};
#[cfg(any(feature = "postgres", feature = "mysql"))]
use crate::error::Error;
use crate::error::Result;

/// Creates an empty database by the driver of the address `beside`: a file in the folder for
/// temporary files, or a database on the same server. Returns its address.
///
/// # Errors
/// 500 where no driver was compiled for the address, or the server refuses.
pub async fn create_temporary(beside: &str, name: &str) -> Result<String> {
    match scheme(beside) {
        #[cfg(feature = "sqlite")]
        "sqlite" => Ok(format!("sqlite://{}", file(name).display())),
        #[cfg(feature = "postgres")]
        "postgres" | "postgresql" => {
            run(beside, format!("CREATE DATABASE {}", quoted(name))).await?;
            let address = PgConnectOptions::from_str(beside).map_err(Error::internal)?;
            Ok(address.database(name).to_url_lossy().into())
        }
        #[cfg(feature = "mysql")]
        // Its collation is set when its first table is made.
        "mysql" | "mariadb" => {
            run(beside, format!("CREATE DATABASE {}", quoted(name))).await?;
            let address = MySqlConnectOptions::from_str(beside).map_err(Error::internal)?;
            Ok(address.database(name).to_url_lossy().into())
        }
        scheme => Err(unknown(scheme)),
    }
}

/// Removes what [`create_temporary`] created with the same arguments, and the connections to it: an
/// open transaction would be waited for.
///
/// # Errors
/// As [`create_temporary`].
pub async fn remove_temporary(beside: &str, name: &str) -> Result<()> {
    match scheme(beside) {
        #[cfg(feature = "sqlite")]
        "sqlite" => {
            for tail in ["", "-wal", "-shm"] {
                let mut path = file(name).into_os_string();
                path.push(tail);
                // Not every database has all three.
                let _ = fs::remove_file(path);
            }
        }
        #[cfg(feature = "postgres")]
        "postgres" | "postgresql" => {
            let sql = format!("DROP DATABASE {} WITH (FORCE)", quoted(name));
            run(beside, sql).await?;
        }
        #[cfg(feature = "mysql")]
        "mysql" | "mariadb" => {
            let db = Db::connect(&DatabaseOptions::new(beside)).await?;
            let users = "SELECT ID FROM information_schema.PROCESSLIST WHERE DB = ?";
            for row in db.rows(users, [name.into()]).await? {
                if let Some(user) = row.first().and_then(crate::value::Value::as_int) {
                    // It may have left by itself meanwhile.
                    let _ = db.execute(format!("KILL {user}"), []).await;
                }
            }
            db.close().await;
            run(beside, format!("DROP DATABASE {}", quoted(name))).await?;
        }
        scheme => return Err(unknown(scheme)),
    }
    Ok(())
}

#[cfg(feature = "sqlite")]
fn file(name: &str) -> PathBuf {
    env::temp_dir().join(format!("{name}.sqlite"))
}

/// Runs a statement on a server, in a connection of its own.
#[cfg(any(feature = "postgres", feature = "mysql"))]
async fn run(server: &str, sql: String) -> Result<()> {
    let db = Db::connect(&DatabaseOptions::new(server)).await?;
    let outcome = db.execute(sql, []).await;
    db.close().await;
    outcome.map(drop)
}
