//! Values as databases hold them.

use crate::value::{Date, DateTime, Time, Uuid, Value};

/// A value of the database, as its driver reads it. JSON is text.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Stored<'r> {
    /// Null.
    Null,
    /// True or false, where the database has a type for it.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A floating point number.
    Float(f64),
    /// An exact number, where the database has a type for it.
    Decimal(rust_decimal::Decimal),
    /// Text.
    Text(&'r str),
    /// A day, where the database has a type for it.
    Date(Date),
    /// A time of day, where the database has a type for it.
    Time(Time),
    /// A moment, where the database has a type for it.
    DateTime(DateTime),
    /// A UUID, where the database has a type for it.
    Uuid(Uuid),
    /// Something else, such as bytes.
    Other,
}

impl Stored<'_> {
    /// The value; `None` for a type that no column holds.
    pub(super) fn value(self) -> Option<Value> {
        Some(match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::Bool(value),
            Self::Int(value) => Value::Int(value),
            Self::Float(value) => Value::Float(value),
            Self::Decimal(value) => Value::Native(value),
            Self::Text(value) => Value::Text(value.to_owned()),
            Self::Date(value) => Value::Date(value),
            Self::Time(value) => Value::Time(value),
            Self::DateTime(value) => Value::DateTime(value),
            Self::Uuid(value) => Value::Uuid(value),
            Self::Other => return None,
        })
    }
}
