//! Opening a database.

use std::{path::Path, str::FromStr, time::Duration};

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};

use super::{address::is_in_memory, pool::ConnectionPool};
use crate::{
    database::options::{DatabaseOptions, PREPARED_STATEMENTS, Synchronous},
    error::{Error, Result},
};

/// How long a statement waits for another writer.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Opens the database; a file is made, and its directory, where there is none.
pub async fn connect(options: &DatabaseOptions) -> Result<ConnectionPool> {
    let in_memory = is_in_memory(&options.url);
    let connect = SqliteConnectOptions::from_str(&options.url)
        .map_err(Error::internal)?
        .foreign_keys(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(match options.synchronous {
            Synchronous::Normal => SqliteSynchronous::Normal,
            Synchronous::Full => SqliteSynchronous::Full,
        })
        .busy_timeout(BUSY_TIMEOUT)
        .statement_cache_capacity(PREPARED_STATEMENTS)
        .with_regexp();
    let connect = options.log_statements(connect);
    if !in_memory {
        make_directory(connect.get_filename())?;
    }
    let mut options = options.clone();
    if in_memory {
        // In memory, connections share locks: a writer would block readers.
        options.max = 1;
    }
    let url = options.url.clone();
    let pool = ConnectionPool::open(connect, options).await;
    pool.map_err(|fault| {
        Error::internal(format!(
            "the database `{url}` cannot be opened: {}",
            Error::from(fault)
        ))
    })
}

fn make_directory(file: &Path) -> Result<()> {
    match file
        .parent()
        .filter(|directory| !directory.as_os_str().is_empty())
    {
        Some(directory) => std::fs::create_dir_all(directory).map_err(|error| {
            let shown = directory.display();
            Error::internal(format!("the directory `{shown}` cannot be made: {error}"))
        }),
        None => Ok(()),
    }
}
