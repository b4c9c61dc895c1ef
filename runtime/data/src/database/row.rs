//! A row of an answer.

use sqlx::{Column as _, Row as _, ValueRef as _};

use super::stored::Stored;
use crate::{
    error::{Error, Result},
    value::{Json, Value},
};

/// A row of an answer, from one of the compiled drivers. Read by position.
pub enum Row {
    /// From SQLite.
    #[cfg(feature = "sqlite")]
    Sqlite(sqlx::sqlite::SqliteRow),
    /// From PostgreSQL.
    #[cfg(feature = "postgres")]
    Postgres(sqlx::postgres::PgRow),
    /// From MariaDB or MySQL.
    #[cfg(feature = "mysql")]
    Mysql(sqlx::mysql::MySqlRow),
}

macro_rules! row_from {
    ($feature:literal, $driver:ident($row:ty)) => {
        #[cfg(feature = $feature)]
        impl From<$row> for Row {
            fn from(row: $row) -> Self {
                Self::$driver(row)
            }
        }
    };
}

row_from!("sqlite", Sqlite(sqlx::sqlite::SqliteRow));
row_from!("postgres", Postgres(sqlx::postgres::PgRow));
row_from!("mysql", Mysql(sqlx::mysql::MySqlRow));

impl Row {
    /// Whether there is no value.
    ///
    /// # Errors
    /// When the row has no such column.
    pub fn is_null(&self, index: usize) -> Result<bool> {
        each!(self, row => Ok(row.try_get_raw(index).map_err(Error::internal)?.is_null()))
    }

    /// The integer at a position.
    ///
    /// # Errors
    /// When the database holds another type there.
    pub fn integer(&self, index: usize) -> Result<i64> {
        match self.stored(index)? {
            Stored::Int(value) => Ok(value),
            // Servers add integers up to an exact number.
            Stored::Decimal(value) if value.is_integer() => {
                i64::try_from(value).map_err(|_| self.unreadable(index, "an integer of 64 bits"))
            }
            _ => Err(self.unreadable(index, "an integer")),
        }
    }

    /// Whether the column at a position is true, or an integer other than zero.
    ///
    /// # Errors
    /// When the database holds another type there.
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
    /// When the database holds another type there.
    pub fn float(&self, index: usize) -> Result<f64> {
        match self.stored(index)? {
            Stored::Float(value) => Ok(value),
            Stored::Int(value) => Ok(value as f64),
            // Servers compute averages of integers as exact numbers.
            Stored::Decimal(value) => f64::try_from(value).map_err(Error::internal),
            _ => Err(self.unreadable(index, "a number")),
        }
    }

    /// The text at a position.
    ///
    /// # Errors
    /// When the database holds another type there.
    pub fn text(&self, index: usize) -> Result<&str> {
        match self.stored(index)? {
            Stored::Text(value) => Ok(value),
            _ => Err(self.unreadable(index, "text")),
        }
    }

    /// The list at a position: an array of the database's, or JSON.
    ///
    /// # Errors
    /// When the database holds another type there.
    pub(crate) fn list(&self, index: usize) -> Result<Vec<Json>> {
        #[cfg(feature = "postgres")]
        #[allow(irrefutable_let_patterns, reason = "depends on the compiled drivers")]
        if let Self::Postgres(row) = self {
            let raw = row.try_get_raw(index).map_err(Error::internal)?;
            if let Some(items) = super::postgres::items(raw).map_err(Error::Internal)? {
                return Ok(items);
            }
        }
        let items = serde_json::from_str(self.text(index)?);
        items.map_err(|_| self.unreadable(index, "a list"))
    }

    /// The text at a position; `None` for another type.
    ///
    /// # Errors
    /// When the row has no such column.
    pub fn opt_text(&self, index: usize) -> Result<Option<&str>> {
        Ok(match self.stored(index)? {
            Stored::Text(value) => Some(value),
            _ => None,
        })
    }

    /// The integer at a position; `None` for another type.
    ///
    /// # Errors
    /// When the row has no such column.
    pub fn opt_integer(&self, index: usize) -> Result<Option<i64>> {
        Ok(match self.stored(index)? {
            Stored::Int(value) => Some(value),
            _ => None,
        })
    }

    /// The column at a position, as the database holds it.
    ///
    /// # Errors
    /// When the row has no such column.
    pub fn stored(&self, index: usize) -> Result<Stored<'_>> {
        each!(self, row => {
            let raw = row.try_get_raw(index).map_err(Error::internal)?;
            if raw.is_null() {
                return Ok(Stored::Null);
            }
            Stored::try_from(raw).map_err(Error::Internal)
        })
    }

    /// The column at a position, as a value.
    ///
    /// # Errors
    /// When the row has no such column.
    pub fn value(&self, index: usize) -> Result<Value> {
        let value = self.stored(index)?.value();
        value.ok_or_else(|| self.unreadable(index, "a value"))
    }

    /// The position of the column of this name.
    ///
    /// # Errors
    /// 500 where there is none.
    pub fn position(&self, column: &str) -> Result<usize> {
        let position: Option<usize> =
            each!(self, row => row.columns().iter().position(|it| it.name() == column));
        position.ok_or_else(|| Error::internal(format!("the row has no column `{column}`")))
    }

    /// All values.
    pub(crate) fn values(&self) -> Result<Vec<Value>> {
        (0..self.len()).map(|index| self.value(index)).collect()
    }

    /// How many columns it has.
    pub(crate) fn len(&self) -> usize {
        each!(self, row => row.len())
    }

    /// The error for a value of another type than the model's.
    pub(crate) fn unreadable(&self, index: usize, expected: &str) -> Error {
        let name: Option<&str> = each!(self, row => row.columns().get(index).map(|it| it.name()));
        let name = name.map_or_else(|| index.to_string(), str::to_owned);
        Error::internal(format!("the column `{name}` does not hold {expected}"))
    }
}

/// The same expression for the driver that a value is of. Without a driver there is no value.
macro_rules! each {
    ($value:expr, $inner:ident => $call:expr) => {
        match $value {
            #[cfg(feature = "sqlite")]
            Self::Sqlite($inner) => $call,
            #[cfg(feature = "postgres")]
            Self::Postgres($inner) => $call,
            #[cfg(feature = "mysql")]
            Self::Mysql($inner) => $call,
            #[cfg(not(any(feature = "sqlite", feature = "postgres", feature = "mysql")))]
            _ => unreachable!(),
        }
    };
}

pub(super) use each;
