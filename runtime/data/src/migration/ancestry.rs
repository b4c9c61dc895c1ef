//! Ancestors of migrations. Two branches may both change a table, and after the merge a database
//! has the changes of one and lacks those of the other. Each was written for a table without the
//! other: if both touch the same part, applying the second would misread values. So the first lines
//! of a migration name its predecessors and the parts it touches.

use std::collections::BTreeMap;

const AFTER: &str = "-- after: ";
const TOUCHES: &str = "-- touches: ";

/// Migrations in their sequence.
#[derive(Debug)]
pub(super) struct Ancestry<'m> {
    all: Vec<Made<'m>>,
    places: BTreeMap<String, Vec<usize>>,
}

/// One migration, as it describes itself.
#[derive(Debug)]
struct Made<'m> {
    version: i64,
    name: &'m str,
    /// `None` without that line; then it was made after everything older.
    after: Option<Vec<&'m str>>,
    touches: Vec<&'m str>,
    /// The table it renames: its name, and the new one.
    renames: Option<(&'m str, &'m str)>,
    sql: &'m str,
}

/// The decision about a migration.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Meeting<'m> {
    /// It is applied.
    Free,
    /// The same change was applied already: both branches made it.
    Same,
    /// The applied migration at this place touches the same part, and neither knows the other.
    Clash(usize, &'m str),
}

impl<'m> Ancestry<'m> {
    /// From version, name and SQL of every migration, in order.
    pub fn of(migrations: impl Iterator<Item = (i64, &'m str, &'m str)>) -> Self {
        let all: Vec<Made<'m>> = migrations.map(made).collect();
        let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (place, Made { version, name, .. }) in all.iter().enumerate() {
            let id = format!("{version}_{name}");
            places.entry(id).or_default().push(place);
        }
        Self { all, places }
    }

    /// The decision about a migration in a database where these are applied.
    pub fn meeting(&self, place: usize, applied: &[bool]) -> Meeting<'m> {
        if self.is_made_twice(place, applied) {
            return Meeting::Same;
        }
        let clash = self.met(place, applied).next();
        clash.map_or(Meeting::Free, |(other, part)| Meeting::Clash(other, part))
    }

    /// Whether another migration is applied that makes the same change.
    pub fn is_made_twice(&self, place: usize, applied: &[bool]) -> bool {
        let mut met = self.met(place, applied);
        met.any(|(other, _)| same(&self.all[place], &self.all[other]))
    }

    /// The applied migrations that touch the same part, where neither knows the other.
    fn met(&self, place: usize, applied: &[bool]) -> impl Iterator<Item = (usize, &'m str)> {
        let known = self.known_to(place);
        let strange = (0..self.all.len()).filter(move |other| applied[*other] && !known[*other]);
        strange.filter_map(move |other| {
            let part = shared(&self.all[place], &self.all[other])?;
            (!self.known_to(other)[place]).then_some((other, part))
        })
    }

    /// Renames of tables that are applied, and that a migration does not know though it names one
    /// of them: old and new, in order.
    pub fn renames(&self, place: usize, applied: &[bool]) -> Vec<(&'m str, &'m str)> {
        let known = self.known_to(place);
        let strange = (0..self.all.len()).filter(|other| applied[*other] && !known[*other]);
        let renames = strange.filter_map(|other| self.all[other].renames);
        let renames: Vec<_> = renames.collect();
        let one = &self.all[place];
        let names = |from: &str| {
            let touched = one.touches.iter().any(|part| overlap(part, from));
            let quoted = ['"', '`'].map(|quote| format!("{quote}{from}{quote}"));
            touched || quoted.iter().any(|name| one.sql.contains(name))
        };
        if renames.iter().any(|(from, _)| names(from)) {
            renames
        } else {
            Vec::new()
        }
    }

    /// The table that a migration renames, where it may have other indexes than the migration
    /// knows; `None` if it also changes other things.
    pub fn renamed(&self, place: usize, applied: &[bool]) -> Option<(&'m str, &'m str)> {
        let renames = self.all[place].renames?;
        let known = self.known_to(place);
        let mut strange = (0..self.all.len()).filter(|other| applied[*other] && !known[*other]);
        let is_late = strange.any(|other| {
            let mut touched = self.all[other].touches.iter();
            touched.any(|part| overlap(part, renames.0))
        });
        let is_all = body(self.all[place].sql).all(only_renames);
        (is_late && is_all).then_some(renames)
    }

    /// The migrations that existed when a migration was made.
    fn known_to(&self, place: usize) -> Vec<bool> {
        let mut known = vec![false; self.all.len()];
        let mut open = vec![place];
        while let Some(place) = open.pop() {
            let one = &self.all[place];
            let Some(after) = &one.after else {
                self.older_than(one.version, &mut known);
                continue;
            };
            for id in after {
                match (self.places.get(*id), version(id)) {
                    (Some(places), _) => {
                        let new = places.iter().filter(|place| !known[**place]);
                        let new: Vec<usize> = new.copied().collect();
                        new.iter().for_each(|place| known[*place] = true);
                        open.extend(new);
                    }
                    // It was taken out of the project since.
                    (None, Some(version)) => self.older_than(version, &mut known),
                    (None, None) => {}
                }
            }
        }
        known
    }

    fn older_than(&self, version: i64, known: &mut [bool]) {
        for (one, known) in self.all.iter().zip(known) {
            *known |= one.version < version;
        }
    }
}

