//! A table: its columns and its static SQL.

use std::sync::Arc;

use crate::{
    column::ColumnInfo,
    database::{Dialect, quoted, quoted_list},
    value::Value,
};

/// A model's table, described once per program.
#[derive(Debug)]
pub struct Schema {
    /// The name of the table.
    pub table: &'static str,
    /// The primary key's column.
    pub key: &'static str,
    /// All columns, in the order of the SELECT.
    pub columns: Vec<ColumnInfo>,
    /// Whether the runtime sets `created_at`.
    pub created_at: bool,
    /// Whether the runtime sets `updated_at`.
    pub updated_at: bool,
    /// Columns that an INSERT leaves out where they are null.
    pub(crate) defaulted: &'static [&'static str],
    /// Columns that are never written.
    pub(crate) computed: &'static [&'static str],
    pub(crate) sql: Statements,
}

/// The statements that are the same every time.
#[derive(Debug)]
pub(crate) struct Statements {
    /// One record by its key.
    pub find: Arc<str>,
    /// A page of all records in the order of their keys, for each dialect; the last column is their
    /// number.
    pages: [(Dialect, Arc<str>); 3],
    /// How many records there are.
    pub count: Arc<str>,
    /// A new record with its key.
    pub insert: Arc<str>,
    /// A new record whose key the database counts.
    pub insert_counted: Arc<str>,
    /// One record less.
    pub delete: Arc<str>,
}

impl Schema {
    /// The column of this name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&ColumnInfo> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Whether an INSERT leaves this value to the database.
    pub(crate) fn leaves_out(&self, column: &str, value: &Value) -> bool {
        self.computed.contains(&column) || (value.is_null() && self.defaulted.contains(&column))
    }

    /// Brings values, in the order of the columns, into the form that the columns store.
    pub(crate) fn store(&self, dialect: Dialect, values: &mut [Value]) {
        for (info, value) in self.columns.iter().zip(values) {
            *value = info.stored(dialect, std::mem::take(value));
        }
    }

    /// The position of the key in the SELECT.
    pub fn key_index(&self) -> usize {
        self.columns
            .iter()
            .position(|column| column.name == self.key)
            .unwrap_or_default()
    }
}

/// An INSERT of one row; the name of the table is quoted.
pub(super) fn inserting(table: &str, columns: &[&str]) -> String {
    let marks = vec!["?"; columns.len()].join(", ");
    let columns = quoted_list(columns.iter().copied());
    format!("INSERT INTO {table} ({columns}) VALUES ({marks})")
}

impl Statements {
    pub(super) fn new(table: &str, key: &str, columns: &[ColumnInfo]) -> Self {
        let table = quoted(table);
        let quoted_key = quoted(key);
        let list = quoted_list(columns.iter().map(|column| column.name));
        let count = format!("SELECT COUNT(*) FROM {table}");
        let insert = |names: Vec<&str>| inserting(&table, &names).into();
        let all = columns.iter().map(|column| column.name);
        Self {
            find: format!("SELECT {list} FROM {table} WHERE {quoted_key} = ?").into(),
            // A scalar subquery is computed once; a window would gather every row of the table.
            pages: Dialect::ALL.map(|dialect| {
                let (limit, offset) = (dialect.limit(), dialect.offset());
                let page = format!(
                    "SELECT {list}, ({count}) FROM {table} ORDER BY {quoted_key}{limit}{offset}"
                );
                (dialect, page.into())
            }),
            insert: insert(all.clone().collect()),
            insert_counted: insert(all.filter(|name| *name != key).collect()),
            delete: format!("DELETE FROM {table} WHERE {quoted_key} = ?").into(),
            count: count.into(),
        }
    }

    /// A page of all records in the order of their keys; the last column is their number.
    pub fn page(&self, dialect: Dialect) -> &Arc<str> {
        let [first, ..] = &self.pages;
        let page = self.pages.iter().find(|(it, _)| *it == dialect);
        &page.unwrap_or(first).1
    }
}
