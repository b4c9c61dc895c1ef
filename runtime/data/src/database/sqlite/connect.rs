//! Addresses of databases (files, or memory), and opening them.

use std::{
    path::{Component, Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};

use super::pool::ConnectionPool;
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
    let pool = ConnectionPool::open(connect, options, in_memory).await;
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

/// Whether the database is a file that is not there yet.
pub fn is_missing(url: &str) -> Result<bool> {
    let options = SqliteConnectOptions::from_str(url).map_err(Error::internal)?;
    Ok(!is_in_memory(url) && !options.get_filename().exists())
}

fn is_in_memory(url: &str) -> bool {
    url.contains(":memory:") || url.contains("mode=memory")
}

/// The address with its file below `root`, where the file is relative.
pub fn rooted(url: &str, root: &Path) -> String {
    let Some(rest) = url.strip_prefix("sqlite:") else {
        return url.to_owned();
    };
    let rest = rest.strip_prefix("//").unwrap_or(rest);
    let (file, options) = rest
        .split_once('?')
        .map_or((rest, ""), |(file, rest)| (file, rest));
    let path = Path::new(file);
    if file.is_empty() || file.starts_with(":memory:") || path.is_absolute() {
        return url.to_owned();
    }
    let within = path.components().filter(|part| *part != Component::CurDir);
    let file = root.join(within.collect::<PathBuf>());
    let options = if options.is_empty() {
        String::new()
    } else {
        format!("?{options}")
    };
    format!("sqlite://{}{options}", file.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_file_lies_below_the_root() {
        let root = Path::new("/srv/bistro");
        for (url, expected) in [
            (
                "sqlite://data/app.sqlite",
                "sqlite:///srv/bistro/data/app.sqlite",
            ),
            (
                "sqlite:./app.sqlite?mode=ro",
                "sqlite:///srv/bistro/app.sqlite?mode=ro",
            ),
            ("sqlite:///var/app.sqlite", "sqlite:///var/app.sqlite"),
            ("sqlite::memory:", "sqlite::memory:"),
        ] {
            assert_eq!(rooted(url, root), expected, "{url}");
        }
    }
}
