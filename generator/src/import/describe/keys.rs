//! The column by which the service finds one row.

use std::mem::discriminant;

use crate::import::catalogue::{CatalogueColumn, CatalogueTable, ColumnDefault};
use crate::name;
use crate::project::ColumnType;

/// The key of a table.
#[derive(Debug, Clone)]
pub(super) struct RowKey {
    /// Its column, as the manifest names it.
    pub column: String,
    /// Its type.
    pub kind: ColumnType,
    /// The columns that identify a row together with it.
    pub with: Vec<String>,
    /// Whether the database or the service makes the key of a new row.
    pub is_made: bool,
    /// Whether rows can only be read by it.
    pub is_read_only: bool,
    /// Whether it is a guess, which a note explains.
    pub is_guessed: bool,
    /// Notes about it.
    pub notes: Vec<String>,
}

/// The key of a table, if a manifest can express it.
pub(super) fn of(table: &CatalogueTable) -> Option<RowKey> {
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
    // A constant can be the key of one row only.
    let is_counted = column.is_counted
        || column.is_generated
        || matches!(column.default, Some(ColumnDefault::Expression(_)));
    let is_made = match kind {
        ColumnType::BigInt => is_counted && !is_foreign,
        ColumnType::Uuid => !is_foreign,
        // The client sends it.
        _ => true,
    };
    Some(RowKey {
        column: column.name.clone(),
        is_made,
        kind,
        with: Vec::new(),
        // No rule of a manifest is for the key.
        is_read_only: is_read_only || column.is_read_only || column.pattern.is_some(),
        // Nothing promises that a column of a view tells its rows apart.
        is_guessed: table.is_view,
        notes,
    })
}

fn find(table: &CatalogueTable) -> Option<(&CatalogueColumn, Vec<String>, bool)> {
    if let [only] = table.primary.as_slice() {
        return table.column(only).map(|column| (column, Vec::new(), false));
    }
    if table.is_view {
        return in_view(table);
    }
    let usable = |column: &&CatalogueColumn| {
        !column.nullable
            && table.is_unique(&column.name)
            && column.kind.as_ref().and_then(kind).is_some()
    };
    let column = table.columns.iter().find(usable)?;
    let note = format!(
        "Read only: the table has no primary key of one column. Its key is `{}`, which is unique.",
        column.name
    );
    Some((column, vec![note], true))
}

/// The key of a view: a column that a unique index covers, which materialised views have, else `id`.
fn in_view(table: &CatalogueTable) -> Option<(&CatalogueColumn, Vec<String>, bool)> {
    let is_key = |column: &&CatalogueColumn| {
        table.is_unique(&column.name) && column.kind.as_ref().and_then(kind).is_some()
    };
    let (column, why) = match table.columns.iter().find(is_key) {
        Some(column) => (
            column,
            "is never null in this view, and a unique index covers it",
        ),
        None => (table.column("id")?, "is unique in this view"),
    };
    let note = format!("Guessed: `{}` {why}, so it is the key.", column.name);
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
pub(super) fn reason(table: &CatalogueTable) -> String {
    let in_view = table.column("id").filter(|_| table.is_view);
    match table.primary.as_slice() {
        [] if let Some(note) = in_view.and_then(|column| column.note.as_ref()) => {
            format!("its key `id` cannot be used: {note}")
        }
        _ if table.columns.is_empty() => {
            "the database shows no column of it, as for a view over a dropped table".to_owned()
        }
        [] if table.is_view => {
            "it is a view without a column `id` or a unique index, so its rows have no key"
                .to_owned()
        }
        [] => "it has no primary key, and no unique column that is never null".to_owned(),
        [only] => {
            let column = table.column(only);
            let declared = column.map_or("", |column| column.declared.as_str());
            if let Some(note) = column.and_then(|column| column.note.as_ref()) {
                return format!("its key `{only}` ({declared}) cannot be used: {note}");
            }
            format!(
                "its key `{only}` has the type {declared}, and a key is a whole number, a uuid or a text"
            )
        }
        several => format!(
            "its key has {} columns ({}), and a resource needs a key of one column",
            several.len(),
            several.join(", ")
        ),
    }
}

/// The type of a column that may hold a key.
pub(super) fn key_kind(column: &CatalogueColumn) -> Option<ColumnType> {
    column.kind.as_ref().and_then(kind)
}

/// Whether a column has the type of this key.
pub(super) fn has_kind(column: &CatalogueColumn, key: &RowKey) -> bool {
    key_kind(column).is_some_and(|kind| discriminant(&kind) == discriminant(&key.kind))
}
