//! The effect of a change: the record as it was, the changed columns, the written relations.

use std::{
    any::{Any, TypeId},
    sync::{Arc, Mutex, PoisonError},
};

use formwork_data::{
    error::Result,
    model::{self, Model, Schema},
    value::Value,
};
use serde::Serialize;

/// A column whose value a change replaces.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ColumnChange {
    /// The name of the column that changed.
    pub column: &'static str,
    /// The value before the change; null in a new record.
    pub old: Value,
    /// The value after the change; null in a deleted record.
    pub new: Value,
}

/// A to-many relation whose links a change wrote.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RelationChange {
    /// The name of the relation.
    pub relation: &'static str,
    /// The keys of the rows that were linked.
    pub attached: Vec<Value>,
    /// The keys of the rows whose links were removed.
    pub detached: Vec<Value>,
}

/// The change that hooks run in.
#[derive(Clone)]
pub(crate) struct Changing {
    model: TypeId,
    original: Option<Arc<dyn Any + Send + Sync>>,
    deletes: bool,
    relations: Arc<Mutex<Vec<RelationChange>>>,
}

impl Changing {
    /// A new record.
    pub fn create<M: Model>() -> Self {
        Self::of::<M>(None, false)
    }

    /// Another state of this record.
    pub fn update<M: Model>(original: &Arc<M>) -> Self {
        Self::of(Some(original), false)
    }

    /// The end of this record.
    pub fn delete<M: Model>(original: &Arc<M>) -> Self {
        Self::of(Some(original), true)
    }

    fn of<M: Model>(original: Option<&Arc<M>>, deletes: bool) -> Self {
        let erased = |it: &Arc<M>| -> Arc<dyn Any + Send + Sync> { Arc::<M>::clone(it) };
        Self {
            model: TypeId::of::<M>(),
            original: original.map(erased),
            deletes,
            relations: Arc::default(),
        }
    }

    /// The record as it was, if it has this type.
    pub fn original<M: Model>(&self) -> Option<&M> {
        self.original.as_deref()?.downcast_ref()
    }

    /// The columns in which the record differs from its original. Hidden columns are left out, and
    /// `updated_at`, which each change writes.
    pub fn columns<M: Model>(&self, record: &M) -> Result<Vec<ColumnChange>> {
        if self.model != TypeId::of::<M>() {
            return Ok(Vec::new());
        }
        let values = |record: &M| model::values(&mut record.clone());
        let old = self.original::<M>().map(values).transpose()?;
        let new = (!self.deletes).then(|| values(record)).transpose()?;
        let at = |values: &Option<Vec<Value>>, at: usize| {
            let value = values.as_ref().and_then(|values| values.get(at));
            value.cloned().unwrap_or_default()
        };
        let schema = Schema::of::<M>();
        let stamp = schema.updated_at.then_some("updated_at");
        let columns = schema.columns.iter().enumerate();
        let changes = columns.map(|(index, info)| ColumnChange {
            column: info.name,
            old: at(&old, index),
            new: at(&new, index),
        });
        let is_shown = |column| !M::HIDDEN.contains(&column) && stamp != Some(column);
        let counts = |it: &ColumnChange| it.old != it.new && is_shown(it.column);
        Ok(changes.filter(counts).collect())
    }

    /// Notes that the links of a relation were written, of a record of this model.
    pub fn note<M: Model>(&self, change: RelationChange) {
        let is_none = change.attached.is_empty() && change.detached.is_empty();
        if self.model == TypeId::of::<M>() && !is_none {
            let relations = self.relations.lock();
            let mut relations = relations.unwrap_or_else(PoisonError::into_inner);
            relations.push(change);
        }
    }

    /// The relations that were written so far.
    pub fn relations(&self) -> Vec<RelationChange> {
        let relations = self.relations.lock();
        relations.unwrap_or_else(PoisonError::into_inner).clone()
    }
}
