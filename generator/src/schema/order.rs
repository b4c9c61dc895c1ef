//! The order in which new tables come: what a table points to before the table.

use std::collections::{BTreeMap, BTreeSet};

use super::table::{Schema, Table};

/// Orders new tables by what they point to. Where they point to each other, the one that comes
/// first gets no constraint: its column is marked deferred (regeneration.md, "Schema evolution").
pub(crate) fn order(new: Vec<Table>, before: &Schema) -> Vec<Table> {
    let mut there: BTreeSet<String> = before.tables.keys().cloned().collect();
    let mut ordered = Vec::with_capacity(new.len());
    let mut left: BTreeMap<usize, Table> = new.into_iter().enumerate().collect();
    let mut waiting = Waiting::of(&left, &there);
    while let Some(mut next) = waiting.next(&left).and_then(|place| left.remove(&place)) {
        there.insert(next.name.clone());
        waiting.take_in(&next.name, &left);
        defer(&mut next, &there);
        ordered.push(next);
    }
    ordered
}

/// Tables by their places, and what they wait for. (Looking through all that are left for each
/// next table would take the square of their number.)
struct Waiting {
    /// Places of tables that point to nothing that is still to come.
    free: BTreeSet<usize>,
    /// How many tables each place waits for.
    missing: BTreeMap<usize, usize>,
    /// Which places wait for a table.
    by_target: BTreeMap<String, Vec<usize>>,
}

impl Waiting {
    fn of(left: &BTreeMap<usize, Table>, there: &BTreeSet<String>) -> Self {
        let (mut missing, mut by_target) = (BTreeMap::new(), BTreeMap::new());
        for (place, table) in left {
            let targets = targets(table).filter(|name| !there.contains(*name));
            let targets: Vec<String> = targets.map(str::to_owned).collect();
            missing.insert(*place, targets.len());
            for target in targets {
                let places: &mut Vec<usize> = by_target.entry(target).or_default();
                places.push(*place);
            }
        }
        let free = missing.iter().filter(|(_, missing)| **missing == 0);
        Self {
            free: free.map(|(place, _)| *place).collect(),
            missing,
            by_target,
        }
    }

    /// The next table: one that points to nothing that is still to come, else one of a cycle that
    /// points to nothing but itself, with the fewest constraints to lose.
    fn next(&mut self, left: &BTreeMap<usize, Table>) -> Option<usize> {
        if let Some(free) = self.free.pop_first() {
            return Some(free);
        }
        let known: BTreeMap<&str, &Table> = left
            .values()
            .map(|table| (table.name.as_str(), table))
            .collect();
        let reached: BTreeMap<&str, BTreeSet<&str>> = known
            .iter()
            .map(|(name, table)| (*name, reach(table, &known)))
            .collect();
        let closed = |place: &usize| {
            let name = left[place].name.as_str();
            let mut others = reached[name].iter();
            others.all(|other| reached[other].contains(name))
        };
        let places = left.keys().copied();
        let one = places
            .filter(closed)
            .min_by_key(|place| self.missing[place]);
        one.or_else(|| left.keys().next().copied())
    }

    /// Nobody waits for this table any more.
    fn take_in(&mut self, name: &str, left: &BTreeMap<usize, Table>) {
        for place in self.by_target.remove(name).unwrap_or_default() {
            let missing = self.missing.entry(place).or_default();
            *missing = missing.saturating_sub(1);
            if *missing == 0 && left.contains_key(&place) {
                self.free.insert(place);
            }
        }
    }
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
