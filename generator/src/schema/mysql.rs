//! MySQL and MariaDB. Both commit DDL by themselves, so that a migration can stop half way: each
//! statement is a change of its own that is made as a whole or not at all, and can be repeated where
//! it changes rows (docs/adr/0011-migrations-on-servers.md).

mod alter;
mod casts;
mod syntax;

use super::dialect::{Alteration, Dialect};
use super::names::{Renamed, index_name};
use super::sql::{Down, Sql};
use super::table::{Column, Index, Table};
pub(crate) use casts::Mysql;
use syntax::{
    constraint, declared, definition, drop_foreign_key, index_line, quote, statement,
    support_indexes,
};

impl Dialect for Mysql {
    fn create_table(&self, table: &Table) -> String {
        definition(table)
    }

    fn drop_table(&self, table: &str, pointing: &[(String, Column)]) -> Sql {
        let keys = pointing.iter();
        let keys =
            keys.map(|(table, column)| statement(table, &[drop_foreign_key(table, &column.name)]));
        let mut sql = Sql::from(keys.collect::<String>());
        sql.push(Sql::losing(format!("DROP TABLE {};\n", quote(table))));
        sql
    }

    fn rename_table(&self, before: &Table, after: &Table) -> String {
        let (from, to) = (quote(&before.name), quote(&after.name));
        format!(
            "ALTER TABLE {from} RENAME TO {to};\n{}",
            renames(before, after, None)
        )
    }

    fn rename_column(&self, before: &Table, after: &Table, from: &str, to: &str) -> String {
        let clause = format!("RENAME COLUMN {} TO {}", quote(from), quote(to));
        statement(&after.name, &[clause]) + &renames(before, after, Some((from, to)))
    }

    fn add_column(&self, table: &Table, column: &Column, indexes: &[Index]) -> String {
        let mut clauses = vec![format!("ADD COLUMN {}", declared(column))];
        let lines = indexes.iter().map(|index| index_line(&table.name, index));
        clauses.extend(lines.map(|line| format!("ADD {line}")));
        clauses.extend(constraint(&table.name, column).map(|key| format!("ADD {key}")));
        statement(&table.name, &clauses)
    }

    fn drop_column(&self, table: &Table, column: &Column, indexes: &[Index]) -> Sql {
        let mut after = table.clone();
        after.columns.retain(|one| one.name != column.name);
        after.indexes.retain(|index| !indexes.contains(index));
        let mut clauses = Vec::new();
        let key = column.constraint();
        clauses.extend(key.map(|_| drop_foreign_key(&table.name, &column.name)));
        let names = indexes.iter().map(|index| index_name(&table.name, index));
        clauses.extend(names.map(|name| format!("DROP INDEX {}", quote(&name))));
        clauses.extend(support_indexes(table, &after));
        clauses.push(format!("DROP COLUMN {}", quote(&column.name)));
        Sql::losing(statement(&table.name, &clauses))
    }

    /// An index of the column alone goes with it.
    fn undo_column(&self, table: &Table, column: &Column, _indexes: &[Index]) -> Down {
        let (name, quoted) = (quote(&table.name), quote(&column.name));
        let key = column.constraint();
        let key = key.map(|_| drop_foreign_key(&table.name, &column.name));
        let key = key.map(|key| format!("ALTER TABLE {name} {key};\n"));
        Ok(format!(
            "{}ALTER TABLE {name} DROP COLUMN {quoted};\n",
            key.unwrap_or_default()
        ))
    }

    fn add_index(&self, table: &Table, index: &Index) -> String {
        let mut after = table.clone();
        after.indexes.insert(index.clone());
        let mut clauses = vec![format!("ADD {}", index_line(&table.name, index))];
        clauses.extend(support_indexes(table, &after));
        statement(&table.name, &clauses)
    }

    fn drop_index(&self, table: &Table, index: &Index) -> String {
        let mut after = table.clone();
        after.indexes.remove(index);
        let name = quote(&index_name(&table.name, index));
        let mut clauses = vec![format!("DROP INDEX {name}")];
        clauses.extend(support_indexes(table, &after));
        statement(&table.name, &clauses)
    }

    fn alter(&self, alterations: &[Alteration]) -> Sql {
        alter::alter(alterations)
    }
}

/// Other names for what is named after a table and its columns. A foreign key has no other name: it
/// is dropped and added.
fn renames(before: &Table, after: &Table, column: Option<(&str, &str)>) -> String {
    let renamed = Renamed::between(before, after, column);
    let indexes = renamed.indexes.iter();
    let indexes =
        indexes.map(|(from, to)| format!("RENAME INDEX {} TO {}", quote(from), quote(to)));
    let dropped = renamed.keys.iter();
    let dropped = dropped.map(|(from, ..)| format!("DROP FOREIGN KEY {}", quote(from)));
    let added = renamed.keys.iter().filter_map(|(_, _, column)| *column);
    let added = added.filter_map(|column| constraint(&after.name, column));
    let added = added.map(|key| format!("ADD {key}"));
    let clauses: Vec<String> = indexes.chain(dropped).chain(added).collect();
    match clauses.is_empty() {
        true => String::new(),
        false => statement(&after.name, &clauses),
    }
}
