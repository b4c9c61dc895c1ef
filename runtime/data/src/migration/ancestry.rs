//! Ancestors of migrations. Two branches may both change a table, and after the merge a database has
//! the changes of one and lacks those of the other. If both touch the same part, the second one would
//! misread values that the first one has converted. So the first lines of a migration name its
//! predecessors and the parts it touches.

use std::collections::BTreeMap;

const AFTER: &str = "-- after: ";
const TOUCHES: &str = "-- touches: ";

/// Migrations in their sequence.
pub(super) struct Ancestry<'m> {
    all: Vec<Origin<'m>>,
    /// Indexes in `all` by version and name.
    indexes: BTreeMap<String, Vec<usize>>,
}

/// The first lines of a migration.
struct Origin<'m> {
    version: i64,
    /// `None` without that line: it was made after everything older.
    after: Option<Vec<&'m str>>,
    touches: Vec<&'m str>,
}

impl<'m> Ancestry<'m> {
    /// Reads version, name and SQL of every migration, in order.
    pub fn new(migrations: impl Iterator<Item = (i64, &'m str, &'m str)>) -> Self {
        let (mut all, mut indexes) = (Vec::new(), BTreeMap::<String, Vec<usize>>::new());
        for (index, (version, name, sql)) in migrations.enumerate() {
            let id = format!("{version}_{name}");
            indexes.entry(id).or_default().push(index);
            all.push(Origin::new(version, sql));
        }
        Self { all, indexes }
    }

    /// Returns the index of an applied migration that touches the same part as this one, and the part,
    /// if neither was made after the other.
    pub fn conflict(&self, index: usize, applied: &[bool]) -> Option<(usize, &'m str)> {
        let ancestors = self.ancestors(index);
        let mut unrelated = (0..self.all.len()).filter(|it| applied[*it] && !ancestors[*it]);
        unrelated.find_map(|other| {
            let part = shared_part(&self.all[index], &self.all[other])?;
            (!self.ancestors(other)[index]).then_some((other, part))
        })
    }

    /// Returns which migrations existed when this one was made.
    fn ancestors(&self, index: usize) -> Vec<bool> {
        let mut ancestors = vec![false; self.all.len()];
        let mut open = vec![index];
        while let Some(index) = open.pop() {
            let origin = &self.all[index];
            let Some(after) = &origin.after else {
                self.add_older(origin.version, &mut ancestors);
                continue;
            };
            for id in after {
                let Some(indexes) = self.indexes.get(*id) else {
                    // It was deleted from the project since.
                    let version = id.split('_').next().and_then(|it| it.parse().ok());
                    self.add_older(version.unwrap_or_default(), &mut ancestors);
                    continue;
                };
                for index in indexes {
                    if !std::mem::replace(&mut ancestors[*index], true) {
                        open.push(*index);
                    }
                }
            }
        }
        ancestors
    }

    fn add_older(&self, version: i64, ancestors: &mut [bool]) {
        for (origin, ancestor) in self.all.iter().zip(ancestors) {
            *ancestor |= origin.version < version;
        }
    }
}

impl<'m> Origin<'m> {
    fn new(version: i64, sql: &'m str) -> Self {
        let list = |start: &str| -> Option<Vec<&'m str>> {
            let mut comments = sql.lines().take_while(|line| line.starts_with("--"));
            let line = comments.find_map(|line| line.strip_prefix(start))?;
            Some(line.split(", ").map(str::trim).collect())
        };
        let touches = list(TOUCHES);
        Self {
            version,
            // The first migration has no predecessor.
            after: list(AFTER).or_else(|| touches.as_ref().map(|_| Vec::new())),
            touches: touches.unwrap_or_default(),
        }
    }
}

/// Returns a part that both touch.
fn shared_part<'m>(one: &Origin<'m>, other: &Origin<'m>) -> Option<&'m str> {
    let mut parts = one.touches.iter().copied();
    parts.find(|part| other.touches.iter().any(|other| overlap(part, other)))
}

