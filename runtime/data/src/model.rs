//! Models: a row of a table, its columns and its relations.

pub mod change;
mod described;
mod fill;
mod missing;
mod schema;

use std::any::Any;

use serde::Serialize;

pub use crate::column::{Column, ColumnInfo, Columns, Key, Kind};
pub use described::described;
pub use fill::{fill, fill_at};
pub use missing::check_foreign;
pub use schema::Schema;

use crate::{
    column::{Describe, Owned, Pick, Read, Values},
    database::Row,
    error::{Error, Result},
    relations::Relations,
    shape::{Shape, Shaped},
    value::Value,
};

/// A row of a table.
///
/// `columns` is all the runtime knows of a model's fields: the SELECT, reading, writing and
/// filling from a body follow from it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model",
    label = "expected a type that implements `Model`",
    note = "write `impl Model for {Self} {{ type Key = i64; const TABLE …; const KEY …; fn columns(…) … }}`"
)]
pub trait Model: Clone + Default + Serialize + Send + Sync + 'static {
    /// The type of the primary key: `i64`, `Uuid` or `String`.
    type Key: Key;

    /// The table.
    const TABLE: &'static str;

    /// The primary key's column.
    const KEY: &'static str;

    /// The columns that identify a row together with the key, where the key alone does not: in a table between two
    /// others. They are part of its `id` in JSON:API documents, since type and id identify an object there
    /// (jsonapi.org, "Resource Objects").
    const KEY_WITH: &'static [&'static str] = &[];

    /// The columns that are never sent to clients: their fields have `#[serde(skip)]`. No list is
    /// sorted, filtered or searched by them, since clients could guess their values.
    const HIDDEN: &'static [&'static str] = &[];

    /// The columns whose default the database evaluates, such as `now()`: an INSERT leaves them out
    /// where the field is null.
    const DEFAULTED: &'static [&'static str] = &[];

    /// The columns that the database alone sets, such as generated ones: no statement writes them.
    const COMPUTED: &'static [&'static str] = &[];

    /// Whether migrations of the project make its table (`managed`). SQLite has no type for moments: the tables of
    /// another program hold them as that program writes them, mostly `2026-01-31 12:00:00`. There they are compared in
    /// whichever form a row has, and written in this one.
    const MANAGED: bool = true;

    /// Shows every column to a visitor, one line each, in an order that never changes.
    ///
    /// # Errors
    /// The error of the visitor.
    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()>;

    /// A new record.
    fn defaults() -> Self {
        Self::default()
    }

    /// The JSON of its records: every column but the hidden ones, the key as `id`. Override it if
    /// serde attributes change names or values of fields.
    fn attributes(to: &mut Shape) {
        let mut describe = Describe::default();
        // This visitor returns no errors.
        let _ = Self::default().columns(&mut describe);
        to.columns(&describe.columns, Self::KEY, Self::HIDDEN);
    }

    /// Names the relations, one line each.
    fn relations(to: &mut Relations<Self>) {
        let _ = to;
    }

    /// The primary key.
    fn key(&self) -> Self::Key {
        let mut taken = TakeKey(None);
        // This visitor returns no errors.
        let _ = self.clone().columns(&mut taken);
        taken.0.unwrap_or_default()
    }
}

impl<M: Model> Shaped for M {
    fn shape(to: &mut Shape) {
        M::attributes(to);
    }
}

struct TakeKey<K>(Option<K>);

impl<K: Key> Columns for TakeKey<K> {
    fn column<T: Column>(&mut self, _name: &'static str, _field: &mut T) -> Result<()> {
        Ok(())
    }

    fn key<T: Key>(&mut self, _name: &'static str, field: &mut T) -> Result<()> {
        self.0 = (field as &dyn Any).downcast_ref::<K>().cloned();
        Ok(())
    }
}

/// The value of a column; `None` where the model has no such column.
#[must_use]
pub fn value_of<M: Model>(record: &M, column: &str) -> Option<Value> {
    pick(&mut record.clone(), column)
}

/// As [`value_of`], without a copy of the record: visitors take a mutable record.
pub(crate) fn pick<M: Model>(record: &mut M, column: &str) -> Option<Value> {
    let mut pick = Pick {
        name: column,
        value: None,
    };
    // This visitor returns no errors.
    let _ = record.columns(&mut pick);
    pick.value
}

/// Sets the owner of a record.
///
/// # Errors
/// 500 where the model has no such column, or it cannot hold a key.
pub fn set_owner<M: Model>(record: &mut M, column: &str, owner: i64) -> Result<()> {
    let mut visitor = Owned {
        column,
        owner,
        set: false,
    };
    record.columns(&mut visitor)?;
    if visitor.set {
        Ok(())
    } else {
        Err(Error::internal(format!(
            "`{}` has no owner column `{column}`",
            M::TABLE
        )))
    }
}

/// The record in a row whose columns have the order of [`Model::columns`].
pub fn read<M: Model>(row: &Row) -> Result<M> {
    let mut record = M::default();
    record.columns(&mut Read::new(row))?;
    Ok(record)
}

/// All values, in the order of [`Model::columns`].
///
/// # Errors
/// The error of the visitor.
pub fn values<M: Model>(record: &mut M) -> Result<Vec<Value>> {
    let mut values = Values::default();
    record.columns(&mut values)?;
    Ok(values.0)
}