fn made<'m>((version, name, sql): (i64, &'m str, &'m str)) -> Made<'m> {
    let list = |start: &str| -> Option<Vec<&'m str>> {
        let mut comments = sql.lines().take_while(|line| line.starts_with("--"));
        let line = comments.find_map(|line| line.strip_prefix(start))?;
        Some(line.split(", ").map(str::trim).collect())
    };
    let touches = list(TOUCHES);
    Made {
        version,
        name,
        // The first of all was made after none.
        after: list(AFTER).or_else(|| touches.as_ref().map(|_| Vec::new())),
        renames: sql.lines().find_map(renamed).filter(|_| touches.is_some()),
        touches: touches.unwrap_or_default(),
        sql,
    }
}

/// The names in `ALTER TABLE "dishes" RENAME TO "plates";`, in the quotes of any database.
fn renamed(line: &str) -> Option<(&str, &str)> {
    let (from, rest) = name(line.strip_prefix("ALTER TABLE ")?)?;
    let (to, rest) = name(rest.strip_prefix(" RENAME TO ")?)?;
    let is_name = |name: &str| !name.starts_with("formwork_new_");
    (rest == ";" && is_name(from) && is_name(to)).then_some((from, to))
}

/// Whether a line gives other names to a table and to what is named after it, and does nothing else.
/// MySQL's clauses have lines of their own below `ALTER TABLE`.
fn only_renames(line: &str) -> bool {
    const STARTS: [&str; 7] = [
        "ALTER INDEX ",
        "DROP INDEX ",
        "CREATE INDEX ",
        "CREATE UNIQUE INDEX ",
        "RENAME INDEX ",
        "DROP FOREIGN KEY ",
        "ADD CONSTRAINT ",
    ];
    let of_table = line.strip_prefix("ALTER TABLE ").and_then(name);
    let renames = |rest: &str| {
        rest.is_empty()
            || rest.starts_with(" RENAME TO ")
            || rest.starts_with(" RENAME CONSTRAINT ")
    };
    of_table.is_some_and(|(_, rest)| renames(rest)) || STARTS.iter().any(|it| line.starts_with(it))
}

/// The quoted name that a text begins with, and what follows it.
fn name(text: &str) -> Option<(&str, &str)> {
    let quote = ['"', '`'].into_iter().find(|it| text.starts_with(*it))?;
    text[1..].split_once(quote)
}

/// The version in `20261121120000_create_menus`.
fn version(id: &str) -> Option<i64> {
    id.split('_').next()?.parse().ok()
}

