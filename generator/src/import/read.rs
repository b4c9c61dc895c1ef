//! From a database to its [`Catalogue`].

mod arguments;
mod kinds;
mod mysql;
mod postgres;
mod sqlite;

use std::time::Duration;

use anyhow::{Context as _, Result};

use super::catalogue::Catalogue;
use crate::error::Refused;
use crate::exit::Exit;
use crate::project::Database;

/// How long reading may take.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// The kind of database that a URL names.
///
/// # Errors
/// A refusal for a URL of no known kind.
pub fn database(url: &str) -> Result<Database, Refused> {
    let scheme = url.split(':').next().unwrap_or_default();
    match scheme {
        "sqlite" => Ok(Database::Sqlite),
        "postgres" | "postgresql" => Ok(Database::Postgres),
        "mysql" | "mariadb" => Ok(Database::Mysql),
        _ => {
            let problem = "--database-url: unknown kind of database";
            let help =
                "write `sqlite://shop.db`, `postgres://user@host/shop` or `mysql://user@host/shop`";
            Err(Refused::new(Exit::Usage, problem).with_help(help))
        }
    }
}

/// Reads the catalogue of the database at `url`. Nothing is written there. PostgreSQL looks for
/// tables in the schemas of `search_path`.
///
/// # Errors
/// A URL of no known kind; what connecting or reading failed with.
pub fn catalogue(url: &str, search_path: Option<&str>) -> Result<Catalogue> {
    let database = database(url)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("the runtime of the drivers")?;
    let tables = runtime.block_on(async {
        let reading = async {
            match database {
                Database::Sqlite => sqlite::tables(url).await,
                Database::Postgres => postgres::tables(url, search_path).await,
                Database::Mysql => Ok((mysql::tables(url).await?, Vec::new())),
            }
        };
        tokio::time::timeout(TIME_LIMIT, reading)
            .await
            .context("the database did not answer within a minute")?
    });
    let (mut tables, unreachable) = tables.context("cannot read the database")?;
    for column in tables.iter_mut().flat_map(|table| &mut table.columns) {
        column.longest = arguments::Declared::parse(&column.declared).longest();
    }
    tables.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(Catalogue {
        database,
        tables,
        unreachable,
    })
}
