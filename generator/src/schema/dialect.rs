//! How a database writes a change.

use super::convert::Casts;
use super::difference::Difference;
use super::names::{index_name, list};
use super::sql::{Down, Sql};
use super::table::{Column, Index, Part, Table};
use super::was::StoredValue;
use crate::column;

/// The SQL of one database.
pub(crate) trait Dialect: Casts {
    /// The table with its indexes.
    fn create_table(&self, table: &Table) -> String;

    /// Its removal. `pointing` are columns of other tables whose foreign keys still lead to it.
    fn drop_table(&self, table: &str, pointing: &[(String, Column)]) -> Sql;

    /// Another name for a table, and for its indexes, which are named after it.
    fn rename_table(&self, before: &Table, after: &Table) -> String;

    /// Another name for a column, and for its indexes.
    fn rename_column(&self, before: &Table, after: &Table, from: &str, to: &str) -> String;

    /// Another value for rows that hold this one.
    fn rename_value(&self, value: &StoredValue) -> String {
        let (table, column) = (self.quote(&value.table), self.quote(&value.column));
        let [from, to] = [&value.from, &value.to].map(|text| column::text(self.database(), text));
        format!("UPDATE {table} SET {column} = {to} WHERE {column} = {from};\n")
    }

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
    fn add_index(&self, table: &Table, index: &Index) -> String {
        let unique = if index.unique { "UNIQUE " } else { "" };
        let name = self.quote(&index_name(&table.name, index));
        let columns = list(&index.columns, |name| self.quote(name));
        format!(
            "CREATE {unique}INDEX {name} ON {} ({columns});\n",
            self.quote(&table.name)
        )
    }

    /// Its removal from a table that has it.
    fn drop_index(&self, table: &Table, index: &Index) -> String {
        let name = index_name(&table.name, index);
        format!("DROP INDEX {};\n", self.quote(&name))
    }

    /// Whether [`Dialect::alter`] makes the table anew, so that it has to know all of it.
    fn rebuilds(&self, _alteration: &Alteration) -> bool {
        false
    }

    /// Everything else, at once, with every row kept: a table, or a key and what points to it.
    fn alter(&self, alterations: &[Alteration]) -> Sql;
}

/// A table that becomes another.
#[derive(Debug, Clone)]
pub(crate) struct Alteration {
    /// As it is.
    pub before: Table,
    /// As it will be; its indexes are those of before that are left.
    pub after: Table,
    /// The difference between both.
    pub difference: Difference,
}

impl Alteration {
    /// Compares two states of a table.
    pub fn new(before: Table, after: Table) -> Self {
        let difference = Difference::between(&before, &after);
        Self {
            before,
            after,
            difference,
        }
    }

    /// Returns the change back.
    pub fn reversed(&self) -> Self {
        Self::new(self.after.clone(), self.before.clone())
    }

    /// Returns the indexes that only one of both states has.
    pub fn indexes(&self) -> Vec<Index> {
        let indexes = self
            .before
            .indexes
            .symmetric_difference(&self.after.indexes);
        indexes.cloned().collect()
    }

    /// Returns the table afterwards. Its parts that differ were touched by the migration of this version.
    pub fn into_altered(self, version: i64) -> Table {
        let columns = self.difference.columns();
        let columns = columns.map(|column| Part::Column(column.name.clone()));
        let parts: Vec<Part> = columns
            .chain(self.indexes().into_iter().map(Part::Index))
            .collect();
        let mut after = self.after;
        after.touch(parts, version);
        after
    }
}
