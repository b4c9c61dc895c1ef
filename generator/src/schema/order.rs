//! The order of new tables: the target of a foreign key before its table.

use std::collections::{BTreeMap, BTreeSet};

use super::table::{Schema, Table};

/// Orders new tables by what they point to. Where they point to each other, the one that comes
/// first gets no constraint: its column is marked deferred.
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
    /// Places of tables whose targets are all ordered.
    free: BTreeSet<usize>,
    /// How many tables each place waits for.
    missing: BTreeMap<usize, usize>,
    /// Which places wait for a table.
    by_target: BTreeMap<String, Vec<usize>>,
    /// The place of each table.
    places: BTreeMap<String, usize>,
}

impl Waiting {
    fn of(left: &BTreeMap<usize, Table>, there: &BTreeSet<String>) -> Self {
        let (mut missing, mut by_target) = (BTreeMap::new(), BTreeMap::new());
        for (place, table) in left {
            let targets = table.targets().filter(|name| !there.contains(*name));
            let targets: Vec<String> = targets.map(str::to_owned).collect();
            missing.insert(*place, targets.len());
            for target in targets {
                let places: &mut Vec<usize> = by_target.entry(target).or_default();
                places.push(*place);
            }
        }
        let free = missing.iter().filter(|(_, missing)| **missing == 0);
        let places = left
            .iter()
            .map(|(place, table)| (table.name.clone(), *place));
        Self {
            free: free.map(|(place, _)| *place).collect(),
            missing,
            by_target,
            places: places.collect(),
        }
    }

    /// The next table: one whose targets are all ordered, else the table with the fewest
    /// constraints to lose in a cycle.
    fn next(&mut self, left: &BTreeMap<usize, Table>) -> Option<usize> {
        if let Some(free) = self.free.pop_first() {
            return Some(free);
        }
        let cycle = self.cycle(left)?;
        cycle.into_iter().min_by_key(|place| self.lost(place))
    }

    /// Returns tables that point to each other in a ring. The way from any table to the target with the fewest
    /// targets of its own ends in one.
    fn cycle(&self, left: &BTreeMap<usize, Table>) -> Option<Vec<usize>> {
        let mut way = vec![*left.keys().next()?];
        let mut positions = BTreeMap::new();
        loop {
            let last = way[way.len() - 1];
            if let Some(begin) = positions.insert(last, way.len() - 1) {
                way.pop();
                return Some(way.split_off(begin));
            }
            let targets = left[&last].targets();
            let places = targets.filter_map(|name| self.places.get(name));
            let waiting = places.filter(|place| left.contains_key(place));
            match waiting.min_by_key(|place| self.lost(place)) {
                Some(next) => way.push(*next),
                // Its target is no table of this run.
                None => return Some(vec![last]),
            }
        }
    }

    /// How many constraints a table would lose now.
    fn lost(&self, place: &usize) -> (usize, usize) {
        (self.missing.get(place).copied().unwrap_or(0), *place)
    }

    /// No table waits for this one any more.
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

/// Marks constraints on tables that are not there yet.
pub(crate) fn defer(table: &mut Table, there: &BTreeSet<String>) {
    for column in &mut table.columns {
        column.deferred = column
            .references
            .as_ref()
            .is_some_and(|to| !there.contains(&to.table));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::ColumnType;
    use crate::schema::{Column, ForeignKey};

    fn table(name: &str, targets: &[String]) -> Table {
        let column = |target: &String| Column {
            references: Some(ForeignKey {
                table: target.clone(),
                column: "id".to_owned(),
            }),
            ..Column::new(format!("{target}_id"), &ColumnType::BigInt)
        };
        let text = format!("table {name}\nunit shop.{name}\nprimary id counted\n");
        let mut table = Table::from_text(&text).unwrap();
        table.columns.extend(targets.iter().map(column));
        table
    }

    fn ordered(tables: Vec<Table>) -> Vec<String> {
        let ordered = order(tables, &Schema::default());
        ordered.into_iter().map(|table| table.name).collect()
    }

    #[test]
    fn referenced_tables_come_first_and_a_cycle_loses_the_fewest_constraints() {
        let table = |name: &str, targets: &[&str]| {
            let targets: Vec<String> = targets.iter().map(|&one| one.to_owned()).collect();
            table(name, &targets)
        };
        let tables = vec![
            table("f", &["e"]),
            table("a", &["b", "c"]),
            table("b", &["a", "c"]),
            table("c", &["a"]),
            table("d", &["d", "a"]),
            table("e", &[]),
        ];
        assert_eq!(ordered(tables), ["e", "f", "c", "a", "b", "d"]);
    }

    /// Quadratic ways take minutes here.
    #[test]
    fn rings_of_many_tables_are_ordered_in_no_time() {
        let name = |number: usize| format!("t{number:05}");
        let ring = |number: usize| table(&name(number), &[name((number + 1) % 10_000)]);
        let pair = |number: usize| table(&name(number), &[name(number ^ 1)]);
        let begun = std::time::Instant::now();
        assert_eq!(ordered((0..10_000).map(ring).collect()).len(), 10_000);
        assert_eq!(ordered((0..10_000).map(pair).collect()).len(), 10_000);
        assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
    }
}
