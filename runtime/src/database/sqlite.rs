//! The SQLite driver: connections, values and rows.

use std::{path::Path, str::FromStr, time::Duration};

use sqlx::{
    Column, ConnectOptions, Decode, Executor, Row as _, Sqlite, SqlitePool, TypeInfo, ValueRef,
    pool::PoolOptions,
    sqlite::{
        SqliteArguments, SqliteConnectOptions, SqliteJournalMode, SqliteRow, SqliteSynchronous,
    },
};

use super::{DatabaseOptions, Done, Fault, Row, Sql, Stored};
use crate::{
    error::{Error, Result},
    value::{Value, date_text, datetime_text, time_text},
};

/// How long a statement waits for another writer.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Prepared statements kept by each connection.
const STATEMENTS: usize = 256;

/// Opens a pool; a file is made, and its directory, where there is none.
pub(super) async fn connect(options: &DatabaseOptions) -> Result<SqlitePool> {
    let in_memory = is_in_memory(&options.url);
    let connect = SqliteConnectOptions::from_str(&options.url)
        .map_err(Error::internal)?
        .create_if_missing(true)
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
    let pool = PoolOptions::<Sqlite>::new()
        .acquire_timeout(options.acquire_timeout)
        // A file does not go away, as a server may: asking each time costs a round trip.
        .test_before_acquire(false)
        .max_lifetime(None);
    let pool = if in_memory {
        // Each connection would be a database of its own, and closing it the end of it.
        pool.max_connections(1)
            .min_connections(1)
            .idle_timeout(None)
    } else {
        pool.max_connections(options.max.max(1))
            .min_connections(options.min)
            .idle_timeout(options.idle_timeout)
    };
    pool.connect_with(connect).await.map_err(|error| {
        Error::internal(format!(
            "the database `{}` cannot be opened: {error}",
            options.url
        ))
    })
}

/// Whether the database is a file that is not there yet.
///
/// # Errors
/// 500 where the URL is none of SQLite's.
pub(crate) fn is_missing(url: &str) -> Result<bool> {
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
pub(super) async fn begin(pool: &SqlitePool) -> Result<sqlx::Transaction<'static, Sqlite>, Fault> {
    pool.begin_with("BEGIN IMMEDIATE").await.map_err(Fault::of)
}

pub(super) async fn fetch<'c>(
    executor: impl Executor<'c, Database = Sqlite>,
    sql: Sql,
    values: Vec<Value>,
) -> Result<Vec<Row>, Fault> {
    let query = sqlx::query_with(sql.0, arguments(values)?);
    let rows = query.fetch_all(executor).await.map_err(Fault::of)?;
    Ok(rows.into_iter().map(Row::Sqlite).collect())
}

pub(super) async fn perform<'c>(
    executor: impl Executor<'c, Database = Sqlite>,
    sql: Sql,
    values: Vec<Value>,
) -> Result<Done, Fault> {
    let query = sqlx::query_with(sql.0, arguments(values)?);
    let done = query.execute(executor).await.map_err(Fault::of)?;
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
pub(crate) fn plain(value: Value) -> Result<Value> {
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
