//! A row of an answer.

use crate::{
    error::{Error, Result},
    value::Value,
};

use super::sqlite;

/// A row of an answer, from one of the compiled drivers. Read by position.
pub enum Row {
    /// From SQLite.
    #[cfg(feature = "sqlite")]
    Sqlite(sqlx::sqlite::SqliteRow),
}

/// What the database holds in a place, as it stores it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stored<'r> {
    /// Nothing.
    Null,
    /// An integer.
    Int(i64),
    /// A floating point number.
    Float(f64),
    /// Text.
    Text(&'r str),
    /// Something else, such as bytes.
    Other,
}

impl Row {
    /// Whether there is no value.
    ///
    /// # Errors
    /// When the row has no such column.
    pub fn is_null(&self, index: usize) -> Result<bool> {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(row) => sqlite::is_null(row, index),
        }
    }

    /// The integer at a position.
    ///
    /// # Errors
    /// When the database holds something else there.
    pub fn integer(&self, index: usize) -> Result<i64> {
        match self.stored(index)? {
            Stored::Int(value) => Ok(value),
            _ => Err(self.unreadable(index, "an integer")),
        }
    }

    /// The floating point number at a position.
    ///
    /// # Errors
    /// When the database holds something else there.
    pub fn float(&self, index: usize) -> Result<f64> {
        match self.stored(index)? {
            Stored::Float(value) => Ok(value),
            Stored::Int(value) => Ok(value as f64),
            _ => Err(self.unreadable(index, "a number")),
        }
    }

    /// The text at a position.
    ///
    /// # Errors
    /// When the database holds something else there.
    pub fn text(&self, index: usize) -> Result<&str> {
        match self.stored(index)? {
            Stored::Text(value) => Ok(value),
            _ => Err(self.unreadable(index, "text")),
        }
    }

    /// The text at a position; nothing where something else stands there.
    ///
    /// # Errors
    /// When the row has no such column.
    pub fn opt_text(&self, index: usize) -> Result<Option<&str>> {
        Ok(match self.stored(index)? {
            Stored::Text(value) => Some(value),
            _ => None,
        })
    }

    /// The integer at a position; nothing where something else stands there.
    ///
    /// # Errors
    /// When the row has no such column.
    pub fn opt_integer(&self, index: usize) -> Result<Option<i64>> {
        Ok(match self.stored(index)? {
            Stored::Int(value) => Some(value),
            _ => None,
        })
    }

    /// Whatever stands at a position.
    ///
    /// # Errors
    /// When the row has no such column.
    pub fn stored(&self, index: usize) -> Result<Stored<'_>> {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(row) => sqlite::stored(row, index),
        }
    }

    /// Whatever stands at a position, as a value.
    ///
    /// # Errors
    /// When the row has no such column.
    pub fn value(&self, index: usize) -> Result<Value> {
        match self.stored(index)? {
            Stored::Null => Ok(Value::Null),
            Stored::Int(value) => Ok(Value::Int(value)),
            Stored::Float(value) => Ok(Value::Float(value)),
            Stored::Text(value) => Ok(Value::Text(value.to_owned())),
            Stored::Other => Err(self.unreadable(index, "a value")),
        }
    }

    /// All values.
    pub(crate) fn values(&self) -> Result<Vec<Value>> {
        (0..self.len()).map(|index| self.value(index)).collect()
    }

    /// How many columns it has.
    pub(crate) fn len(&self) -> usize {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(row) => sqlx::Row::len(row),
        }
    }

    /// The error for a value that is not what the model says.
    pub(crate) fn unreadable(&self, index: usize, expected: &str) -> Error {
        let name = match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(row) => sqlite::column_name(row, index),
        };
        Error::internal(format!("the column `{name}` does not hold {expected}"))
    }
}
