//! What SQLite's ALTER TABLE cannot do: a new table takes the rows, and then the name
//! (<https://www.sqlite.org/lang_altertable.html>, "Making Other Kinds Of Table Schema Changes").

use super::super::dialect::{Alteration, Dialect};
use super::super::difference::Key;
use super::super::table::Column;
use super::{Sqlite, convert, definition, line, list, quote, text};
use crate::column;
use crate::project::Database;

/// The change, by the least that does it.
pub(super) fn alter(dialect: &Sqlite, alteration: &Alteration<'_>) -> String {
    let Alteration {
        before,
        after,
        difference,
    } = *alteration;
    let moved = !difference.added.is_empty() || !difference.dropped.is_empty();
    let defined = difference.changed.iter().any(|(known, wanted)| {
        line(before, known) != line(after, wanted) || known.constraint() != wanted.constraint()
    });
    if moved || defined || difference.key != Key::Kept {
        return rebuild(dialect, alteration);
    }
    let values = difference.changed.iter().filter_map(|(known, wanted)| {
        let value = convert::value(known, wanted);
        let column = quote(&wanted.name);
        (value != column).then(|| {
            format!(
                "UPDATE {} SET {column} = {value} WHERE {column} IS NOT {value};\n",
                quote(&after.name)
            )
        })
    });
    let sql: String = values.collect();
    if sql.is_empty() {
        return "-- SQLite stores both alike: there is nothing to do.\n".to_owned();
    }
    sql
}

fn rebuild(dialect: &Sqlite, alteration: &Alteration<'_>) -> String {
    let Alteration { before, after, .. } = *alteration;
    let name = format!("formwork_new_{}", after.name);
    let (old, new) = (quote(&before.name), quote(&name));
    // A key that is counted from now on is left to the database.
    let numbered = |column: &&Column| {
        alteration.difference.key == Key::Counted && after.primary.contains(&column.name)
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
            Some(known) => convert::value(known, column),
            None => filler(column),
        })
        .collect();
    let mut sql = format!("{}\n{}\n", guard(alteration), definition(after, &name));
    sql.push_str(&format!(
        "INSERT INTO {new} ({}) SELECT {} FROM {old};\n",
        list(&names),
        values.join(", ")
    ));
    if before.counted && after.counted {
        sql.push_str(&counter(&before.name, &name));
    }
    sql.push_str(&format!(
        "DROP TABLE {old};\nALTER TABLE {new} RENAME TO {old};\n"
    ));
    for index in &after.indexes {
        sql.push_str(&dialect.add_index(&after.name, index));
    }
    sql
}

/// Stops a migration that would lose what it does not know: a column of another branch or of a
/// migration by hand, an index, a trigger.
fn guard(alteration: &Alteration<'_>) -> String {
    let before = alteration.before;
    let (name, columns, indexes) = (
        text(&before.name),
        before.columns.len(),
        before.indexes.len(),
    );
    let message = quote(&format!(
        "{} has columns, indexes or triggers that this migration does not know",
        before.name
    ));
    format!(
        "CREATE TABLE \"formwork_guard\" (\"fits\" INTEGER NOT NULL CONSTRAINT {message} CHECK (\"fits\"));\n\
         INSERT INTO \"formwork_guard\" SELECT\n    \
             (SELECT count(*) FROM pragma_table_info({name})) = {columns}\n    \
             AND (SELECT count(*) FROM pragma_index_list({name}) WHERE origin = 'c') = {indexes}\n    \
             AND NOT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND tbl_name = {name});\n\
         DROP TABLE \"formwork_guard\";\n"
    )
}

/// Keys of rows that were deleted are not given again.
fn counter(old: &str, new: &str) -> String {
    let (old, new) = (text(old), text(new));
    format!(
        "DELETE FROM sqlite_sequence WHERE name = {new};\n\
         INSERT INTO sqlite_sequence (name, seq) SELECT {new}, seq FROM sqlite_sequence WHERE name = {old};\n"
    )
}

/// What rows get in a new column.
fn filler(column: &Column) -> String {
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
