//! Databases of tests: empty, beside another one, and removed afterwards.

use super::driver::{scheme, unknown};
#[cfg(feature = "postgres")]
use super::postgres;
#[cfg(feature = "sqlite")]
use super::sqlite;
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
        "postgres" | "postgresql" => postgres::temporary::create(beside, name).await,
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
        "postgres" | "postgresql" => postgres::temporary::remove(beside, name).await?,
        scheme => return Err(unknown(scheme)),
    }
    Ok(())
}
