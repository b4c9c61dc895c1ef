//! `ALTER TABLE` with all of its clauses, and the indexes that foreign keys need.

use super::super::names::foreign_key_name;
use super::super::table::{Column, Table};
use super::syntax::quote;

/// One statement: InnoDB makes all of its clauses or none.
pub(super) fn statement(table: &str, clauses: &[String]) -> String {
    let table = quote(table);
    format!("ALTER TABLE {table}\n    {};\n", clauses.join(",\n    "))
}

/// InnoDB requires an index for each foreign key. While a table has none of its own, as between the
/// removal of an index and the addition of a unique one, there is one under the constraint's name.
pub(super) fn support_indexes(before: &Table, after: &Table) -> Vec<String> {
    let (had, has) = (unsupported(before), unsupported(after));
    let name = |column: &Column| quote(&foreign_key_name(&after.name, &column.name));
    let contains = |all: &[&Column], column: &Column| all.iter().any(|one| one.name == column.name);
    let gone = had.iter().filter(|column| !contains(&has, column));
    let new = has.iter().filter(|column| !contains(&had, column));
    let gone = gone.map(|column| format!("DROP INDEX {}", name(column)));
    let new = new.map(|column| format!("ADD INDEX {} ({})", name(column), quote(&column.name)));
    gone.chain(new).collect()
}

/// Columns with a foreign key, with which no index of the table begins.
fn unsupported(table: &Table) -> Vec<&Column> {
    let begins = |column: &Column| {
        let indexes = table.indexes.iter().map(|index| &index.columns);
        let mut all = indexes.chain([&table.primary]);
        all.any(|columns| columns.first() == Some(&column.name))
    };
    let columns = table.columns.iter();
    let columns = columns.filter(|column| column.constraint().is_some() && !begins(column));
    columns.collect()
}
