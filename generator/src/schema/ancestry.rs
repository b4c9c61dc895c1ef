//! After which migrations one was made. Versions alone do not tell: a branch does not know the
//! migrations that another one emits in the meantime. So the first lines of each migration name the
//! last ones it was made after, and the parts it touches; the runtime stops at two migrations of
//! different branches that touch the same part.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::migration::{Emitted, FOLDER};
use super::table::{Part, Schema, Table};

/// The line that names what a migration was made after.
const AFTER: &str = "-- after: ";

/// The line that names what a migration touches: tables, columns as `table.column`, and indexes as
/// `table(column,column)`.
const TOUCHES: &str = "-- touches: ";

/// The first lines of a migration.
pub(super) fn header(after: &[String], touches: &[String]) -> String {
    let line = |start: &str, names: &[String]| match names {
        [] => String::new(),
        names => format!("{start}{}\n", names.join(", ")),
    };
    line(AFTER, after) + &line(TOUCHES, touches)
}

/// The first lines of a migration that was emitted, from its file.
pub(super) fn header_of(emitted: &Emitted, root: Option<&Path>) -> String {
    let Some(text) = root.and_then(|root| text(emitted, root)) else {
        return String::new();
    };
    let names = |start| names(&text, start).unwrap_or_default();
    header(&names(AFTER), &names(TOUCHES))
}

/// How migrations name each other.
pub(super) fn id(emitted: &Emitted) -> String {
    format!("{}_{}", emitted.version, emitted.name)
}

/// The last migrations: those that no other was made after. There is one, except after a merge of
/// branches. A migration without this line (made by hand, or by an older Formwork) was made after
/// everything older.
pub(super) fn heads(emitted: &[Emitted], root: Option<&Path>) -> Vec<String> {
    let mut known = BTreeSet::new();
    let mut older_than = i64::MIN;
    for one in emitted {
        match root.and_then(|root| predecessors(one, root)) {
            Some(after) => known.extend(after),
            None => older_than = older_than.max(one.version),
        }
    }
    let is_head = |one: &&Emitted| one.version >= older_than && !known.contains(&id(one));
    emitted.iter().filter(is_head).map(id).collect()
}

/// The migrations that a migration names as its predecessors; `None` without this line.
fn predecessors(emitted: &Emitted, root: &Path) -> Option<Vec<String>> {
    let text = text(emitted, root)?;
    // The first migration has no predecessor.
    names(&text, AFTER).or_else(|| names(&text, TOUCHES).map(|_| Vec::new()))
}

fn text(emitted: &Emitted, root: &Path) -> Option<String> {
    let database = *emitted.databases.first()?;
    fs::read_to_string(root.join(emitted.path(database))).ok()
}

/// The names in the first comment that starts so.
fn names(text: &str, start: &str) -> Option<Vec<String>> {
    let mut comments = text.lines().take_while(|line| line.starts_with("--"));
    let names = comments.find_map(|line| line.strip_prefix(start))?;
    Some(names.split(", ").map(str::to_owned).collect())
}

/// Migrations that are missing in the state, because a git merge kept one side of it: their changes
/// would be emitted again. One sentence each.
pub(super) fn lost(emitted: &[Emitted], schema: &Schema, root: Option<&Path>) -> Vec<String> {
    let mut problems = Vec::new();
    for (one, root) in emitted.iter().zip(root.into_iter().cycle()) {
        let touches = text(one, root).and_then(|text| names(&text, TOUCHES));
        let lost = touches.iter().flatten().find_map(|part| {
            let table = part.split(['.', '(']).next()?;
            let known = schema.tables.get(table)?;
            forgets(known, part, one.version).then_some(table)
        });
        problems.extend(lost.map(|table| {
            let file = format!(".formwork/{FOLDER}/{table}.schema");
            format!(
                "table {table}: {file} does not know the migration {}: a merge kept one branch's side of it. \
                 Append the other side: `git show BRANCH:{file} >> {file}`",
                id(one)
            )
        }));
    }
    problems
}

/// Whether this part of a table was last touched before the migration. The table as a whole has no
/// such record.
fn forgets(table: &Table, part: &str, version: i64) -> bool {
    if part == table.name {
        return false;
    }
    let names = |known: &Part| match known {
        Part::Column(name) => format!("{}.{name}", table.name) == part,
        Part::Index(index) => index.touched(&table.name) == part,
    };
    // It is about another table that had this name.
    let other = table.since.is_some_and(|since| since > version);
    let mut touched = table.touched.iter();
    !other && !touched.any(|(part, at)| names(part) && *at >= version)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::Database;

    fn emitted(version: i64, name: &str) -> Emitted {
        Emitted {
            version,
            number: version.to_string(),
            name: name.to_owned(),
            folder: "shop".to_owned(),
            unit: "shop.menus".to_owned(),
            databases: vec![Database::Sqlite],
        }
    }

    #[test]
    fn the_last_ones_are_those_that_no_other_was_made_after() {
        let folder = tempfile::tempdir().unwrap();
        let (mut all, after_all) = (Vec::new(), ["menus.price".to_owned()]);
        for (version, name, after) in [
            (1, "base", &[][..]),
            (2, "ours", &["1_base"]),
            (3, "theirs", &["1_base"]),
            (4, "more_of_ours", &["2_ours"]),
        ] {
            let one = emitted(version, name);
            let after: Vec<String> = after.iter().map(|&id| id.to_owned()).collect();
            let path = folder.path().join(one.path(Database::Sqlite));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let text = format!(
                "-- What it does.\n{}\n-- after: no\n",
                header(&after, &after_all)
            );
            fs::write(path, text).unwrap();
            all.push(one);
        }
        let heads = |all: &[Emitted]| heads(all, Some(folder.path()));
        assert_eq!(heads(&all), ["3_theirs", "4_more_of_ours"]);
        // A migration by hand was made after all existing ones.
        all.push(emitted(5, "by_hand"));
        assert_eq!(heads(&all), ["5_by_hand"]);
        let lines = header(&["1_base".to_owned()], &after_all);
        assert_eq!(lines, "-- after: 1_base\n-- touches: menus.price\n");
    }
}