/// Whether both make the same change.
fn same(one: &Made<'_>, other: &Made<'_>) -> bool {
    one.name == other.name && body(one.sql).eq(body(other.sql))
}

/// A part that both touch.
fn shared<'m>(one: &Made<'m>, other: &Made<'m>) -> Option<&'m str> {
    let mut parts = one.touches.iter().copied();
    parts.find(|part| other.touches.iter().any(|other| overlap(part, other)))
}

/// Whether two parts have anything in common: a table has all of its columns (`menus.price`), an
/// index (`menus(name,price)`) those it names, and two indexes have no part in common.
fn overlap(one: &str, other: &str) -> bool {
    let ((table, columns), (there, others)) = (taken_apart(one), taken_apart(other));
    if one == other || table != there || columns.is_empty() || others.is_empty() {
        return table == there;
    }
    let are_indexes = one.contains('(') && other.contains('(');
    !are_indexes && columns.iter().any(|name| others.contains(name))
}

/// The table and the columns of a part.
fn taken_apart(part: &str) -> (&str, Vec<&str>) {
    let (table, columns) = part.split_at(part.find(['.', '(']).unwrap_or(part.len()));
    let columns = columns.trim_matches(['.', '(', ')']).split(',');
    (table, columns.filter(|name| !name.is_empty()).collect())
}

