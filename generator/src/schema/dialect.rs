//! How a database writes a change.

use super::sqlite::Sqlite;
use super::table::{Column, Index, Table};
use crate::project::Database;

/// The SQL of one database.
pub(crate) trait Dialect {
    /// The table with its indexes.
    fn create_table(&self, table: &Table) -> String;

    /// A column of a table that may hold rows.
    fn add_column(&self, table: &str, column: &Column) -> String;

    /// An index.
    fn add_index(&self, table: &str, index: &Index) -> String;

    /// Its removal.
    fn drop_index(&self, table: &str, index: &Index) -> String;

    /// Whether a new column may carry its constraint in a table that may hold rows.
    fn constrains_added(&self, column: &Column) -> bool;
}

/// The dialect of a database; `None` where it is not written yet.
pub(crate) fn dialect(database: Database) -> Option<&'static dyn Dialect> {
    match database {
        Database::Sqlite => Some(&Sqlite),
        Database::Postgres | Database::Mysql => None,
    }
}
