//! From a database to its [`Catalogue`].

mod arguments;
mod keys;
mod kinds;
mod looks;
mod mysql;
mod postgres;
mod reader;
mod sqlite;

use std::time::Duration;

use anyhow::{Context as _, Result};

use self::looks::Looks;
use self::reader::Reader;
pub use self::reader::Reading;
use super::catalogue::{Catalogue, CatalogueTable, Unreachable};
use crate::error::Refused;
use crate::exit::Exit;
use crate::project::Database;

/// How long reading the catalogue may take, and an answer may be late after a look.
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

/// Reads the catalogue of a database. Nothing is written there.
///
/// # Errors
/// A URL of no known kind; what connecting or reading failed with.
pub fn catalogue(reading: &Reading<'_>) -> Result<Catalogue> {
    let database = database(reading.url)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("the runtime of the drivers")?;
    let read = runtime.block_on(async {
        match database {
            Database::Sqlite => tables(sqlite::connect(reading), reading).await,
            Database::Postgres => tables(postgres::connect(reading), reading).await,
            Database::Mysql => tables(mysql::connect(reading), reading).await,
        }
    });
    let (mut tables, unreachable) = read.context("cannot read the database")?;
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

/// Reads tables, and looks at their rows.
async fn tables<R: Reader>(
    connecting: impl Future<Output = Result<R>>,
    reading: &Reading<'_>,
) -> Result<(Vec<CatalogueTable>, Vec<Unreachable>)> {
    let mut reader = in_time(TIME_LIMIT, connecting).await??;
    let reading_catalogue = reader.read(reading.tables);
    let (wanted, mut unreachable) = in_time(TIME_LIMIT, reading_catalogue).await??;
    let is_view = |table: &CatalogueTable| table.is_view;
    let (mut views, mut wanted): (Vec<_>, Vec<_>) = wanted.into_iter().partition(is_view);
    let looking = async {
        let mut looks = Looks::within(reading.looks);
        // Views, which may be slow, leave the tables their time.
        for tables in [&mut wanted, &mut views] {
            unreachable.extend(reader.look(tables, &mut looks).await);
        }
    };
    in_time(reading.looks.saturating_add(TIME_LIMIT), looking).await?;
    wanted.extend(views);
    Ok((wanted, unreachable))
}

async fn in_time<T>(time: Duration, work: impl Future<Output = T>) -> Result<T> {
    let seconds = time.as_secs();
    let answer = tokio::time::timeout(time, work).await;
    answer.with_context(|| format!("the database did not answer within {seconds} seconds"))
}
