//! Walking over the columns of a model.

use super::{definition::Column, key::Key};
use crate::{error::Result, value::DateTime};

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
