//! Loaded rows whose type is erased.

use std::{any::Any, sync::Arc};

use formwork_data::{
    error::Result,
    value::{LinkKey, Value},
};

use crate::{context::Context, includes::Includes, outline::Outline};

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
    fn write_attributes(
        &self,
        index: u32,
        out: &mut Vec<u8>,
        links: &mut Vec<u8>,
        outline: Outline<'_>,
        ctx: &Context,
    ) -> Result<()>;

    /// Writes the record at an index as clients see it.
    fn write(
        &self,
        index: u32,
        out: &mut Vec<u8>,
        includes: &Includes,
        ctx: &Context,
    ) -> Result<()>;
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
