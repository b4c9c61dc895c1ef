//! Loaded rows whose type is erased.

use std::{any::Any, collections::HashMap, ops::Range, sync::Arc};

use formwork_data::{
    error::Result,
    value::{LinkKey, Value},
};

use crate::{context::Context, includes::Includes, outline::Outline};

/// Loaded rows of one source, their type erased.
pub(crate) trait Rows: Send + Sync {
    /// The record at an index.
    fn record(&self, index: u32) -> &dyn Any;

    /// The value of a column of the record at an index.
    fn value(&self, index: u32, column: &str) -> Option<Value>;

    /// The key of the record at an index.
    fn key(&self, index: u32) -> LinkKey;

    /// The rows of a relation of the record at an index, if it was loaded.
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
        body: &mut Body<'_>,
        includes: &Includes,
        ctx: &Context,
    ) -> Result<()>;
}

/// The records of an answer while they are written. A row that several records lead to is shaped
/// once, and copied where it appears again.
pub(crate) struct Body<'o> {
    /// The answer so far. A record's rows come behind its own members, and only those may still move.
    pub out: &'o mut Vec<u8>,
    /// The rows that were written: by the address of their list, and their index.
    written: HashMap<(usize, u32), Written>,
    /// How many included rows are written.
    rows: usize,
}

/// A row that was written.
#[derive(Clone)]
struct Written {
    place: Range<usize>,
    /// How many included rows are in it.
    rows: usize,
}

impl<'o> Body<'o> {
    /// Records that are written here.
    pub(crate) fn new(out: &'o mut Vec<u8>) -> Self {
        Self {
            out,
            written: HashMap::new(),
            rows: 0,
        }
    }

    /// Counts included rows that are about to be written.
    ///
    /// # Errors
    /// 400 where an answer would hold too many.
    pub(crate) fn count(&mut self, rows: usize, ctx: &Context) -> Result<()> {
        self.rows += rows;
        ctx.budget().map_or(Ok(()), |budget| budget.write(rows))
    }

    /// Writes an included row, with what is included in it.
    ///
    /// # Errors
    /// As [`Rows::write`] and [`Body::count`].
    pub(crate) fn row(
        &mut self,
        rows: &Arc<dyn Rows>,
        index: u32,
        includes: &Includes,
        ctx: &Context,
    ) -> Result<()> {
        // Rows of one source and level have the same includes wherever they are written.
        let row = (Arc::as_ptr(rows).cast::<()>().addr(), index);
        if let Some(Written { place, rows }) = self.written.get(&row).cloned() {
            self.count(rows, ctx)?;
            self.out.extend_from_within(place);
            return Ok(());
        }
        let (begin, before) = (self.out.len(), self.rows);
        rows.write(index, self, includes, ctx)?;
        let written = Written {
            place: begin..self.out.len(),
            rows: self.rows - before,
        };
        self.written.insert(row, written);
        Ok(())
    }
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
