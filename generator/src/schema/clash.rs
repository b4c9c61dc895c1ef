//! Names that would stand twice in one database, and tables that would be made twice.

use std::collections::BTreeMap;

use super::ancestry;
use super::migration::{Emitted, FOLDER, NewMigration};
use super::names::index_name;
use super::previous::Previous;
use super::table::{Schema, Table};

/// Tables and indexes that would have one name, one sentence each. SQLite knows one set of names for
/// both, in all of a database, and takes capitals and small letters as one
/// (<https://www.sqlite.org/lang_createindex.html>).
pub(super) fn names(schema: &Schema) -> Vec<String> {
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    let mut problems = Vec::new();
    for (name, what) in schema.tables.values().flat_map(named) {
        let Some(other) = known.insert(name.to_lowercase(), what.clone()) else {
            continue;
        };
        problems.push(format!(
            "the name {name} would stand twice in the database, for {other} and for {what}: \
             give a table or a column another name (`was:` says where it is the same one)"
        ));
    }
    problems
}

/// What a table has names for.
fn named(table: &Table) -> Vec<(String, String)> {
    let indexes = table.indexes.iter().map(|index| {
        let columns = index.columns.join(", ");
        let what = format!("the index of {} ({columns})", table.name);
        (index_name(&table.name, index), what)
    });
    let own = (table.name.clone(), format!("the table {}", table.name));
    [own].into_iter().chain(indexes).collect()
}

/// Tables that this run would make though an earlier one did: their texts are lost.
pub(super) fn tables(previous: &Previous, new: &[NewMigration]) -> Vec<String> {
    let created = new
        .iter()
        .filter_map(|one| one.emitted.name.strip_prefix("create_"));
    let created: Vec<&str> = created.collect();
    if created.is_empty() {
        return Vec::new();
    }
    // Each is looked into once.
    let own: Vec<&Emitted> = previous.own().collect();
    let lost = created.into_iter();
    let lost = lost.filter_map(|table| Some((table, made(&own, table)?)));
    let sentence = |(table, id): (&str, String)| {
        let file = format!(".formwork/{FOLDER}/{table}.schema");
        format!(
            "table {table}: {file} is missing, though the migration {id} made the table: \
             take the file from the last commit that had it (`git log -- {file}` names it)"
        )
    };
    lost.map(sentence).collect()
}

/// The migration that made a table, unless a later one took it away.
fn made(own: &[&Emitted], table: &str) -> Option<String> {
    let (renamed, taken) = (format!("_to_{table}"), format!("rename_{table}_to_"));
    let mut maker = None;
    for one in own {
        let name = one.name.as_str();
        let rest = name.split_once('_');
        if rest.is_some_and(|(verb, of)| ["create", "recreate"].contains(&verb) && of == table)
            || (name.starts_with("rename_") && name.ends_with(&renamed))
        {
            maker = Some(ancestry::id(one));
        } else if rest == Some(("drop", table)) || name.starts_with(&taken) {
            maker = None;
        }
    }
    maker
}
