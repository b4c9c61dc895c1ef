//! Values on their way into SQLite and out of it.

use sqlx::{
    Decode, Sqlite, TypeInfo, ValueRef,
    error::BoxDynError,
    sqlite::{SqliteArguments, SqliteValueRef},
};

use crate::{
    database::{fault::Fault, stored::Stored},
    error::Error,
    value::{Json, Value, date_text, datetime_text, time_text},
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

/// A value as SQLite stores it: null, an integer, a float or text.
fn plain(value: Value) -> Result<Value, Error> {
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
        Value::Label(value) => Value::Text(value),
        Value::Array(items) => Value::Text(Json::from(items).to_string()),
        Value::Uuid(value) => Value::Text(value.to_string()),
        plain @ (Value::Null | Value::Int(_) | Value::Float(_) | Value::Text(_)) => plain,
    })
}

impl<'r> TryFrom<SqliteValueRef<'r>> for Stored<'r> {
    type Error = BoxDynError;

    fn try_from(raw: SqliteValueRef<'r>) -> Result<Self, BoxDynError> {
        let kind = raw.type_info();
        match kind.name() {
            "INTEGER" | "BOOLEAN" => <i64 as Decode<Sqlite>>::decode(raw).map(Self::Int),
            "REAL" | "NUMERIC" => <f64 as Decode<Sqlite>>::decode(raw).map(Self::Float),
            "TEXT" | "DATE" | "TIME" | "DATETIME" => {
                <&str as Decode<Sqlite>>::decode(raw).map(Self::Text)
            }
            _ => Ok(Self::Other),
        }
    }
}
