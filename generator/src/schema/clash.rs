//! Names of a database that would clash, and tables that would be created twice.

use std::collections::BTreeMap;

use super::migration::FOLDER;
use super::names::index_name;
use super::previous::Previous;
use super::table::{Schema, Table};
use crate::error::Problem;

/// Tables and indexes that would have one name, one sentence each. SQLite knows one set of names for
/// both, in all of a database, and takes capitals and lower-case letters as one
/// (<https://www.sqlite.org/lang_createindex.html>).
pub(super) fn names(schema: &Schema) -> Vec<Problem> {
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    let mut problems = Vec::new();
    for (table, named) in schema.tables.values().flat_map(of_table) {
        let (name, label) = (&named.name, &named.label);
        let Some(other) = known.insert(name.to_lowercase(), label.clone()) else {
            continue;
        };
        let message = format!(
            "the database cannot hold two things named {name}, {other} and {label}: \
             give a table or a column another name (write `was:` where it was renamed)"
        );
        let problem = Problem::from(message);
        problems.push(match &named.column {
            Some(column) => problem.about_column(&table.unit, column),
            None => problem.about_table(&table.unit, &table.name),
        });
    }
    problems
}

/// A name in the database.
struct NamedObject {
    name: String,
    label: String,
    /// The column that an index begins with.
    column: Option<String>,
}

/// The names of a table and its indexes.
fn of_table(table: &Table) -> Vec<(&Table, NamedObject)> {
    let indexes = table.indexes.iter().map(|index| NamedObject {
        name: index_name(&table.name, index),
        label: format!("the index of {} ({})", table.name, index.columns.join(", ")),
        column: index.columns.first().cloned(),
    });
    let own = NamedObject {
        name: table.name.clone(),
        label: format!("the table {}", table.name),
        column: None,
    };
    let all = [own].into_iter().chain(indexes);
    all.map(|named| (table, named)).collect()
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
