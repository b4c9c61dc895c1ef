//! The SQLite driver: connections, values and rows.

mod pool;

use std::{path::Path, str::FromStr, time::Duration};

use sqlx::{
    Column, ConnectOptions, Decode, Row as _, Sqlite, SqliteConnection, TypeInfo, ValueRef,
    sqlite::{
        SqliteArguments, SqliteConnectOptions, SqliteJournalMode, SqliteRow, SqliteSynchronous,
    },
};

pub(crate) use pool::{ConnectionPool, PooledConnection};

use super::{DatabaseOptions, Done, Fault, Row, Sql, Stored};
use crate::{
    error::{Error, Result},
    value::{Value, date_text, datetime_text, time_text},
};

/// How long a statement waits for another writer.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Prepared statements kept by each connection.
const STATEMENTS: usize = 256;

/// Opens the database; a file is made, and its directory, where there is none.
pub(super) async fn connect(options: &DatabaseOptions) -> Result<ConnectionPool> {
    let in_memory = is_in_memory(&options.url);
    let connect = SqliteConnectOptions::from_str(&options.url)
        .map_err(Error::internal)?
        .foreign_keys(true)
        .journal_mode(SqliteJournalMode::Wal)
        // With a write-ahead log this loses nothing when the program dies, only with the power.
        .synchronous(SqliteSynchronous::Normal)
        .busy_timeout(BUSY_TIMEOUT)
        .statement_cache_capacity(STATEMENTS)
        .disable_statement_logging();
    if !in_memory {
        make_directory(connect.get_filename())?;
    }
    let mut options = options.clone();
    if in_memory {
        // In memory, connections share what is locked: one that writes refuses those that read.
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

/// Whether the database is a file that is not there yet.
///
/// # Errors
/// 500 where the URL is none of SQLite's.
pub fn is_missing(url: &str) -> Result<bool> {
    let options = SqliteConnectOptions::from_str(url).map_err(Error::internal)?;
    Ok(!is_in_memory(url) && !options.get_filename().exists())
}

fn is_in_memory(url: &str) -> bool {
    url.contains(":memory:") || url.contains("mode=memory")
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

/// Begins a transaction that writes: it takes the write lock at once, so that it never has to
/// give up half way for one that came in between.
pub(super) async fn begin(connection: &mut SqliteConnection) -> Result<(), Fault> {
    command(connection, "BEGIN IMMEDIATE").await
}

/// Makes what was done since [`begin`] last. A connection that is dropped without it is rolled back.
pub(super) async fn commit(mut connection: PooledConnection) -> Result<(), Fault> {
    command(&mut connection, "COMMIT").await?;
    connection.done();
    Ok(())
}

async fn command(connection: &mut SqliteConnection, sql: &'static str) -> Result<(), Fault> {
    let done = sqlx::query(sql).execute(connection).await;
    done.map(drop).map_err(Fault::of)
}

/// All rows of a statement.
pub async fn fetch(
    connection: &mut SqliteConnection,
    sql: Sql,
    values: Vec<Value>,
) -> Result<Vec<Row>, Fault> {
    let query = sqlx::query_with(sql.0, arguments(values)?);
    let rows = query.fetch_all(connection).await.map_err(Fault::of)?;
    Ok(rows.into_iter().map(Row::Sqlite).collect())
}

/// The first row of a statement; it is not asked for more.
pub async fn first(
    connection: &mut SqliteConnection,
    sql: Sql,
    values: Vec<Value>,
) -> Result<Option<Row>, Fault> {
    let query = sqlx::query_with(sql.0, arguments(values)?);
    let row = query.fetch_optional(connection).await.map_err(Fault::of)?;
    Ok(row.map(Row::Sqlite))
}

/// What a statement without rows did.
pub async fn perform(
    connection: &mut SqliteConnection,
    sql: Sql,
    values: Vec<Value>,
) -> Result<Done, Fault> {
    let query = sqlx::query_with(sql.0, arguments(values)?);
    let done = query.execute(connection).await.map_err(Fault::of)?;
    Ok(Done {
        rows: done.rows_affected(),
        counted: done.last_insert_rowid(),
    })
}

fn arguments(values: Vec<Value>) -> Result<SqliteArguments, Fault> {
    let mut arguments = SqliteArguments::default();
    for value in values {
        let added = match plain(value)? {
            Value::Int(value) => sqlx::Arguments::add(&mut arguments, value),
            Value::Float(value) => sqlx::Arguments::add(&mut arguments, value),
            Value::Text(value) => sqlx::Arguments::add(&mut arguments, value),
            _ => sqlx::Arguments::add(&mut arguments, None::<i64>),
        };
        added.map_err(|error| Fault::Other(Error::internal(error)))?;
    }
    Ok(arguments)
}

/// A value as SQLite stores it: nothing, an integer, a float or text.
pub fn plain(value: Value) -> Result<Value> {
    Ok(match value {
        Value::Bool(value) => Value::Int(i64::from(value)),
        Value::Decimal(value) => Value::Int(
            // The number is at its column's scale: its digits are what is stored.
            i64::try_from(value.mantissa())
                .map_err(|_| Error::internal("a decimal exceeds 18 digits"))?,
        ),
        // The column's numeric affinity makes a number of it.
        Value::Native(value) => Value::Text(value.to_string()),
        Value::Date(value) => Value::Text(date_text(value)),
        Value::Time(value) => Value::Text(time_text(value)),
        Value::DateTime(value) => Value::Text(datetime_text(value)),
        Value::Json(value) => Value::Text(value.to_string()),
        Value::Uuid(value) => Value::Text(value.to_string()),
        plain @ (Value::Null | Value::Int(_) | Value::Float(_) | Value::Text(_)) => plain,
    })
}

pub(super) fn is_null(row: &SqliteRow, index: usize) -> Result<bool> {
    Ok(row.try_get_raw(index).map_err(Error::internal)?.is_null())
}

pub(super) fn stored(row: &SqliteRow, index: usize) -> Result<Stored<'_>> {
    let raw = row.try_get_raw(index).map_err(Error::internal)?;
    if raw.is_null() {
        return Ok(Stored::Null);
    }
    let kind = raw.type_info();
    let stored = match kind.name() {
        "INTEGER" | "BOOLEAN" => <i64 as Decode<Sqlite>>::decode(raw).map(Stored::Int),
        "REAL" | "NUMERIC" => <f64 as Decode<Sqlite>>::decode(raw).map(Stored::Float),
        "TEXT" | "DATE" | "TIME" | "DATETIME" => {
            <&str as Decode<Sqlite>>::decode(raw).map(Stored::Text)
        }
        _ => Ok(Stored::Other),
    };
    stored.map_err(Error::Internal)
}

pub(super) fn column_name(row: &SqliteRow, index: usize) -> String {
    row.columns()
        .get(index)
        .map_or_else(|| index.to_string(), |column| column.name().to_owned())
}
