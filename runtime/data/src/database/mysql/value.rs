//! Values on their way into MariaDB or MySQL and out of it.

use chrono::NaiveDateTime;
use rust_decimal::Decimal;
use sqlx::{
    Arguments as _, Decode, MySql, TypeInfo, ValueRef,
    error::BoxDynError,
    mysql::{MySqlArguments, MySqlValueRef},
};

use crate::{
    database::{fault::Fault, stored::Stored},
    error::Error,
    value::{
        Json, Value,
        text::{whole_seconds, without_leap_second},
    },
};

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
        // MySQL would round half a second up, to 24:00:00 at worst.
        Value::Time(value) => arguments.add(whole_seconds(value)),
        Value::DateTime(value) => arguments.add(without_leap_second(value).naive_utc()),
        Value::Json(value) => arguments.add(value.to_string()),
        Value::Array(items) => arguments.add(Json::from(items).to_string()),
        // Its text: sqlx's own form is sixteen bytes.
        Value::Uuid(value) => arguments.add(value.to_string()),
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
            "DECIMAL" => decimal(read(raw)?).map_or(Self::Other, Self::Decimal),
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

/// The number that a text says; `None` where it has more than 28 digits before the point.
fn decimal(text: &str) -> Option<Decimal> {
    let digits = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text,
    };
    digits.parse().ok()
}

fn read<'r, T: Decode<'r, MySql>>(raw: MySqlValueRef<'r>) -> Result<T, BoxDynError> {
    T::decode(raw)
}