/// Checks whether two parts have anything in common: a table has all of its columns (`menus.price`),
/// an index (`menus(name,price)`) those it names, and two indexes have no part in common.
fn overlap(one: &str, other: &str) -> bool {
    let ((table, columns), (other_table, other_columns)) = (split_part(one), split_part(other));
    if one == other || table != other_table || columns.is_empty() || other_columns.is_empty() {
        return table == other_table;
    }
    let are_indexes = one.contains('(') && other.contains('(');
    !are_indexes && columns.iter().any(|name| other_columns.contains(name))
}

/// Returns the table and the columns of a part.
fn split_part(part: &str) -> (&str, Vec<&str>) {
    let (table, columns) = part.split_at(part.find(['.', '(']).unwrap_or(part.len()));
    let columns = columns.trim_matches(['.', '(', ')']).split(',');
    (table, columns.filter(|name| !name.is_empty()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "-- touches: menus\nCREATE TABLE menus (id)";

    /// The migration that a pending one conflicts with, and the shared part; empty without one.
    fn conflict(all: &[(i64, &str, &str)], index: usize, applied: &[usize]) -> String {
        let ancestry = Ancestry::new(all.iter().copied());
        let applied: Vec<bool> = (0..all.len()).map(|one| applied.contains(&one)).collect();
        let conflict = ancestry.conflict(index, &applied);
        conflict.map_or_else(String::new, |(other, part)| {
            format!("{} {part}", all[other].1)
        })
    }

    #[test]
    fn migrations_that_know_each_other_or_touch_different_columns_do_not_conflict() {
        let all = [
            (1, "base", BASE),
            (2, "a", "-- after: 1_base\n-- touches: menus.price\nA"),
            (3, "b", "-- after: 1_base\n-- touches: menus.price2, x\nB"),
            (4, "c", "-- after: 2_a, 3_b\n-- touches: menus\nC"),
            (5, "d", "-- after: 4_c\n-- touches: menus.price\nD"),
        ];
        assert_eq!(conflict(&all, 2, &[0, 1]), "");
        assert_eq!(conflict(&all, 3, &[0, 1, 2]), "");
        assert_eq!(conflict(&all, 4, &[0, 1, 2, 3]), "");
        // A migration that is applied late, and that a later one knows, conflicts with none.
        assert_eq!(conflict(&all, 1, &[0, 2, 3]), "");
    }

    #[test]
    fn two_that_touch_the_same_part_conflict() {
        let all = [
            (1, "base", BASE),
            (2, "a", "-- after: 1_base\n-- touches: menus.price\nA;\n"),
            (3, "b", "-- Why.\n-- after: 1_base\n-- touches: menus\nB"),
        ];
        assert_eq!(conflict(&all, 2, &[0, 1]), "a menus");
        assert_eq!(conflict(&all, 1, &[0, 2]), "b menus.price");
    }

    #[test]
    fn parts_overlap_where_one_contains_a_column_of_the_other() {
        for (one, other, expected) in [
            ("menus", "menus.price", true),
            ("menus", "menus(price)", true),
            ("menus", "menus_more.price", false),
            ("menus.price", "menus.price2", false),
            ("menus.price", "menus(name,price)", true),
            ("menus.size", "menus(name,price)", false),
            ("menus(name)", "menus(name,price)", false),
            ("menus(name)", "menus(name)", true),
        ] {
            assert_eq!(overlap(one, other), expected, "{one} {other}");
            assert_eq!(overlap(other, one), expected, "{other} {one}");
        }
    }

    #[test]
    fn migrations_without_a_head_or_a_file_know_all_older_ones() {
        let all = [
            (1, "base", BASE),
            (2, "by_hand", "UPDATE menus"),
            (3, "a", "-- after: 2_by_hand\n-- touches: menus.price\nA"),
            (5, "b", "-- after: 4_gone\n-- touches: menus.price\nB"),
        ];
        assert_eq!(conflict(&all, 2, &[0, 1]), "");
        assert_eq!(conflict(&all, 3, &[0, 1, 2]), "");
        assert_eq!(conflict(&all, 1, &[0, 2, 3]), "");
    }
}
