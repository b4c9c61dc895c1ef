//! Rows that a transformer shapes.

use std::any::Any;

use formwork_data::{
    error::Result,
    model::{self, Model},
    value::{LinkKey, Value},
};

use super::data::{write_attributes, write_record};
use crate::{
    context::Context,
    includes::Includes,
    loaded::Loaded,
    outline::Outline,
    rows::{Body, Rows, Slot},
    transformer::Transformer,
};

/// Rows that a transformer shapes.
pub(crate) struct RowsOf<T: Transformer> {
    records: Vec<Loaded<T::Model>>,
    /// The context that they are shown in, if it is another one than that of the request.
    ctx: Option<Context>,
}

impl<T: Transformer> RowsOf<T> {
    /// Rows that are shown in the context of the request.
    pub fn new(records: Vec<Loaded<T::Model>>) -> Self {
        Self::shown_in(records, None)
    }

    /// Rows that are shown in another context, if there is one.
    pub fn shown_in(records: Vec<Loaded<T::Model>>, ctx: Option<Context>) -> Self {
        Self { records, ctx }
    }

    /// The loader hands out indexes of rows it has pushed.
    fn at(&self, index: u32) -> &Loaded<T::Model> {
        &self.records[index as usize]
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
        if !T::Model::KEY_WITH.is_empty() {
            return LinkKey::Text(composed_key(loaded.record()));
        }
        let noted = loaded.noted_key().cloned();
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
        let ctx = self.ctx.as_ref().unwrap_or(ctx);
        write_attributes::<T>(out, links, self.at(index), outline, ctx)
    }

    fn write(
        &self,
        index: u32,
        body: &mut Body<'_>,
        includes: &Includes,
        ctx: &Context,
    ) -> Result<()> {
        let ctx = self.ctx.as_ref().unwrap_or(ctx);
        write_record::<T>(body, self.at(index), includes, ctx)
    }
}

/// The values of all columns that identify a row, `7:3`.
fn composed_key<M: Model>(record: &M) -> String {
    let columns = std::iter::once(&M::KEY).chain(M::KEY_WITH);
    let values = columns.map(|column| model::value_of(record, column).unwrap_or(Value::Null));
    // No value contains the sign between them.
    let texts = values.map(|value| value.to_string().replace('%', "%25").replace(':', "%3A"));
    texts.collect::<Vec<String>>().join(":")
}
