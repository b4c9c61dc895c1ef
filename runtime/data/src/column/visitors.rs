//! Visitors of columns: the trait, and one for each task of the runtime.

use super::{Column, ColumnInfo, Key};
use crate::{
    database::Row,
    error::Result,
    value::{DateTime, Value},
};

/// A visitor of a model's columns: it reads, writes, fills or names them.
///
/// Models implement one method, `columns`, with one line per column; all operations on columns are
/// visitors.
pub trait Columns {
    /// A column.
    ///
    /// # Errors
    /// The error of the visitor.
    fn column<T: Column>(&mut self, name: &'static str, field: &mut T) -> Result<()>;

    /// The primary key.
    ///
    /// # Errors
    /// As [`Columns::column`].
    fn key<K: Key>(&mut self, name: &'static str, field: &mut K) -> Result<()> {
        self.column(name, field)
    }

    /// A column with `storage: native`: a decimal that is stored as the database's own number, a text
    /// that is one of its enums, a list that is one of its arrays.
    ///
    /// # Errors
    /// As [`Columns::column`].
    fn native<T: Column>(&mut self, name: &'static str, field: &mut T) -> Result<()> {
        self.column(name, field)
    }

    /// The column `created_at`, which the runtime sets.
    ///
    /// # Errors
    /// As [`Columns::column`].
    fn created_at(&mut self, field: &mut Option<DateTime>) -> Result<()> {
        self.column("created_at", field)
    }

    /// The column `updated_at`, which the runtime sets.
    ///
    /// # Errors
    /// As [`Columns::column`].
    fn updated_at(&mut self, field: &mut Option<DateTime>) -> Result<()> {
        self.column("updated_at", field)
    }
}

/// Names and kinds, in the order of the SELECT.
#[derive(Default)]
pub struct Describe {
    pub(crate) columns: Vec<ColumnInfo>,
    pub(crate) created_at: bool,
    pub(crate) updated_at: bool,
}

impl Describe {
    fn add<T: Column>(&mut self, name: &'static str, native: bool) {
        self.columns.push(ColumnInfo {
            name,
            kind: T::KIND,
            nullable: T::NULLABLE,
            native,
        });
    }
}

impl Columns for Describe {
    fn column<T: Column>(&mut self, name: &'static str, _field: &mut T) -> Result<()> {
        self.add::<T>(name, false);
        Ok(())
    }

    fn native<T: Column>(&mut self, name: &'static str, _field: &mut T) -> Result<()> {
        self.add::<T>(name, true);
        Ok(())
    }

    fn created_at(&mut self, field: &mut Option<DateTime>) -> Result<()> {
        self.created_at = true;
        self.column("created_at", field)
    }

    fn updated_at(&mut self, field: &mut Option<DateTime>) -> Result<()> {
        self.updated_at = true;
        self.column("updated_at", field)
    }
}

/// Reads a row by position: the SELECT lists the columns in the same order.
pub struct Read<'r> {
    row: &'r Row,
    index: usize,
}

impl<'r> Read<'r> {
    /// Before the first column.
    pub fn new(row: &'r Row) -> Self {
        Self { row, index: 0 }
    }

    fn next(&mut self) -> usize {
        self.index += 1;
        self.index - 1
    }
}

impl Columns for Read<'_> {
    fn column<T: Column>(&mut self, _name: &'static str, field: &mut T) -> Result<()> {
        *field = T::read(self.row, self.next())?;
        Ok(())
    }

    fn native<T: Column>(&mut self, _name: &'static str, field: &mut T) -> Result<()> {
        *field = T::read_native(self.row, self.next())?;
        Ok(())
    }
}

/// All values, in the order of the SELECT.
#[derive(Default)]
pub struct Values(pub Vec<Value>);

impl Columns for Values {
    fn column<T: Column>(&mut self, _name: &'static str, field: &mut T) -> Result<()> {
        self.0.push(field.value());
        Ok(())
    }

    fn native<T: Column>(&mut self, _name: &'static str, field: &mut T) -> Result<()> {
        self.0.push(field.native_value());
        Ok(())
    }
}

/// The value of one column.
pub struct Pick<'n> {
    pub(crate) name: &'n str,
    pub(crate) value: Option<Value>,
}

impl Columns for Pick<'_> {
    fn column<T: Column>(&mut self, name: &'static str, field: &mut T) -> Result<()> {
        if name == self.name {
            self.value = Some(field.value());
        }
        Ok(())
    }
}

/// The key's value; or, given one, sets it.
#[derive(Default)]
pub struct KeyOf {
    /// The key.
    pub value: Value,
    /// Give a new record the key the service makes, where it makes one.
    pub(crate) generate: bool,
    /// The key that the database counted.
    pub(crate) counted: Option<i64>,
}

impl Columns for KeyOf {
    fn column<T: Column>(&mut self, _name: &'static str, _field: &mut T) -> Result<()> {
        Ok(())
    }

    fn key<K: Key>(&mut self, _name: &'static str, field: &mut K) -> Result<()> {
        if let Some(key) = K::generate().filter(|_| self.generate && *field == K::default()) {
            *field = key;
        }
        if let Some(key) = self.counted.and_then(K::counted) {
            *field = key;
        }
        // A key that is not set is left to the database.
        self.value = if *field == K::default() {
            Value::Null
        } else {
            field.value()
        };
        Ok(())
    }
}

/// Sets the moments the runtime keeps.
pub struct Stamp {
    pub(crate) now: DateTime,
    pub(crate) created: bool,
}

impl Columns for Stamp {
    fn column<T: Column>(&mut self, _name: &'static str, _field: &mut T) -> Result<()> {
        Ok(())
    }

    fn created_at(&mut self, field: &mut Option<DateTime>) -> Result<()> {
        if self.created {
            field.get_or_insert(self.now);
        }
        Ok(())
    }

    fn updated_at(&mut self, field: &mut Option<DateTime>) -> Result<()> {
        if !self.created || field.is_none() {
            *field = Some(self.now);
        }
        Ok(())
    }
}

/// Sets an owner column, whether it may be null or not.
pub struct Owned<'n> {
    pub(crate) column: &'n str,
    pub(crate) owner: i64,
    pub(crate) set: bool,
}

impl Columns for Owned<'_> {
    fn column<T: Column>(&mut self, name: &'static str, field: &mut T) -> Result<()> {
        if name != self.column {
            return Ok(());
        }
        if let Ok(owner) = T::from_json(&self.owner.into()) {
            *field = owner;
            self.set = true;
        }
        Ok(())
    }
}
