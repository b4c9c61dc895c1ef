//! PostgreSQL. Its DDL is part of a transaction, so that a migration is applied as a whole.

mod alter;
mod casts;
mod syntax;

use super::dialect::{Alteration, Dialect};
use super::names::{foreign_key_name, index_name, primary_key_name};
use super::sql::Sql;
use super::table::{Column, Index, Table};
use super::was::StoredValue;
use syntax::{constraint, declared, definition, drop_constraint, list, quote, text};

/// PostgreSQL's SQL.
pub(crate) struct Postgres;

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

    fn rename_value(&self, value: &StoredValue) -> String {
        let (table, column) = (quote(&value.table), quote(&value.column));
        let (from, to) = (text(&value.from), text(&value.to));
        format!("UPDATE {table} SET {column} = {to} WHERE {column} = {from};\n")
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

    fn add_index(&self, table: &Table, index: &Index) -> String {
        let unique = if index.unique { "UNIQUE " } else { "" };
        let name = quote(&index_name(&table.name, index));
        let (table, columns) = (quote(&table.name), list(&index.columns));
        format!("CREATE {unique}INDEX {name} ON {table} ({columns});\n")
    }

    fn drop_index(&self, table: &Table, index: &Index) -> String {
        format!("DROP INDEX {};\n", quote(&index_name(&table.name, index)))
    }

    fn alter(&self, alterations: &[Alteration<'_>]) -> Sql {
        alter::alter(alterations)
    }
}

/// Other names for what is named after a table and its columns.
fn renames(before: &Table, after: &Table, column: Option<(&str, &str)>) -> String {
    let mut sql = String::new();
    let table = quote(&after.name);
    let mut keys = vec![(
        primary_key_name(&before.name),
        primary_key_name(&after.name),
    )];
    for one in before
        .columns
        .iter()
        .filter(|one| one.constraint().is_some())
    {
        keys.push((
            foreign_key_name(&before.name, &one.name),
            foreign_key_name(&after.name, now(&one.name, column)),
        ));
    }
    for (from, to) in keys.iter().filter(|(from, to)| from != to) {
        let (from, to) = (quote(from), quote(to));
        sql.push_str(&format!(
            "ALTER TABLE {table} RENAME CONSTRAINT {from} TO {to};\n"
        ));
    }
    for index in &before.indexes {
        let columns = index.columns.iter();
        let renamed = Index {
            columns: columns.map(|name| now(name, column).to_owned()).collect(),
            unique: index.unique,
        };
        let from = index_name(&before.name, index);
        let to = index_name(&after.name, &renamed);
        if from != to {
            let (from, to) = (quote(&from), quote(&to));
            sql.push_str(&format!("ALTER INDEX {from} RENAME TO {to};\n"));
        }
    }
    sql
}

fn now<'n>(name: &'n str, renamed: Option<(&'n str, &'n str)>) -> &'n str {
    match renamed {
        Some((from, to)) if from == name => to,
        _ => name,
    }
}
