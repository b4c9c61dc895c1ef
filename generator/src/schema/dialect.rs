//! How a database writes a change.

use super::difference::Difference;
use super::sql::{Down, Sql};
use super::table::{Column, Index, Table};
use super::was::StoredValue;

/// The SQL of one database.
pub(crate) trait Dialect {
    /// The table with its indexes.
    fn create_table(&self, table: &Table) -> String;

    /// The same, undone by its removal.
    fn creation(&self, table: &Table) -> Sql {
        let down = self.drop_table(&table.name, &[]).text;
        Sql::from(self.create_table(table)).undone_by(Ok(down))
    }

    /// Its removal. `pointing` are columns of other tables whose foreign keys still lead to it.
    fn drop_table(&self, table: &str, pointing: &[(String, Column)]) -> Sql;

    /// Another name for a table, and for its indexes, which are named after it.
    fn rename_table(&self, before: &Table, after: &Table) -> String;

    /// Another name for a column, and for its indexes.
    fn rename_column(&self, before: &Table, after: &Table, from: &str, to: &str) -> String;

    /// Another value for rows that hold this one.
    fn rename_value(&self, value: &StoredValue) -> String;

    /// Whether a new column needs no more than [`Dialect::add_column`].
    fn adds(&self, column: &Column) -> bool {
        !column.needs_value()
    }

    /// A column of a table that may hold rows, with the indexes of this column alone.
    fn add_column(&self, table: &Table, column: &Column, indexes: &[Index]) -> String;

    /// Whether a column goes with no more than [`Dialect::drop_column`].
    fn drops(&self, _table: &Table, _column: &Column) -> bool {
        true
    }

    /// The removal of a column with the indexes that contain it.
    fn drop_column(&self, table: &Table, column: &Column, indexes: &[Index]) -> Sql;

    /// The SQL that undoes [`Dialect::add_column`]. The runtime looks for values in the columns
    /// that single lines drop, so each statement is one.
    fn undo_column(&self, table: &Table, column: &Column, indexes: &[Index]) -> Down {
        match self.drops(table, column) {
            true => Ok(self.drop_column(table, column, indexes).text),
            false => Err("SQLite drops no column that a constraint of the table names"),
        }
    }

    /// An index of a table that does not have it yet.
    fn add_index(&self, table: &Table, index: &Index) -> String;

    /// Its removal from a table that has it.
    fn drop_index(&self, table: &Table, index: &Index) -> String;

    /// Whether [`Dialect::alter`] makes the table anew, so that it has to know all of it.
    fn rebuilds(&self, _alteration: &Alteration<'_>) -> bool {
        false
    }

    /// Everything else, at once, with every row kept: a table, or a key and what points to it.
    fn alter(&self, alterations: &[Alteration<'_>]) -> Sql;
}

/// A table that becomes another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Alteration<'a> {
    /// As it is.
    pub before: &'a Table,
    /// As it will be; its indexes are those of before that are left.
    pub after: &'a Table,
    /// The difference between both.
    pub difference: &'a Difference,
}
