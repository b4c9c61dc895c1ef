//! Keys that link rows to records.

use super::Value;

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
