//! The order in which new tables come: what a table points to before the table.

use std::collections::{BTreeMap, BTreeSet};

use super::table::{Schema, Table};

/// Orders new tables by what they point to. Where they point to each other, the one that comes
/// first gets no constraint: its column is marked deferred (regeneration.md, "Schema evolution").
pub(crate) fn order(mut left: Vec<Table>, before: &Schema) -> Vec<Table> {
    let mut there: BTreeSet<String> = before.tables.keys().cloned().collect();
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let mut next = left.remove(next(&left, &there));
        there.insert(next.name.clone());
        defer(&mut next, &there);
        ordered.push(next);
    }
    ordered
}

/// The next table: one that points to nothing that is still to come, else one of a cycle that
/// points to nothing but itself, with the fewest constraints to lose.
fn next(left: &[Table], there: &BTreeSet<String>) -> usize {
    let missing = |place: &usize| {
        targets(&left[*place])
            .filter(|name| !there.contains(*name))
            .count()
    };
    if let Some(free) = (0..left.len()).find(|place| missing(place) == 0) {
        return free;
    }
    let known: BTreeMap<&str, &Table> = left
        .iter()
        .map(|table| (table.name.as_str(), table))
        .collect();
    let reached: BTreeMap<&str, BTreeSet<&str>> = known
        .iter()
        .map(|(name, table)| (*name, reach(table, &known)))
        .collect();
    let closed = |place: &usize| {
        let name = left[*place].name.as_str();
        reached[name]
            .iter()
            .all(|other| reached[other].contains(name))
    };
    (0..left.len())
        .filter(closed)
        .min_by_key(missing)
        .unwrap_or_default()
}

/// Other tables this one points to.
fn targets(table: &Table) -> impl Iterator<Item = &str> {
    let targets = table
        .columns
        .iter()
        .filter_map(|column| column.references.as_ref());
    let names: BTreeSet<&str> = targets.map(|to| to.table.as_str()).collect();
    names.into_iter().filter(|name| *name != table.name)
}

/// Tables among those that are left that this one needs, by whatever way.
fn reach<'t>(table: &'t Table, left: &BTreeMap<&'t str, &'t Table>) -> BTreeSet<&'t str> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&Table> = vec![table];
    while let Some(table) = open.pop() {
        for name in targets(table) {
            let target = left.get(name).copied();
            open.extend(target.filter(|_| found.insert(name)));
        }
    }
    found
}

/// Marks constraints on tables that are not there yet.
pub(crate) fn defer(table: &mut Table, there: &BTreeSet<String>) {
    for column in &mut table.columns {
        column.deferred = column
            .references
            .as_ref()
            .is_some_and(|to| !there.contains(&to.table));
    }
}
