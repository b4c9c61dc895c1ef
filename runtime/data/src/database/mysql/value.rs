//! Values on their way into MariaDB or MySQL and out of it.

use chrono::{NaiveDateTime, Timelike};
use sqlx::{
    Arguments as _, Decode, MySql, TypeInfo, ValueRef,
    error::BoxDynError,
    mysql::{MySqlArguments, MySqlValueRef},
};

use crate::{
    database::{fault::Fault, stored::Stored},
    error::Error,
    value::{Json, Value},
};

/// The last microsecond of a second, in nanoseconds.
const LAST_MICROSECOND: u32 = 999_999_000;

/// The values of a statement.
pub(super) fn arguments(values: Vec<Value>) -> Result<MySqlArguments, Fault> {
    let mut arguments = MySqlArguments::default();
    for value in values {
        add(&mut arguments, value).map_err(|error| Fault::Other(Error::internal(error)))?;
    }
    Ok(arguments)
}

fn add(arguments: &mut MySqlArguments, value: Value) -> Result<(), BoxDynError> {
    match value {
        // Every type of column takes a text that is null; a UUID refuses an integer.
        Value::Null => arguments.add(None::<String>),
        Value::Bool(value) => arguments.add(value),
        Value::Int(value) => arguments.add(value),
        Value::Float(value) => arguments.add(value),
        Value::Text(value) | Value::Label(value) => arguments.add(value),
        Value::Decimal(value) | Value::Native(value) => arguments.add(value),
        Value::Date(value) => arguments.add(value),
        // A `TIME` column has whole seconds. MySQL would round half a second up, to 24:00:00 at
        // worst.
        Value::Time(value) => arguments.add(value.with_nanosecond(0).unwrap_or(value)),
        Value::DateTime(value) => arguments.add(moment(value.naive_utc())),
        Value::Json(value) => arguments.add(value.to_string()),
        Value::Array(items) => arguments.add(Json::from(items).to_string()),
        // Its text: sqlx's own form is sixteen bytes.
        Value::Uuid(value) => arguments.add(value.to_string()),
    }
}

/// A leap second is the moment before it, as on SQLite.
fn moment(value: NaiveDateTime) -> NaiveDateTime {
    match value.nanosecond() {
        0..1_000_000_000 => value,
        _ => value.with_nanosecond(LAST_MICROSECOND).unwrap_or(value),
    }
}

impl<'r> TryFrom<MySqlValueRef<'r>> for Stored<'r> {
    type Error = BoxDynError;

    fn try_from(raw: MySqlValueRef<'r>) -> Result<Self, BoxDynError> {
        let kind = raw.type_info().into_owned();
        Ok(match kind.name() {
            // There is no type for true and false: `BOOLEAN` is `TINYINT(1)`.
            "BOOLEAN" | "TINYINT" | "SMALLINT" | "MEDIUMINT" | "INT" | "BIGINT" => {
                Self::Int(read(raw)?)
            }
            "TINYINT UNSIGNED" | "SMALLINT UNSIGNED" | "MEDIUMINT UNSIGNED" | "INT UNSIGNED"
            | "BIGINT UNSIGNED" | "BIT" | "YEAR" => Self::Int(i64::try_from(read::<u64>(raw)?)?),
            "FLOAT" => Self::Float(read::<f32>(raw)?.into()),
            "DOUBLE" => Self::Float(read(raw)?),
            "DECIMAL" => Self::Decimal(read(raw)?),
            "DATE" => Self::Date(read(raw)?),
            "TIME" => Self::Time(read(raw)?),
            "DATETIME" | "TIMESTAMP" => Self::DateTime(read::<NaiveDateTime>(raw)?.and_utc()),
            // Columns whose collation compares bytes are called binary too.
            "CHAR" | "VARCHAR" | "TINYTEXT" | "TEXT" | "MEDIUMTEXT" | "LONGTEXT" | "BINARY"
            | "VARBINARY" | "TINYBLOB" | "BLOB" | "MEDIUMBLOB" | "LONGBLOB" | "ENUM" | "SET"
            | "JSON" => std::str::from_utf8(read(raw)?).map_or(Self::Other, Self::Text),
            _ => Self::Other,
        })
    }
}

fn read<'r, T: Decode<'r, MySql>>(raw: MySqlValueRef<'r>) -> Result<T, BoxDynError> {
    T::decode(raw)
}
