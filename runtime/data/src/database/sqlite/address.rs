//! Addresses of databases: files, or memory.

use std::str::FromStr;

use sqlx::sqlite::SqliteConnectOptions;

use crate::error::{Error, Result};

/// Whether the database is a file that is not there yet.
pub fn is_missing(url: &str) -> Result<bool> {
    let options = SqliteConnectOptions::from_str(url).map_err(Error::internal)?;
    Ok(!is_in_memory(url) && !options.get_filename().exists())
}

pub(super) fn is_in_memory(url: &str) -> bool {
    url.contains(":memory:") || url.contains("mode=memory")
}
