//! What leads from one schema to another.

use super::table::{Column, Index, Schema, Table};

/// One step.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// A new table.
    CreateTable(Table),
    /// A new column of a table that is there.
    AddColumn {
        /// The table as it will be.
        table: String,
        /// The column.
        column: Column,
    },
    /// A new index of a table that is there.
    AddIndex {
        /// The table.
        table: String,
        /// The index.
        index: Index,
    },
    /// An index that is no longer wanted.
    DropIndex {
        /// The table.
        table: String,
        /// The index.
        index: Index,
    },
    /// A column that is no longer wanted.
    DropColumn {
        /// The table.
        table: String,
        /// The column.
        column: Column,
    },
    /// A column that is another than it was.
    ChangeColumn {
        /// The table.
        table: String,
        /// As it is.
        before: Column,
        /// As it is wanted.
        after: Column,
    },
    /// Another primary key.
    ChangeKey {
        /// The table.
        table: String,
    },
}

/// Every step from `before` to `after`, by table. A table that disappears is none: only `destroy`
/// drops tables (regeneration.md, "Schema evolution").
pub fn difference(before: &Schema, after: &Schema) -> Vec<Change> {
    let mut changes = Vec::new();
    for (name, wanted) in &after.tables {
        match before.tables.get(name) {
            Some(known) => compare(known, wanted, &mut changes),
            None => changes.push(Change::CreateTable(wanted.clone())),
        }
    }
    changes
}

fn compare(before: &Table, after: &Table, changes: &mut Vec<Change>) {
    let table = || after.name.clone();
    if (&before.primary, before.counted) != (&after.primary, after.counted) {
        changes.push(Change::ChangeKey { table: table() });
    }
    for column in &after.columns {
        match before.column(&column.name) {
            None => changes.push(Change::AddColumn {
                table: table(),
                column: column.clone(),
            }),
            Some(known) if !known.same(column) => changes.push(Change::ChangeColumn {
                table: table(),
                before: known.clone(),
                after: column.clone(),
            }),
            Some(_) => {}
        }
    }
    let gone = before
        .columns
        .iter()
        .filter(|column| after.column(&column.name).is_none());
    changes.extend(gone.map(|column| Change::DropColumn {
        table: table(),
        column: column.clone(),
    }));
    let lost = before.indexes.difference(&after.indexes).cloned();
    changes.extend(lost.map(|index| Change::DropIndex {
        table: table(),
        index,
    }));
    let new = after.indexes.difference(&before.indexes).cloned();
    changes.extend(new.map(|index| Change::AddIndex {
        table: table(),
        index,
    }));
}
