//! The column by which the service finds one row.

use crate::import::catalogue::{Column, Table};
use crate::name;
use crate::project::{ColumnType, Database};

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
pub(super) fn of(table: &Table, database: Database) -> Option<Key> {
    let (column, mut notes, is_read_only) = find(table)?;
    let kind = kind(column.kind.as_ref()?)?;
    if !name::is_column(&column.name) {
        return None;
    }
    let mut name = column.name.clone();
    if name::field(&name) != name {
        // SQLite and MySQL take `AlbumId` and `albumid` as one column.
        name = name.to_lowercase();
        if database == Database::Postgres || name::field(&name) != name {
            return None;
        }
        notes.push(format!(
            "The key is written `{name}` for the column `{}`.",
            column.name
        ));
    }
    if kind == ColumnType::BigInt && table.primary.is_empty() && !table.is_view {
        notes.push("The table has no primary key.".to_owned());
    }
    // The other databases count what is an integer and a primary key, or have columns that say so.
    let is_made = database != Database::Postgres
        || kind != ColumnType::BigInt
        || column.is_generated
        || column.default.is_some();
    Some(Key {
        column: name,
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
            let declared = table
                .column(only)
                .map_or("", |column| column.declared.as_str());
            format!(
                "its key `{only}` ({declared}) is not one that a manifest can say: a whole number, a uuid or a text, in lower case"
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
