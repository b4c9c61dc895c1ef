//! Records together with what was loaded for them.

use std::{any::Any, fmt, ops::Deref, sync::Arc};

use formwork_data::{
    error::Result,
    model::{self, Model},
    value::{LinkKey, Value},
};
use serde::{Serialize, Serializer};

use crate::{
    context::Context,
    loader::Includes,
    serializer::{self, Outline},
    transformer::Transformer,
};

/// A record together with its loaded relations. Derefs to the record.
#[derive(Clone)]
pub struct Loaded<M> {
    record: M,
    /// Its key, where the loader noted it.
    key: Option<LinkKey>,
    slots: Vec<Slot>,
}

/// The rows of one relation of one record.
#[derive(Clone)]
pub(crate) struct Slot {
    pub name: &'static str,
    /// Which of the relation's targets the rows are of.
    pub target: usize,
    pub rows: Option<Arc<dyn Rows>>,
    pub members: Members,
}

/// Which of the loaded rows are a record's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Members {
    One(Option<u32>),
    Many(Box<[u32]>),
}

impl Members {
    pub(crate) fn indexes(&self) -> &[u32] {
        match self {
            Self::One(None) => &[],
            Self::One(Some(index)) => std::slice::from_ref(index),
            Self::Many(indexes) => indexes,
        }
    }
}

impl<M> Loaded<M> {
    /// A record without relations.
    #[must_use]
    pub fn new(record: M) -> Self {
        Self {
            record,
            key: None,
            slots: Vec::new(),
        }
    }

    /// The record.
    #[must_use]
    pub fn record(&self) -> &M {
        &self.record
    }

    /// The record alone.
    #[must_use]
    pub fn into_record(self) -> M {
        self.record
    }

    /// The record of a loaded to-one relation: one with `load: always`, or one that is included.
    #[must_use]
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
    #[must_use]
    pub fn has(&self, relation: &str) -> bool {
        self.slot(relation).is_some()
    }

    pub(crate) fn record_mut(&mut self) -> &mut M {
        &mut self.record
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
    #[must_use]
    pub fn get<M: Model>(&self) -> Option<&'a M> {
        self.rows.record(self.index).downcast_ref()
    }

    /// The record with what was loaded for it, where it is an `M`.
    #[must_use]
    pub fn loaded<M: Model>(&self) -> Option<&'a Loaded<M>> {
        self.rows.loaded(self.index).downcast_ref()
    }

    /// The value of a column, whatever the type of the record; null where it has no such column.
    #[must_use]
    pub fn value(&self, column: &str) -> Value {
        self.rows.value(self.index, column).unwrap_or_default()
    }

    /// The record as its own transformer shows it, to be embedded in another.
    #[must_use]
    pub fn shown(&self, ctx: &'a Context) -> impl Serialize + use<'a> {
        Shown {
            rows: self.rows,
            index: self.index,
            ctx,
        }
    }
}

struct Shown<'a> {
    rows: &'a dyn Rows,
    index: u32,
    ctx: &'a Context,
}

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut json = Vec::new();
        let written = self
            .rows
            .write(self.index, &mut json, Includes::none(), self.ctx);
        written.map_err(serde::ser::Error::custom)?;
        let value: serde_json::Value =
            serde_json::from_slice(&json).map_err(serde::ser::Error::custom)?;
        value.serialize(serializer)
    }
}

/// Loaded rows of one source, their type erased.
pub(crate) trait Rows: Send + Sync {
    /// The record at an index.
    fn record(&self, index: u32) -> &dyn Any;

    /// The [`Loaded`] at an index.
    fn loaded(&self, index: u32) -> &dyn Any;

    /// The value of a column of the record at an index.
    fn value(&self, index: u32, column: &str) -> Option<Value>;

    /// The key of the record at an index.
    fn key(&self, index: u32) -> LinkKey;

    /// What a relation of the record at an index leads to, if it was loaded.
    fn slot(&self, index: u32, relation: &str) -> Option<&Slot>;

    /// Writes the attributes of the record at an index; its links go to `links`.
    ///
    /// # Errors
    /// 500 where its transformer returns no object.
    fn write_attributes(
        &self,
        index: u32,
        out: &mut Vec<u8>,
        links: &mut Vec<u8>,
        outline: Outline<'_>,
        ctx: &Context,
    ) -> Result<()>;

    /// Writes the record at an index as clients see it.
    ///
    /// # Errors
    /// 500 where its transformer returns no object.
    fn write(
        &self,
        index: u32,
        out: &mut Vec<u8>,
        includes: &Includes,
        ctx: &Context,
    ) -> Result<()>;
}

/// Rows that a transformer shapes.
pub(crate) struct RowsOf<T: Transformer>(pub Vec<Loaded<T::Model>>);

impl<T: Transformer> RowsOf<T> {
    /// The loader hands out indexes of rows it has pushed.
    fn at(&self, index: u32) -> &Loaded<T::Model> {
        &self.0[index as usize]
    }
}

impl<T: Transformer> Rows for RowsOf<T> {
    fn record(&self, index: u32) -> &dyn Any {
        self.at(index).record()
    }

    fn loaded(&self, index: u32) -> &dyn Any {
        self.at(index)
    }

    fn value(&self, index: u32, column: &str) -> Option<Value> {
        model::value_of(self.at(index).record(), column)
    }

    fn key(&self, index: u32) -> LinkKey {
        let loaded = self.at(index);
        let noted = loaded.key.clone();
        noted
            .or_else(|| LinkKey::of(&loaded.record().key().into()))
            .unwrap_or(LinkKey::Int(0))
    }

    fn slot(&self, index: u32, relation: &str) -> Option<&Slot> {
        self.at(index).slot(relation)
    }

    fn write_attributes(
        &self,
        index: u32,
        out: &mut Vec<u8>,
        links: &mut Vec<u8>,
        outline: Outline<'_>,
        ctx: &Context,
    ) -> Result<()> {
        serializer::write_attributes::<T>(out, links, self.at(index), outline, ctx)
    }

    fn write(
        &self,
        index: u32,
        out: &mut Vec<u8>,
        includes: &Includes,
        ctx: &Context,
    ) -> Result<()> {
        serializer::write_record::<T>(out, self.at(index), includes, ctx)
    }
}
