//! The column by which the service finds one row.

use crate::import::catalogue::{Column, Default, Table};
use crate::name;
use crate::project::ColumnType;

/// The key of a table.
#[derive(Debug, Clone)]
pub(super) struct Key {
    /// Its column, as the manifest names it.
    pub column: String,
    /// Its type.
    pub kind: ColumnType,
    /// Whether a row without it gets one: from the database, or the service.
    pub is_made: bool,
    /// Whether rows are only read by it.
    pub is_read_only: bool,
    /// What was guessed.
    pub notes: Vec<String>,
}

/// The key of a table, if it has one that a manifest can say.
pub(super) fn of(table: &Table) -> Option<Key> {
    let (column, mut notes, is_read_only) = find(table)?;
    let kind = kind(column.kind.as_ref()?)?;
    if !name::is_column(&column.name) {
        return None;
    }
    if kind == ColumnType::BigInt && table.primary.is_empty() && !table.is_view {
        notes.push("The table has no primary key.".to_owned());
    }
    let mut foreign = table.foreign.iter();
    let is_foreign = foreign.any(|key| key.column == column.name);
    // A constant is the default of one row at most.
    let is_counted = column.is_counted
        || column.is_generated
        || matches!(column.default, Some(Default::Expression(_)));
    let is_made = match kind {
        ColumnType::BigInt => is_counted && !is_foreign,
        ColumnType::Uuid => !is_foreign,
        // The client sends it.
        _ => true,
    };
    Some(Key {
        column: column.name.clone(),
        is_made,
        kind,
        is_read_only,
        notes,
    })
}

fn find(table: &Table) -> Option<(&Column, Vec<String>, bool)> {
    if let [only] = table.primary.as_slice() {
        return table.column(only).map(|column| (column, Vec::new(), false));
    }
    if table.is_view {
        let column = table.column("id")?;
        let note = "Guessed: `id` tells the rows of this view apart.".to_owned();
        return Some((column, vec![note], true));
    }
    let usable = |column: &&Column| {
        !column.nullable
            && table.is_unique(&column.name)
            && column.kind.as_ref().and_then(kind).is_some()
    };
    let column = table.columns.iter().find(usable)?;
    let note = format!(
        "Read only: no primary key of one column; `{}` is unique and tells rows apart.",
        column.name
    );
    Some((column, vec![note], true))
}

/// The type of a key in a manifest.
pub(super) fn kind(kind: &ColumnType) -> Option<ColumnType> {
    match kind {
        ColumnType::BigInt | ColumnType::Integer => Some(ColumnType::BigInt),
        ColumnType::Uuid => Some(ColumnType::Uuid),
        ColumnType::String(length) => Some(ColumnType::String(*length)),
        ColumnType::Text => Some(ColumnType::String(255)),
        _ => None,
    }
}

/// Why a table has no usable key.
pub(super) fn reason(table: &Table) -> String {
    match table.primary.as_slice() {
        [] if table.is_view => {
            "a view without a column `id`: nothing tells its rows apart".to_owned()
        }
        [] => "it has no primary key, and no unique column that is never null".to_owned(),
        [only] => {
            let column = table.column(only);
            let declared = column.map_or("", |column| column.declared.as_str());
            if let Some(note) = column.and_then(|column| column.note.as_ref()) {
                return format!("its key `{only}` ({declared}) is none: {note}");
            }
            format!(
                "its key `{only}` ({declared}) is not one that a manifest can say: a whole number, a uuid or a text"
            )
        }
        several => format!(
            "its key has {} columns ({}), and a resource has one",
            several.len(),
            several.join(", ")
        ),
    }
}

/// The type of a column that may hold a key.
pub(super) fn key_kind(column: &Column) -> Option<ColumnType> {
    column.kind.as_ref().and_then(kind)
}
