//! Columns that are changed in their table. SQLite adds a NOT NULL column to an empty table only,
//! so the rows are kept in a second table meanwhile: the same columns are dropped and added in
//! both, in the same order, so that the others need not be listed. Columns and indexes that this
//! migration does not know, of another branch or by hand, stay with the table.

use super::super::convert;
use super::super::dialect::{Alteration, Dialect};
use super::super::difference::ColumnChange;
use super::super::sql::Sql;
use super::super::table::{Column, Index};
use super::casts::Sqlite;
use super::syntax::{declared, line, quote};
use super::{guard, rebuild};

/// Where the rows wait.
const ROWS: &str = "\"formwork_rows\"";

/// Replaces columns that are declared differently, and adds new ones.
pub(super) fn columns(dialect: &dyn Dialect, alteration: &Alteration) -> Sql {
    let Alteration {
        before,
        after,
        difference,
    } = alteration;
    // A column that keeps its declaration may still get other values.
    let differs = |(known, wanted): &&ColumnChange| {
        line(before, known) != line(after, wanted)
            || convert::value(&Sqlite, after, known, wanted) != quote(&wanted.name)
    };
    let replaced: Vec<&ColumnChange> = difference.changed.iter().filter(differs).collect();
    let values = replaced
        .iter()
        .map(|(known, wanted)| convert::value(&Sqlite, after, known, wanted))
        .chain(difference.added.iter().map(rebuild::filler));
    let values: String = values
        .zip(1..)
        .map(|(value, number)| format!(", {value} AS \"formwork_{number}\""))
        .collect();
    let table = quote(&after.name);
    let mut sql = Sql::from(guard::replaced(before, &replaced) + "\n");
    sql.push(Sql::losing(format!(
        "CREATE TABLE {ROWS} AS SELECT *{values} FROM {table};\n"
    )));
    sql.push(format!("DELETE FROM {table};\n"));
    let indexes: Vec<&Index> = after
        .indexes
        .iter()
        .filter(|index| names(index, &replaced))
        .collect();
    for index in &indexes {
        sql.push(dialect.drop_index(after, index));
    }
    for (known, wanted) in &replaced {
        let drop = format!("DROP COLUMN {};\n", quote(&known.name));
        sql.push(format!(
            "ALTER TABLE {ROWS} {drop}ALTER TABLE {table} {drop}"
        ));
        sql.push(add(&table, wanted));
    }
    for column in &difference.added {
        sql.push(add(&table, column));
    }
    sql.push(format!(
        "INSERT INTO {table} SELECT * FROM {ROWS};\nDROP TABLE {ROWS};\n"
    ));
    for index in indexes {
        sql.push(dialect.add_index(after, index));
    }
    sql
}

fn add(table: &str, column: &Column) -> String {
    format!("ALTER TABLE {table} ADD COLUMN {};\n", declared(column))
}

fn names(index: &Index, replaced: &[&ColumnChange]) -> bool {
    let mut columns = index.columns.iter();
    columns.any(|name| replaced.iter().any(|(known, _)| known.name == *name))
}
