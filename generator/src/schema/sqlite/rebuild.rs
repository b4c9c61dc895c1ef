//! Changes that SQLite's ALTER TABLE cannot make: a new table takes the rows, and then the name
//! (<https://www.sqlite.org/lang_altertable.html>, "Making Other Kinds Of Table Schema Changes").

use super::super::convert;
use super::super::dialect::{Alteration, Dialect};
use super::super::difference::{PrimaryKeyChange, holds};
use super::super::sql::Sql;
use super::super::table::Column;
use super::casts::Sqlite;
use super::guard;
use super::syntax::{definition, list, quote, text};
use crate::column;
use crate::project::Database;

/// The table anew.
pub(super) fn rebuild(dialect: &dyn Dialect, alteration: &Alteration) -> Sql {
    let Alteration { before, after, .. } = alteration;
    let name = format!("formwork_new_{}", after.name);
    let (old, new) = (quote(&before.name), quote(&name));
    // The database assigns a key that is counted from now on.
    let numbered = |column: &&Column| {
        alteration.difference.key == PrimaryKeyChange::Counted
            && after.primary.contains(&column.name)
    };
    let columns: Vec<&Column> = after
        .columns
        .iter()
        .filter(|column| !numbered(column))
        .collect();
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    let values: Vec<String> = columns
        .iter()
        .map(|column| match before.column(&column.name) {
            Some(known) => convert::value(&Sqlite, after, known, column),
            None => filler(column),
        })
        .collect();
    let guards = guard::rebuilt(before) + &keyed(alteration);
    let mut sql = Sql::from(format!("{guards}\n{}\n", definition(after, &name)));
    sql.push(Sql::losing(format!(
        "INSERT INTO {new} ({}) SELECT {} FROM {old};\n",
        list(&names),
        values.join(", ")
    )));
    if before.counted && after.counted {
        sql.push(counter(&before.name, &name));
    }
    sql.push(format!(
        "DROP TABLE {old};\nALTER TABLE {new} RENAME TO {old};\n"
    ));
    for index in &after.indexes {
        sql.push(dialect.add_index(after, index));
    }
    sql
}

/// A key that has no value in its new type would be made up by the database.
fn keyed(alteration: &Alteration) -> String {
    let Alteration { before, after, .. } = alteration;
    let changed = alteration.difference.changed.iter();
    changed
        .filter(|(known, wanted)| {
            after.primary.contains(&wanted.name) && !holds(&known.kind, &wanted.kind)
        })
        .map(|(known, wanted)| {
            guard::key(
                before,
                wanted,
                &convert::value(&Sqlite, after, known, wanted),
            )
        })
        .collect()
}

/// Keys of deleted rows are not used again.
fn counter(old: &str, new: &str) -> String {
    let (old, new) = (text(old), text(new));
    format!(
        "DELETE FROM sqlite_sequence WHERE name = {new};\n\
         INSERT INTO sqlite_sequence (name, seq) SELECT {new}, seq FROM sqlite_sequence WHERE name = {old};\n"
    )
}

/// The value of existing rows in a new column.
pub(super) fn filler(column: &Column) -> String {
    // No row is known that a foreign key could name.
    if (column.nullable || column.references.is_some()) && column.default.is_none() {
        return "NULL".to_owned();
    }
    column::sql(
        Database::Sqlite,
        &column.kind,
        column.native,
        &column.filler(),
    )
}
