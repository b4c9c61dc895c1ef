//! Values on their way into PostgreSQL and out of it.

use chrono::NaiveDateTime;
use sqlx::{
    Arguments as _, Decode, Postgres, TypeInfo, ValueRef,
    error::BoxDynError,
    postgres::{PgArguments, PgTypeKind, PgValueRef},
    types::Json,
};

use crate::{
    database::{fault::Fault, stored::Stored},
    error::Error,
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

impl<'r> TryFrom<PgValueRef<'r>> for Stored<'r> {
    type Error = BoxDynError;

    fn try_from(raw: PgValueRef<'r>) -> Result<Self, BoxDynError> {
        let kind = raw.type_info().into_owned();
        Ok(match kind.name() {
            "BOOL" => Self::Bool(read(raw)?),
            "INT2" => Self::Int(read::<i16>(raw)?.into()),
            "INT4" => Self::Int(read::<i32>(raw)?.into()),
            "INT8" => Self::Int(read(raw)?),
            "FLOAT4" => Self::Float(read::<f32>(raw)?.into()),
            "FLOAT8" => Self::Float(read(raw)?),
            "NUMERIC" => Self::Decimal(read(raw)?),
            "DATE" => Self::Date(read(raw)?),
            "TIME" => Self::Time(read(raw)?),
            "TIMESTAMPTZ" => Self::DateTime(read(raw)?),
            "TIMESTAMP" => Self::DateTime(read::<NaiveDateTime>(raw)?.and_utc()),
            "UUID" => Self::Uuid(read(raw)?),
            "TEXT" | "VARCHAR" | "CHAR" | "NAME" | "UNKNOWN" => Self::Text(read(raw)?),
            "JSON" => Self::Text(raw.as_str()?),
            "JSONB" => Self::Text(jsonb(raw.as_bytes()?)?),
            _ if matches!(kind.kind(), PgTypeKind::Enum(_)) => Self::Text(raw.as_str()?),
            _ => Self::Other,
        })
    }
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
