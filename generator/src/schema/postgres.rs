//! PostgreSQL. Its DDL is part of a transaction, so that a migration is applied as a whole.

mod alter;
mod casts;
mod syntax;

use super::dialect::{Alteration, Dialect};
use super::names::{Renamed, primary_key_name};
use super::sql::Sql;
use super::table::{Column, Index, Table};
pub(crate) use casts::Postgres;
use syntax::{constraint, declared, definition, drop_constraint, quote};

impl Dialect for Postgres {
    fn create_table(&self, table: &Table) -> String {
        let mut sql = definition(table);
        for index in &table.indexes {
            sql = format!("{sql}\n{}", self.add_index(table, index));
        }
        sql
    }

    fn drop_table(&self, table: &str, pointing: &[(String, Column)]) -> Sql {
        let keys = pointing.iter();
        let keys = keys.map(|(table, column)| drop_constraint(table, &column.name));
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
        let (table, old, new) = (quote(&after.name), quote(from), quote(to));
        let others = renames(before, after, Some((from, to)));
        format!("ALTER TABLE {table} RENAME COLUMN {old} TO {new};\n{others}")
    }

    fn add_column(&self, table: &Table, column: &Column, indexes: &[Index]) -> String {
        let name = quote(&table.name);
        let key = constraint(&table.name, column).map(|key| format!(",\n    ADD {key}"));
        let indexes = indexes.iter();
        let indexes = indexes.map(|index| format!("\n{}", self.add_index(table, index)));
        format!(
            "ALTER TABLE {name}\n    ADD COLUMN {}{};\n{}",
            declared(column),
            key.unwrap_or_default(),
            indexes.collect::<String>()
        )
    }

    /// Its indexes and its foreign key go with it.
    fn drop_column(&self, table: &Table, column: &Column, _indexes: &[Index]) -> Sql {
        let (table, column) = (quote(&table.name), quote(&column.name));
        Sql::losing(format!("ALTER TABLE {table} DROP COLUMN {column};\n"))
    }

    fn alter(&self, alterations: &[Alteration]) -> Sql {
        alter::alter(alterations)
    }
}

/// Other names for what is named after a table and its columns.
fn renames(before: &Table, after: &Table, column: Option<(&str, &str)>) -> String {
    let table = quote(&after.name);
    let renamed = Renamed::between(before, after, column);
    let [from, to] = [before, after].map(|table| primary_key_name(&table.name));
    let primary = (from != to).then_some((from, to));
    let keys = renamed.keys.into_iter().map(|(from, to, _)| (from, to));
    let keys = primary.into_iter().chain(keys).map(|(from, to)| {
        let (from, to) = (quote(&from), quote(&to));
        format!("ALTER TABLE {table} RENAME CONSTRAINT {from} TO {to};\n")
    });
    let indexes = renamed.indexes.into_iter().map(|(from, to)| {
        let (from, to) = (quote(&from), quote(&to));
        format!("ALTER INDEX {from} RENAME TO {to};\n")
    });
    keys.chain(indexes).collect()
}
