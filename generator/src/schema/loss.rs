//! Losses of a change, which is refused without `--allow-destructive`.

use super::difference::{Difference, PrimaryKeyChange, holds};
use super::table::{Column, Table};
use crate::error::Problem;

/// The problem of adding a column to existing rows.
pub(crate) fn of_added(table: &Table, column: &Column) -> Option<Problem> {
    column.needs_value().then(|| {
        let message = format!(
            "table {}: existing rows have no value for the new column {}: give it a default, or make it nullable",
            table.name, column.name
        );
        Problem::from(message).about_column(&table.unit, &column.name)
    })
}

/// The problem that no permission solves: a different value for each existing row.
pub(crate) fn of_one_value(before: &Table, after: &Table) -> Vec<Problem> {
    let mut unique = after.indexes.difference(&before.indexes);
    if !unique.any(|index| index.unique) {
        return Vec::new();
    }
    let difference = Difference::between(before, after);
    let filled = |name: &String| {
        let mut added = difference.added.iter();
        added.any(|column| column.name == *name && column.needs_value())
    };
    let unique = difference.indexed.iter().filter(|index| index.unique);
    let same = unique.filter(|index| {
        difference.key != PrimaryKeyChange::Other && index.columns.iter().all(filled)
    });
    let problem = |columns: &[String]| {
        let message = format!(
            "{}: table {}: existing rows would all get the same value for {}, which is new, required and unique: \
             make it nullable, fill it, then make it required",
            after.unit,
            after.name,
            columns.join(", ")
        );
        Problem::from(message).about_column(&after.unit, columns.first().unwrap_or(&after.name))
    };
    same.map(|index| problem(&index.columns)).collect()
}

/// The loss of dropping a column.
pub(crate) fn of_dropped(table: &Table, column: &Column) -> Problem {
    let message = format!(
        "table {}: dropping the column {1} loses its values; if the column was renamed, write `was: {1}` at its new name",
        table.name, column.name
    );
    Problem::from(message).about_column(&table.unit, &column.name)
}

/// The loss of a value that an enum does not list any more.
pub(crate) fn of_value(
    unit: &str,
    table: &str,
    column: &str,
    value: &str,
    values: &[String],
) -> Problem {
    let other = values.first().map_or("", String::as_str);
    let message = format!(
        "table {table}: {column} does not list `{value}` any more, and rows may hold it: \
         write `was: {{ {value}: {other} }}` at {column} to give these rows another value; \
         with `--allow-destructive` they keep `{value}`, which requests show and cannot send"
    );
    Problem::from(message).about_column(unit, column)
}

/// The loss of dropping a pivot.
pub(crate) fn of_pivot(table: &Table) -> Problem {
    let name = &table.name;
    let message = format!(
        "table {name}: no relation has this pivot any more, and dropping it loses its rows"
    );
    Problem::from(message).about_table(&table.unit, name)
}

/// The loss of creating a pivot again.
pub(crate) fn of_other_pivot(table: &Table) -> Problem {
    let name = &table.name;
    let message = format!(
        "table {name}: the pivot joins by other columns, and its rows have no values for them"
    );
    Problem::from(message).about_table(&table.unit, name)
}

/// The possible loss of changing a column.
pub(crate) fn of_changed(table: &Table, before: &Column, after: &Column) -> Option<Problem> {
    let reason = if before.native != after.native || !holds(&before.kind, &after.kind) {
        "values that do not fit are cut, rounded or lost"
    } else if before.nullable && after.needs_value() {
        "the column has no default for rows without a value"
    } else {
        return None;
    };
    let (name, what) = (&after.name, differing(before, after));
    let message = format!(
        "table {}: changing the column {name} ({what}): {reason}",
        table.name
    );
    Some(Problem::from(message).about_column(&table.unit, name))
}

/// A text without line breaks, which would end a comment of SQL.
pub(crate) fn in_one_line(text: &str) -> String {
    let plain = |letter: char| match letter {
        letter if letter.is_control() => letter.escape_default().collect(),
        letter => letter.to_string(),
    };
    text.chars().map(plain).collect()
}

/// The difference between two columns, in words.
pub(crate) fn differing(before: &Column, after: &Column) -> String {
    let null = |column: &Column| {
        if column.nullable {
            "nullable"
        } else {
            "not null"
        }
    };
    let shown = |default: &Option<String>| {
        let default = default.as_deref().map(in_one_line);
        default.unwrap_or_else(|| "none".to_owned())
    };
    let storage = |column: &Column| if column.native { "native" } else { "scaled" };
    let mut parts = Vec::new();
    if before.type_name() != after.type_name() {
        parts.push(format!("{} to {}", before.type_name(), after.type_name()));
    }
    if before.native != after.native {
        parts.push(format!("{} to {}", storage(before), storage(after)));
    }
    if before.nullable != after.nullable {
        parts.push(format!("{} to {}", null(before), null(after)));
    }
    if before.default != after.default {
        parts.push(format!(
            "default {} to {}",
            shown(&before.default),
            shown(&after.default)
        ));
    }
    if before.constraint() != after.constraint() {
        parts.push(match after.constraint() {
            Some(to) => format!("a foreign key to {}", to.table),
            None => "no foreign key".to_owned(),
        });
    }
    parts.join(", ")
}
