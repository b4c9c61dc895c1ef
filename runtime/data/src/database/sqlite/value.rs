//! Values on their way into SQLite and out of it.

use sqlx::{
    Column, Decode, Row as _, Sqlite, TypeInfo, ValueRef,
    sqlite::{SqliteArguments, SqliteRow},
};

use crate::{
    database::{fault::Fault, stored::Stored},
    error::{Error, Result},
    value::{Value, date_text, datetime_text, time_text},
};

pub(super) fn arguments(values: Vec<Value>) -> Result<SqliteArguments, Fault> {
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
fn plain(value: Value) -> Result<Value> {
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

pub fn is_null(row: &SqliteRow, index: usize) -> Result<bool> {
    Ok(row.try_get_raw(index).map_err(Error::internal)?.is_null())
}

pub fn stored(row: &SqliteRow, index: usize) -> Result<Stored<'_>> {
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

pub fn column_name(row: &SqliteRow, index: usize) -> String {
    row.columns()
        .get(index)
        .map_or_else(|| index.to_string(), |column| column.name().to_owned())
}
