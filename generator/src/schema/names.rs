//! Names of indexes and constraints, and their changes with the names of tables and columns.

use formwork_vocabulary::constraint_name;

use super::table::{Column, Index, Table};

/// `menus_menu_name_unique`, shortened by a hash where it is too long for some database.
pub(crate) fn index_name(table: &str, index: &Index) -> String {
    constraint_name::index(table, &index.columns.join("_"), index.unique)
}

/// `dishes_menu_id_foreign`: MySQL knows one set of these names in all of a database.
pub(crate) fn foreign_key_name(table: &str, column: &str) -> String {
    constraint_name::foreign_key(table, column)
}

/// `menus_pkey`.
pub(crate) fn primary_key_name(table: &str) -> String {
    constraint_name::primary_key(table)
}

/// Names with commas between, each in the quotes of a database.
pub(super) fn list(names: &[String], quote: impl Fn(&str) -> String) -> String {
    let names: Vec<String> = names.iter().map(|name| quote(name)).collect();
    names.join(", ")
}

/// `CONSTRAINT "dishes_menu_id_foreign" FOREIGN KEY ("menu_id") REFERENCES "menus" ("id")`.
pub(super) fn constraint(
    table: &str,
    column: &Column,
    quote: impl Fn(&str) -> String,
) -> Option<String> {
    let to = column.constraint()?;
    let name = quote(&foreign_key_name(table, &column.name));
    let (own, there, key) = (quote(&column.name), quote(&to.table), quote(&to.column));
    Some(format!(
        "CONSTRAINT {name} FOREIGN KEY ({own}) REFERENCES {there} ({key})"
    ))
}

/// Names of indexes and foreign keys that become others, before and after.
#[derive(Debug)]
pub(super) struct Renamed<'t> {
    /// Indexes.
    pub indexes: Vec<(String, String)>,
    /// Foreign keys, each with its column afterwards.
    pub keys: Vec<(String, String, Option<&'t Column>)>,
}

impl<'t> Renamed<'t> {
    /// Finds the names that a table, or a column of it with another name, brings along.
    pub fn between(before: &Table, after: &'t Table, column: Option<(&str, &str)>) -> Self {
        let now = |name: &String| match column {
            Some((from, to)) if from == name => to.to_owned(),
            _ => name.clone(),
        };
        let indexes = before.indexes.iter().map(|index| {
            let renamed = Index {
                columns: index.columns.iter().map(now).collect(),
                unique: index.unique,
            };
            let to = index_name(&after.name, &renamed);
            (index_name(&before.name, index), to)
        });
        let columns = before.columns.iter();
        let keys = columns.filter(|column| column.constraint().is_some());
        let keys = keys.map(|column| {
            let name = now(&column.name);
            let from = foreign_key_name(&before.name, &column.name);
            let to = foreign_key_name(&after.name, &name);
            (from, to, after.column(&name))
        });
        Self {
            indexes: indexes.filter(|(from, to)| from != to).collect(),
            keys: keys.filter(|(from, to, _)| from != to).collect(),
        }
    }
}
