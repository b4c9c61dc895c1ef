//! The difference of two tables of the same name, after renames.

use super::table::{Column, Index, Table};
use crate::project::ColumnType;

/// A column before and after.
pub(crate) type ColumnChange = (Column, Column);

/// The difference between two tables.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Difference {
    /// New columns.
    pub added: Vec<Column>,
    /// Columns that are no longer wanted.
    pub dropped: Vec<Column>,
    /// Columns that are others than they were: before and after.
    pub changed: Vec<ColumnChange>,
    /// The change of the primary key.
    pub key: PrimaryKeyChange,
    /// New indexes.
    pub indexed: Vec<Index>,
    /// Indexes that are no longer wanted.
    pub unindexed: Vec<Index>,
}

/// The change of a primary key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum PrimaryKeyChange {
    /// It is as it was, but for the types of its columns.
    #[default]
    Kept,
    /// The same columns in another order, as the other side of a pivot has them.
    Reordered,
    /// A pivot becomes a table whose rows are counted.
    Counted,
    /// A pivot of other columns: its rows cannot be converted.
    Other,
    /// Rows could not be identified.
    Impossible,
}

impl Difference {
    /// The difference from `before` to `after`.
    pub fn between(before: &Table, after: &Table) -> Self {
        let changed = after.columns.iter().filter_map(|column| {
            let known = before.column(&column.name)?;
            (known != column).then(|| (known.clone(), column.clone()))
        });
        Self {
            added: missing(&after.columns, before),
            dropped: missing(&before.columns, after),
            changed: changed.collect(),
            key: PrimaryKeyChange::between(before, after),
            indexed: after.indexes.difference(&before.indexes).cloned().collect(),
            unindexed: before.indexes.difference(&after.indexes).cloned().collect(),
        }
    }

    /// Whether anything but indexes differs.
    pub fn is_of_columns(&self) -> bool {
        let same = self.added.is_empty() && self.dropped.is_empty() && self.changed.is_empty();
        !same || self.key != PrimaryKeyChange::Kept
    }

    /// Columns that are there before or after, and not as they were.
    pub fn columns(&self) -> impl Iterator<Item = &Column> {
        let changed = self.changed.iter().map(|(_, after)| after);
        self.added.iter().chain(&self.dropped).chain(changed)
    }
}

fn missing(columns: &[Column], table: &Table) -> Vec<Column> {
    let missing = columns
        .iter()
        .filter(|column| table.column(&column.name).is_none());
    missing.cloned().collect()
}

impl PrimaryKeyChange {
    /// The change of the primary key from `before` to `after`.
    pub fn between(before: &Table, after: &Table) -> Self {
        match (before.is_pivot(), after.is_pivot()) {
            (true, true) if before.primary == after.primary => Self::Kept,
            (true, true) if sorted_key(before) == sorted_key(after) => Self::Reordered,
            (true, true) => Self::Other,
            (true, false) => match after.primary.first() {
                Some(name) if after.counted && before.column(name).is_none() => Self::Counted,
                _ => Self::Impossible,
            },
            (false, false) if before.primary == after.primary => {
                match (key_type(before), key_type(after)) {
                    // A uuid cannot become a number.
                    (Some(ColumnType::Uuid), Some(ColumnType::BigInt)) => Self::Impossible,
                    (Some(_), Some(_)) => Self::Kept,
                    _ => Self::Impossible,
                }
            }
            (false, _) => Self::Impossible,
        }
    }
}

fn sorted_key(table: &Table) -> Vec<&str> {
    let mut columns: Vec<&str> = table.primary.iter().map(String::as_str).collect();
    columns.sort_unstable();
    columns
}

fn key_type(table: &Table) -> Option<&ColumnType> {
    let column = table.primary.first().and_then(|name| table.column(name));
    column.map(|column| &column.kind)
}

/// Whether every value of one type is a value of the other (integer → bigint, a
/// scalar → text or a string that holds it, a longer string, more digits).
pub(crate) fn holds(before: &ColumnType, after: &ColumnType) -> bool {
    use ColumnType::{BigInt, Decimal, Integer, Json, String, Text};
    match (before, after) {
        (one, other) if one == other => true,
        (Integer, BigInt) => true,
        (Json, _) => false,
        (_, Text) => true,
        (before, String(length)) => width(before).is_some_and(|width| width <= *length),
        (Decimal(precision, scale), Decimal(wider, finer)) => {
            finer >= scale && wider.saturating_sub(*finer) >= precision.saturating_sub(*scale)
        }
        _ => false,
    }
}

/// The most characters a value has as text.
fn width(kind: &ColumnType) -> Option<u32> {
    Some(match kind {
        ColumnType::String(length) => *length,
        ColumnType::Integer => 11,
        ColumnType::BigInt => 20,
        ColumnType::Float => 24,
        // A sign, a point, and a zero before it.
        ColumnType::Decimal(precision, _) => u32::from(*precision) + 3,
        ColumnType::Boolean => 5,
        ColumnType::Date => 10,
        ColumnType::Time => 8,
        ColumnType::DateTime => 32,
        ColumnType::Uuid => 36,
        ColumnType::Text | ColumnType::Json | ColumnType::Enum(_) => return None,
    })
}