/// The statements without comments.
fn body(sql: &str) -> impl Iterator<Item = &str> {
    let lines = sql.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with("--"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "-- touches: menus\nCREATE TABLE menus (id)";

    fn meeting(all: &[(i64, &str, &str)], place: usize, applied: &[usize]) -> String {
        let ancestry = Ancestry::of(all.iter().copied());
        let applied: Vec<bool> = (0..all.len()).map(|one| applied.contains(&one)).collect();
        match ancestry.meeting(place, &applied) {
            Meeting::Clash(other, part) => format!("{} {part}", all[other].1),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn migrations_that_know_each_other_or_touch_different_columns_do_not_clash() {
        let all = [
            (1, "base", BASE),
            (2, "a", "-- after: 1_base\n-- touches: menus.price\nA"),
            (3, "b", "-- after: 1_base\n-- touches: menus.price2, x\nB"),
            (4, "c", "-- after: 2_a, 3_b\n-- touches: menus\nC"),
            (5, "d", "-- after: 4_c\n-- touches: menus.price\nD"),
        ];
        assert_eq!(meeting(&all, 2, &[0, 1]), "Free");
        assert_eq!(meeting(&all, 3, &[0, 1, 2]), "Free");
        assert_eq!(meeting(&all, 4, &[0, 1, 2, 3]), "Free");
        // A migration that is applied late, and that a later one knows, causes no clash.
        assert_eq!(meeting(&all, 1, &[0, 2, 3]), "Free");
    }

    #[test]
    fn two_that_touch_the_same_clash_unless_they_are_the_same() {
        let all = [
            (1, "base", BASE),
            (2, "a", "-- after: 1_base\n-- touches: menus.price\nA;\n"),
            (3, "b", "-- Why.\n-- after: 1_base\n-- touches: menus\nB"),
            (4, "a", "-- after: 1_base\n-- touches: menus.price\n\nA;"),
        ];
        assert_eq!(meeting(&all, 2, &[0, 1]), "a menus");
        assert_eq!(meeting(&all, 1, &[0, 2]), "b menus.price");
        assert_eq!(meeting(&all, 3, &[0, 1]), "Same");
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
    fn renames_are_found_that_a_migration_does_not_know() {
        let rename =
            "-- after: 1_base\n-- touches: plates\nALTER TABLE \"menus\" RENAME TO \"plates\";";
        let all = [
            (1, "base", BASE),
            (2, "rename", rename),
            (
                3,
                "a",
                "-- after: 1_base\n-- touches: menus.a\nALTER TABLE \"menus\" A",
            ),
            (
                4,
                "b",
                "-- after: 1_base\n-- touches: x\nCREATE TABLE \"x\"",
            ),
            (
                5,
                "c",
                "-- after: 2_rename\n-- touches: menus\nCREATE TABLE \"menus\"",
            ),
        ];
        let ancestry = Ancestry::of(all.iter().copied());
        let applied = [true, true, false, false, false];
        assert_eq!(ancestry.renames(2, &applied), [("menus", "plates")]);
        assert_eq!(ancestry.renames(3, &applied), []);
        assert_eq!(ancestry.renames(4, &applied), []);
        assert_eq!(
            ancestry.renamed(1, &[true, false, false, false, false]),
            None
        );
        let late = [true, false, true, false, false];
        assert_eq!(ancestry.renamed(1, &late), Some(("menus", "plates")));
        assert_eq!(meeting(&all, 2, &[0, 1]), "Free");
        assert_eq!(
            renamed("ALTER TABLE \"formwork_new_x\" RENAME TO \"x\";"),
            None
        );
    }

    #[test]
    fn renames_of_each_database_are_found_unless_they_change_more() {
        let postgres = "ALTER TABLE \"a\" RENAME TO \"b\";\nALTER TABLE \"b\" RENAME CONSTRAINT \"a_pkey\" TO \"b_pkey\";\nALTER INDEX \"a_x_index\" RENAME TO \"b_x_index\";";
        let mysql = "ALTER TABLE `a` RENAME TO `b`;\nALTER TABLE `b`\n    RENAME INDEX `a_x_index` TO `b_x_index`,\n    DROP FOREIGN KEY `a_y_foreign`,\n    ADD CONSTRAINT `b_y_foreign` FOREIGN KEY (`y`) REFERENCES `c` (`id`);";
        let more =
            "ALTER TABLE \"a\" RENAME TO \"b\";\nALTER TABLE \"b\" ADD COLUMN \"x\" INTEGER;";
        for (sql, expected) in [
            (postgres, Some(("a", "b"))),
            (mysql, Some(("a", "b"))),
            (more, None),
        ] {
            let rename = format!("-- after: 1_base\n-- touches: b\n{sql}");
            let add = "-- after: 1_base\n-- touches: a.z\nALTER TABLE `a`\n    ADD COLUMN `z` INT;";
            // The last one is as the runtime's own are.
            let all = [
                (1, "base", BASE),
                (2, "rename", &*rename),
                (3, "add", add),
                (0, "own", "CREATE TABLE \"own\""),
            ];
            let ancestry = Ancestry::of(all.iter().copied());
            let usual = ancestry.renamed(1, &[true, false, false, true]);
            assert_eq!(usual, None, "its SQL knows all: {sql}");
            assert_eq!(
                ancestry.renamed(1, &[true, false, true, true]),
                expected,
                "{sql}"
            );
            let undone = ancestry.renames(2, &[true, true, false, true]);
            assert_eq!(undone, [("a", "b")], "{sql}");
        }
    }

    #[test]
    fn the_same_change_is_found_beside_one_that_clashes() {
        let all = [
            (1, "base", BASE),
            (2, "a", "-- after: 1_base\n-- touches: menus.a\nA;"),
            (3, "b", "-- after: 1_base\n-- touches: menus.a\nB;"),
            (4, "b", "-- after: 2_a\n-- touches: menus.a\nB;"),
            (5, "b", "-- after: 1_base\n-- touches: menus.a\nB;"),
        ];
        assert_eq!(meeting(&all, 4, &[0, 1, 3]), "Same");
    }

    #[test]
    fn migrations_without_a_head_or_a_file_know_all_older_ones() {
        let all = [
            (1, "base", BASE),
            (2, "by_hand", "UPDATE menus"),
            (3, "a", "-- after: 2_by_hand\n-- touches: menus.price\nA"),
            (5, "b", "-- after: 4_gone\n-- touches: menus.price\nB"),
        ];
        assert_eq!(meeting(&all, 2, &[0, 1]), "Free");
        assert_eq!(meeting(&all, 3, &[0, 1, 2]), "Free");
        assert_eq!(meeting(&all, 1, &[0, 2, 3]), "Free");
    }
}
