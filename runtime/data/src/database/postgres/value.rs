//! Values on their way into PostgreSQL and out of it.

use chrono::NaiveDateTime;
use sqlx::{
    Arguments as _, Column, Decode, Postgres, Row as _, TypeInfo, ValueRef,
    error::BoxDynError,
    postgres::{PgArguments, PgRow, PgTypeKind, PgValueRef},
    types::Json,
};

use crate::{
    database::{fault::Fault, stored::Stored},
    error::{Error, Result},
    value::Value,
};

/// The values of a statement, but for nulls, which stand in its text.
pub(super) fn arguments(values: Vec<Value>) -> Result<PgArguments, Fault> {
    let mut arguments = PgArguments::default();
    for value in values {
        add(&mut arguments, value).map_err(|error| Fault::Other(Error::internal(error)))?;
    }
    Ok(arguments)
}

fn add(arguments: &mut PgArguments, value: Value) -> Result<(), BoxDynError> {
    match value {
        Value::Null => Ok(()),
        Value::Bool(value) => arguments.add(value),
        Value::Int(value) => arguments.add(value),
        Value::Float(value) => arguments.add(value),
        Value::Text(value) => arguments.add(value),
        Value::Decimal(value) | Value::Native(value) => arguments.add(value),
        Value::Date(value) => arguments.add(value),
        Value::Time(value) => arguments.add(value),
        Value::DateTime(value) => arguments.add(value),
        Value::Json(value) => arguments.add(Json(value)),
        Value::Uuid(value) => arguments.add(value),
    }
}

pub fn is_null(row: &PgRow, index: usize) -> Result<bool> {
    Ok(row.try_get_raw(index).map_err(Error::internal)?.is_null())
}

pub fn stored(row: &PgRow, index: usize) -> Result<Stored<'_>> {
    let raw = row.try_get_raw(index).map_err(Error::internal)?;
    if raw.is_null() {
        return Ok(Stored::Null);
    }
    decoded(raw).map_err(Error::Internal)
}

fn decoded(raw: PgValueRef<'_>) -> Result<Stored<'_>, BoxDynError> {
    let kind = raw.type_info().into_owned();
    Ok(match kind.name() {
        "BOOL" => Stored::Bool(read(raw)?),
        "INT2" => Stored::Int(read::<i16>(raw)?.into()),
        "INT4" => Stored::Int(read::<i32>(raw)?.into()),
        "INT8" => Stored::Int(read(raw)?),
        "FLOAT4" => Stored::Float(read::<f32>(raw)?.into()),
        "FLOAT8" => Stored::Float(read(raw)?),
        "NUMERIC" => Stored::Decimal(read(raw)?),
        "DATE" => Stored::Date(read(raw)?),
        "TIME" => Stored::Time(read(raw)?),
        "TIMESTAMPTZ" => Stored::DateTime(read(raw)?),
        "TIMESTAMP" => Stored::DateTime(read::<NaiveDateTime>(raw)?.and_utc()),
        "UUID" => Stored::Uuid(read(raw)?),
        "TEXT" | "VARCHAR" | "CHAR" | "NAME" | "UNKNOWN" => Stored::Text(read(raw)?),
        "JSON" => Stored::Text(raw.as_str()?),
        "JSONB" => Stored::Text(jsonb(raw.as_bytes()?)?),
        _ if matches!(kind.kind(), PgTypeKind::Enum(_)) => Stored::Text(raw.as_str()?),
        _ => Stored::Other,
    })
}

fn read<'r, T: Decode<'r, Postgres>>(raw: PgValueRef<'r>) -> Result<T, BoxDynError> {
    T::decode(raw)
}

/// The text behind the version of the format.
fn jsonb(bytes: &[u8]) -> Result<&str, BoxDynError> {
    match bytes {
        [1, text @ ..] => Ok(std::str::from_utf8(text)?),
        _ => Err("jsonb in an unknown format".into()),
    }
}

pub fn column_name(row: &PgRow, index: usize) -> String {
    row.columns()
        .get(index)
        .map_or_else(|| index.to_string(), |column| column.name().to_owned())
}
