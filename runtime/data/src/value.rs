//! Values on their way between models and the database.

pub(crate) mod text;

use std::fmt;

use crate::decimal::Decimal;

/// A value of JSON, of any shape.
pub type Json = serde_json::Value;
pub(crate) use text::plain_datetime_text;
pub use text::{
    Date, DateTime, Time, date_text, datetime_text, parse_date, parse_datetime, parse_time,
    time_text,
};
pub use uuid::Uuid;

/// A value of any column type.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// No value.
    #[default]
    Null,
    /// True or false.
    Bool(bool),
    /// An integer of up to 64 bits.
    Int(i64),
    /// A floating point number.
    Float(f64),
    /// Text.
    Text(String),
    /// A decimal at its column's scale; databases without decimals store the scaled integer.
    Decimal(rust_decimal::Decimal),
    /// A decimal in a column with `storage: native`.
    Native(rust_decimal::Decimal),
    /// A text in a column with `storage: native`, whose type the database alone knows: an enum of
    /// PostgreSQL's.
    Label(String),
    /// A list in a column with `storage: native`: an array of PostgreSQL's, JSON elsewhere.
    Array(Vec<Json>),
    /// A day.
    Date(Date),
    /// A time of day.
    Time(Time),
    /// A moment.
    DateTime(DateTime),
    /// JSON.
    Json(Json),
    /// A UUID.
    Uuid(Uuid),
}

impl Value {
    /// Whether there is no value.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The integer, if this is one.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(value) => Some(*value),
            Self::Bool(value) => Some(i64::from(*value)),
            _ => None,
        }
    }

    /// The text, if this is text.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(value) | Self::Label(value) => Some(value),
            _ => None,
        }
    }

    /// Whether this is true, or an integer other than zero.
    pub fn is_true(&self) -> bool {
        self.as_int().is_some_and(|value| value != 0)
    }
}

/// The value as text, as JSON would show it; empty for null.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => Ok(()),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value}"),
            Self::Text(value) | Self::Label(value) => f.write_str(value),
            Self::Decimal(value) | Self::Native(value) => write!(f, "{value}"),
            Self::Date(value) => f.write_str(&date_text(*value)),
            Self::Time(value) => f.write_str(&time_text(*value)),
            Self::DateTime(value) => f.write_str(&datetime_text(*value)),
            Self::Json(value) => write!(f, "{value}"),
            Self::Array(items) => f.write_str(&Json::from(items.clone()).to_string()),
            Self::Uuid(value) => write!(f, "{value}"),
        }
    }
}

/// Shown as the field of that type would be.
impl serde::Serialize for Value {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_none(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Int(value) => serializer.serialize_i64(*value),
            Self::Float(value) => serializer.serialize_f64(*value),
            Self::Text(value) | Self::Label(value) => serializer.serialize_str(value),
            Self::Decimal(value) | Self::Native(value) => serializer.collect_str(value),
            Self::Date(value) => value.serialize(serializer),
            Self::Time(value) => value.serialize(serializer),
            Self::DateTime(value) => value.serialize(serializer),
            Self::Json(value) => value.serialize(serializer),
            Self::Array(items) => items.serialize(serializer),
            Self::Uuid(value) => value.serialize(serializer),
        }
    }
}

macro_rules! value_from {
    ($($type:ty => |$value:ident| $made:expr;)*) => {$(
        impl From<$type> for Value {
            fn from($value: $type) -> Self {
                $made
            }
        }
    )*};
}

value_from! {
    bool => |value| Self::Bool(value);
    i32 => |value| Self::Int(value.into());
    i64 => |value| Self::Int(value);
    u32 => |value| Self::Int(value.into());
    f64 => |value| Self::Float(value);
    &str => |value| Self::Text(value.to_owned());
    String => |value| Self::Text(value);
    &String => |value| Self::Text(value.clone());
    Date => |value| Self::Date(value);
    Time => |value| Self::Time(value);
    DateTime => |value| Self::DateTime(value);
    Json => |value| Self::Json(value);
    Uuid => |value| Self::Uuid(value);
}

impl<const S: u32> From<Decimal<S>> for Value {
    fn from(value: Decimal<S>) -> Self {
        Self::Decimal(value.number())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// A value that links rows to records.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum LinkKey {
    /// An integer key.
    Int(i64),
    /// Any other key, as text.
    Text(String),
}

impl LinkKey {
    /// The key a value is; `None` for null.
    pub fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Null => None,
            Value::Int(value) => Some(Self::Int(*value)),
            Value::Bool(value) => Some(Self::Int(i64::from(*value))),
            Value::Text(value) => Some(Self::Text(value.clone())),
            other => Some(Self::Text(other.to_string())),
        }
    }

    /// The key as a value.
    pub fn value(&self) -> Value {
        match self {
            Self::Int(value) => Value::Int(*value),
            Self::Text(value) => Value::Text(value.clone()),
        }
    }
}
