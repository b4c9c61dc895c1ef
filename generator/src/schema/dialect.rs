//! How a database writes a change.

use super::difference::Difference;
use super::sql::Sql;
use super::table::{Column, Index, Table};
use super::was::StoredValue;

/// The SQL of one database.
pub(crate) trait Dialect {
    /// The table with its indexes.
    fn create_table(&self, table: &Table) -> String;

    /// Its removal.
    fn drop_table(&self, table: &str) -> Sql;

    /// Another name for a table, and for its indexes, which are named after it.
    fn rename_table(&self, before: &Table, after: &Table) -> String;

    /// Another name for a column, and for its indexes.
    fn rename_column(&self, before: &Table, after: &Table, from: &str, to: &str) -> String;

    /// Another value for rows that hold this one.
    fn rename_value(&self, value: &StoredValue) -> String;

    /// Whether a new column needs no more than [`Dialect::add_column`].
    fn adds(&self, column: &Column) -> bool;

    /// A column of a table that may hold rows.
    fn add_column(&self, table: &str, column: &Column) -> String;

    /// Whether a column goes with no more than [`Dialect::drop_column`].
    fn drops(&self, table: &Table, column: &Column) -> bool;

    /// The removal of a column whose indexes are gone.
    fn drop_column(&self, table: &str, column: &str) -> Sql;

    /// An index.
    fn add_index(&self, table: &str, index: &Index) -> String;

    /// Its removal.
    fn drop_index(&self, table: &str, index: &Index) -> String;

    /// Whether [`Dialect::alter`] makes the table anew, so that it has to know all of it.
    fn rebuilds(&self, alteration: &Alteration<'_>) -> bool;

    /// Everything else, at once, with every row kept.
    fn alter(&self, alteration: &Alteration<'_>) -> Sql;
}

/// A table that becomes another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Alteration<'a> {
    /// As it is.
    pub before: &'a Table,
    /// As it will be; its indexes are those of before that are left.
    pub after: &'a Table,
    /// What differs.
    pub difference: &'a Difference,
}
