//! Records with their loaded relations.

mod relations;

pub use relations::LoadedRecord;

use std::{fmt, ops::Deref};

use formwork_data::{
    model::Model,
    value::{LinkKey, Value},
};

use crate::rows::{Rows, Slot};

/// A record together with its loaded relations. Derefs to the record.
#[derive(Clone)]
pub struct Loaded<M> {
    record: M,
    /// Its key, where the loader noted it.
    key: Option<LinkKey>,
    slots: Vec<Slot>,
    /// Whether it is not stored yet: it has no related records.
    is_blank: bool,
}

impl<M> Loaded<M> {
    /// A record without loaded relations.
    pub fn new(record: M) -> Self {
        Self {
            record,
            key: None,
            slots: Vec::new(),
            is_blank: false,
        }
    }

    /// A record that is not stored yet, as the action `create` shows it: all its relations are empty.
    pub fn blank(record: M) -> Self {
        Self {
            is_blank: true,
            ..Self::new(record)
        }
    }

    /// The record itself, without its relations.
    pub fn record(&self) -> &M {
        &self.record
    }

    /// The record of a loaded to-one relation: one with `load: always`, or one that is included.
    pub fn one(&self, relation: &str) -> Option<Related<'_>> {
        self.many(relation).next()
    }

    /// The records of a loaded relation.
    pub fn many(&self, relation: &str) -> impl Iterator<Item = Related<'_>> {
        let slot = self.slot(relation);
        let indexes = slot.map_or(&[][..], |slot| slot.members.indexes());
        let rows = slot.and_then(|slot| slot.rows.as_deref());
        indexes.iter().filter_map(move |index| {
            Some(Related {
                rows: rows?,
                index: *index,
            })
        })
    }

    /// Whether a relation was loaded.
    pub fn has(&self, relation: &str) -> bool {
        self.slot(relation).is_some()
    }

    pub(crate) fn record_mut(&mut self) -> &mut M {
        &mut self.record
    }

    pub(crate) fn noted_key(&self) -> Option<&LinkKey> {
        self.key.as_ref()
    }

    pub(crate) fn note_key(&mut self, key: Option<LinkKey>) {
        self.key = key;
    }

    pub(crate) fn slot(&self, relation: &str) -> Option<&Slot> {
        self.slots.iter().find(|slot| slot.name == relation)
    }

    pub(crate) fn put(&mut self, slot: Slot) {
        self.slots.push(slot);
    }
}

impl<M> Deref for Loaded<M> {
    type Target = M;

    fn deref(&self) -> &M {
        &self.record
    }
}

impl<M: fmt::Debug> fmt::Debug for Loaded<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relations: Vec<&str> = self.slots.iter().map(|slot| slot.name).collect();
        f.debug_struct("Loaded")
            .field("record", &self.record)
            .field("relations", &relations)
            .finish()
    }
}

/// A record of a loaded relation.
#[derive(Clone, Copy)]
pub struct Related<'a> {
    rows: &'a dyn Rows,
    index: u32,
}

impl<'a> Related<'a> {
    /// The record, where it is an `M`.
    pub fn get<M: Model>(&self) -> Option<&'a M> {
        self.rows.record(self.index).downcast_ref()
    }

    /// The record with its loaded relations, where it is an `M`.
    pub fn loaded<M: Model>(&self) -> Option<&'a Loaded<M>> {
        self.rows.loaded(self.index).downcast_ref()
    }

    /// The value of a column, whatever the type of the record; null where it has no such column.
    pub fn value(&self, column: &str) -> Value {
        self.rows.value(self.index, column).unwrap_or_default()
    }
}
