//! Names that would stand twice in one database, and tables that would be made twice.

use std::collections::BTreeMap;

use super::migration::FOLDER;
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
pub(super) fn tables(previous: &Previous, created: &[String]) -> Vec<String> {
    let lost = created.iter();
    let lost = lost.filter(|table| previous.recorded.contains(*table));
    let sentence = |table: &String| {
        let file = format!(".formwork/{FOLDER}/{table}.schema");
        format!(
            "table {table}: {file} is missing, though an earlier migration made the table: \
             take the file from the last commit that had it (`git log -- {file}` names it)"
        )
    };
    lost.map(sentence).collect()
}
