//! The order in which new tables come: what a table points to before the table.

use std::collections::BTreeSet;

use super::table::{Schema, Table};

/// Orders new tables by what they point to. Where they point to each other, the one that comes
/// first gets no constraint: its column is marked deferred (regeneration.md, "Schema evolution").
pub(crate) fn order(mut left: Vec<Table>, before: &Schema) -> Vec<Table> {
    let mut there: BTreeSet<String> = before.tables.keys().cloned().collect();
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let least = (0..left.len()).min_by_key(|place| (missing(&left[*place], &there), *place));
        let mut next = left.remove(least.unwrap_or_default());
        there.insert(next.name.clone());
        defer(&mut next, &there);
        ordered.push(next);
    }
    ordered
}

/// How many tables have to come before this one.
fn missing(table: &Table, there: &BTreeSet<String>) -> usize {
    let targets = table.columns.iter().filter_map(|column| column.references.as_ref());
    let names: BTreeSet<&str> = targets.map(|to| to.table.as_str()).collect();
    names.into_iter().filter(|name| *name != table.name && !there.contains(*name)).count()
}

/// Marks constraints on tables that are not there yet.
pub(crate) fn defer(table: &mut Table, there: &BTreeSet<String>) {
    for column in &mut table.columns {
        column.deferred = column.references.as_ref().is_some_and(|to| !there.contains(&to.table));
    }
}
