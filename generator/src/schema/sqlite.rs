//! SQLite.

mod alter;
mod casts;
mod guard;
mod rebuild;
mod replace;
mod syntax;

use super::dialect::{Alteration, Dialect};
use super::names::index_name;
use super::sql::Sql;
use super::table::{Column, Index, Table};
pub(crate) use casts::Sqlite;
use syntax::{declared, definition, quote};

impl Dialect for Sqlite {
    fn create_table(&self, table: &Table) -> String {
        let mut sql = definition(table, &table.name);
        for index in &table.indexes {
            sql = format!("{sql}\n{}", self.add_index(table, index));
        }
        sql
    }

    fn drop_table(&self, table: &str, _pointing: &[(String, Column)]) -> Sql {
        Sql::losing(format!("DROP TABLE {};\n", quote(table)))
    }

    fn rename_table(&self, before: &Table, after: &Table) -> String {
        let (from, to) = (quote(&before.name), quote(&after.name));
        let mut rename = format!("ALTER TABLE {from} RENAME TO {to};\n");
        // One name to SQLite, which the table itself has.
        if before.name.eq_ignore_ascii_case(&after.name) {
            let between = quote(&format!("formwork_new_{}", after.name));
            rename = format!(
                "ALTER TABLE {from} RENAME TO {between};\nALTER TABLE {between} RENAME TO {to};\n"
            );
        }
        self.reindexed(before, after, &rename)
    }

    fn rename_column(&self, before: &Table, after: &Table, from: &str, to: &str) -> String {
        let (table, from, to) = (quote(&after.name), quote(from), quote(to));
        let rename = format!("ALTER TABLE {table} RENAME COLUMN {from} TO {to};\n");
        self.reindexed(before, after, &rename)
    }

    /// A column that is never null takes its default from the first moment on.
    fn adds(&self, column: &Column) -> bool {
        let constrained = column.constraint().is_some();
        match (column.nullable, &column.default) {
            (_, None) => column.nullable,
            // With foreign keys in force, SQLite refuses a default on a column that has one.
            (_, Some(_)) => !constrained,
        }
    }

    fn add_column(&self, table: &Table, column: &Column, indexes: &[Index]) -> String {
        let indexes = indexes.iter();
        let indexes = indexes.map(|index| format!("\n{}", self.add_index(table, index)));
        format!(
            "ALTER TABLE {} ADD COLUMN {};\n{}",
            quote(&table.name),
            declared(column),
            indexes.collect::<String>()
        )
    }

    fn drops(&self, table: &Table, column: &Column) -> bool {
        alter::drops(table, column)
    }

    fn drop_column(&self, table: &Table, column: &Column, indexes: &[Index]) -> Sql {
        let indexes = indexes.iter().map(|index| self.drop_index(table, index));
        let mut sql = Sql::from(indexes.collect::<String>());
        let (table, column) = (quote(&table.name), quote(&column.name));
        sql.push(Sql::losing(format!(
            "ALTER TABLE {table} DROP COLUMN {column};\n"
        )));
        sql
    }

    fn rebuilds(&self, alteration: &Alteration) -> bool {
        alter::rebuilds(alteration)
    }

    fn alter(&self, alterations: &[Alteration]) -> Sql {
        let mut all = Sql::default();
        for alteration in alterations {
            if !all.text.is_empty() {
                all.push("\n");
            }
            all.push(alter::alter(self, alteration));
        }
        all
    }
}

impl Sqlite {
    /// A rename between the removal of indexes that are named otherwise afterwards, and their return.
    fn reindexed(&self, before: &Table, after: &Table, rename: &str) -> String {
        let name = |table: &Table, index: &Index| index_name(&table.name, index);
        let before_names: Vec<String> = before.indexes.iter().map(|i| name(before, i)).collect();
        let after_names: Vec<String> = after.indexes.iter().map(|i| name(after, i)).collect();
        let mut sql = String::new();
        for index in &before.indexes {
            if !after_names.contains(&name(before, index)) {
                sql.push_str(&self.drop_index(before, index));
            }
        }
        sql.push_str(rename);
        for index in &after.indexes {
            if !before_names.contains(&name(after, index)) {
                sql.push_str(&self.add_index(after, index));
            }
        }
        sql
    }
}
