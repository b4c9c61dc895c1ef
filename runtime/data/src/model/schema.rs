//! What is known of a model without a record: its columns, relations and static SQL.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use super::Model;
use crate::{
    column::{ColumnInfo, Describe},
    database::{LIMIT, OFFSET, quoted, quoted_list},
    relations::{Relation, Relations},
};

/// A model's table, described once per program.
#[derive(Debug)]
pub struct Schema {
    /// The table.
    pub table: &'static str,
    /// The primary key's column.
    pub key: &'static str,
    /// All columns, in the order of the SELECT.
    pub columns: Vec<ColumnInfo>,
    /// Whether the runtime sets `created_at`.
    pub created_at: bool,
    /// Whether the runtime sets `updated_at`.
    pub updated_at: bool,
    pub(crate) sql: Statements,
}

/// The statements that are the same every time.
#[derive(Debug)]
pub(crate) struct Statements {
    /// One record by its key.
    pub find: Arc<str>,
    /// A page of all records in the order of their keys; the last column is their number.
    pub page: Arc<str>,
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
    /// The description of `M`.
    #[must_use]
    pub fn of<M: Model>() -> &'static Self {
        &described::<M>().schema
    }

    /// The column of this name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&ColumnInfo> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The position of the key in the SELECT.
    pub fn key_index(&self) -> usize {
        self.columns
            .iter()
            .position(|column| column.name == self.key)
            .unwrap_or_default()
    }

    fn new<M: Model>() -> Self {
        let mut describe = Describe::default();
        // This visitor finds nothing wrong.
        let _ = M::default().columns(&mut describe);
        let sql = Statements::new(M::TABLE, M::KEY, &describe.columns);
        Self {
            table: M::TABLE,
            key: M::KEY,
            columns: describe.columns,
            created_at: describe.created_at,
            updated_at: describe.updated_at,
            sql,
        }
    }
}

impl Statements {
    fn new(table: &str, key: &str, columns: &[ColumnInfo]) -> Self {
        let table = quoted(table);
        let quoted_key = quoted(key);
        let list = quoted_list(columns.iter().map(|column| column.name));
        let count = format!("SELECT COUNT(*) FROM {table}");
        let insert = |names: Vec<&str>| {
            let marks = vec!["?"; names.len()].join(", ");
            format!(
                "INSERT INTO {table} ({}) VALUES ({marks})",
                quoted_list(names)
            )
            .into()
        };
        let all = columns.iter().map(|column| column.name);
        Self {
            find: format!("SELECT {list} FROM {table} WHERE {quoted_key} = ?").into(),
            // A scalar subquery is computed once; a window would gather every row of the table.
            page: format!(
                "SELECT {list}, ({count}) FROM {table} ORDER BY {quoted_key}{LIMIT}{OFFSET}"
            )
            .into(),
            insert: insert(all.clone().collect()),
            insert_counted: insert(all.filter(|name| *name != key).collect()),
            delete: format!("DELETE FROM {table} WHERE {quoted_key} = ?").into(),
            count: count.into(),
        }
    }
}

/// What is known of a model.
pub struct Described<M: Model> {
    pub schema: Schema,
    pub relations: Vec<Relation<M>>,
}

type Known = HashMap<TypeId, &'static (dyn Any + Send + Sync)>;

/// Models are types of the program: there are few, and they live as long as it does.
static KNOWN: RwLock<Option<Known>> = RwLock::new(None);

/// What is known of `M`; found out at the first call.
pub fn described<M: Model>() -> &'static Described<M> {
    let id = TypeId::of::<M>();
    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
    let found = known
        .as_ref()
        .and_then(|known| known.get(&id))
        .and_then(|any| any.downcast_ref());
    if let Some(found) = found {
        return found;
    }
    drop(known);
    let mut relations = Relations::default();
    M::relations(&mut relations);
    let schema = Schema::new::<M>();
    for relation in &mut relations.list {
        relation.assume_columns(&schema);
    }
    let described: &'static Described<M> = Box::leak(Box::new(Described {
        schema,
        relations: relations.list,
    }));
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    known.get_or_insert_default().entry(id).or_insert(described);
    described
}
