//! Which way a table becomes another.

use super::super::convert;
use super::super::dialect::{Alteration, Dialect};
use super::super::difference::{ColumnChange, PrimaryKeyChange};
use super::super::sql::Sql;
use super::super::table::{Column, Table};
use super::casts::Sqlite;
use super::syntax::{line, quote};
use super::{guard, rebuild, replace};

/// The change, by the least that does it.
pub(super) fn alter(dialect: &dyn Dialect, alteration: &Alteration) -> Sql {
    if rebuilds(alteration) {
        return rebuild::rebuild(dialect, alteration);
    }
    if alteration.difference.added.is_empty() && redefined(alteration).next().is_none() {
        return values(alteration);
    }
    replace::columns(dialect, alteration)
}

/// Whether a new table is needed: for another key, and for a foreign key outside of its column's
/// definition, because SQLite does not drop a column that a table constraint names.
pub(super) fn rebuilds(alteration: &Alteration) -> bool {
    let Alteration {
        before, difference, ..
    } = alteration;
    let moves = !difference.added.is_empty() || redefined(alteration).next().is_some();
    let is_key = |(known, _): &ColumnChange| before.primary.contains(&known.name);
    difference.key != PrimaryKeyChange::Kept
        || !difference.dropped.is_empty()
        || redefined(alteration).any(|(known, _)| !drops(before, known))
        || moves && difference.changed.iter().any(is_key)
}

/// Whether SQLite can drop a column.
pub(super) fn drops(table: &Table, column: &Column) -> bool {
    column.constraint().is_none() || table.since.is_some()
}

/// Columns that are declared otherwise.
fn redefined(alteration: &Alteration) -> impl Iterator<Item = &ColumnChange> {
    let Alteration {
        before,
        after,
        difference,
    } = alteration;
    difference
        .changed
        .iter()
        .filter(|(known, wanted)| line(before, known) != line(after, wanted))
}

/// Other values in a column that is declared as it was.
fn values(alteration: &Alteration) -> Sql {
    let Alteration { before, after, .. } = alteration;
    let table = quote(&after.name);
    let mut sql = Sql::default();
    for (known, wanted) in &alteration.difference.changed {
        let column = quote(&wanted.name);
        let value = convert::value(&Sqlite, after, known, wanted);
        if value == column {
            continue;
        }
        if after.primary.contains(&wanted.name) {
            sql.push(guard::key(before, wanted, &value));
        }
        sql.push(Sql::losing(format!(
            "UPDATE {table} SET {column} = {value} WHERE {column} IS NOT {value};\n"
        )));
    }
    if sql.text.is_empty() {
        let nothing = "-- SQLite stores both alike: there is nothing to do.\n";
        return Sql::losing(nothing.to_owned());
    }
    sql
}
