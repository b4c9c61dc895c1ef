//! A row of an answer.

#[cfg(feature = "postgres")]
use super::postgres;
#[cfg(feature = "sqlite")]
use super::sqlite;
use super::stored::Stored;
use crate::{
    error::{Error, Result},
    value::Value,
};

/// A row of an answer, from one of the compiled drivers. Read by position.
pub enum Row {
    /// From SQLite.
    #[cfg(feature = "sqlite")]
    Sqlite(sqlx::sqlite::SqliteRow),
    /// From PostgreSQL.
    #[cfg(feature = "postgres")]
    Postgres(sqlx::postgres::PgRow),
}

#[cfg(feature = "sqlite")]
impl From<sqlx::sqlite::SqliteRow> for Row {
    fn from(row: sqlx::sqlite::SqliteRow) -> Self {
        Self::Sqlite(row)
    }
}

#[cfg(feature = "postgres")]
impl From<sqlx::postgres::PgRow> for Row {
    fn from(row: sqlx::postgres::PgRow) -> Self {
        Self::Postgres(row)
    }
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
            #[cfg(feature = "postgres")]
            Self::Postgres(row) => postgres::is_null(row, index),
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

    /// Whether true stands at a position, or an integer other than zero.
    ///
    /// # Errors
    /// When the database holds something else there.
    pub fn boolean(&self, index: usize) -> Result<bool> {
        match self.stored(index)? {
            Stored::Bool(value) => Ok(value),
            Stored::Int(value) => Ok(value != 0),
            _ => Err(self.unreadable(index, "true or false")),
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
            #[cfg(feature = "postgres")]
            Self::Postgres(row) => postgres::stored(row, index),
        }
    }

    /// Whatever stands at a position, as a value.
    ///
    /// # Errors
    /// When the row has no such column.
    pub fn value(&self, index: usize) -> Result<Value> {
        let value = self.stored(index)?.value();
        value.ok_or_else(|| self.unreadable(index, "a value"))
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
            #[cfg(feature = "postgres")]
            Self::Postgres(row) => sqlx::Row::len(row),
        }
    }

    /// The error for a value that is not what the model says.
    pub(crate) fn unreadable(&self, index: usize, expected: &str) -> Error {
        let name = match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(row) => sqlite::column_name(row, index),
            #[cfg(feature = "postgres")]
            Self::Postgres(row) => postgres::column_name(row, index),
        };
        Error::internal(format!("the column `{name}` does not hold {expected}"))
    }
}
