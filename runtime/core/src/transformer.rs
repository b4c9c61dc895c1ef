//! Transformers: they shape records for clients.

use formwork_data::{model::Model, shape::Shape};
use serde::Serialize;

pub use crate::links::Links;

use crate::{context::Context, loaded::Loaded};

/// Shapes the records of one model for clients.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no transformer",
    label = "expected a type that implements `Transformer`",
    note = "write `impl Transformer for {Self} {{ type Model = …; fn transform(…) … }}`"
)]
pub trait Transformer: Send + Sync + 'static {
    /// The model whose records it shapes.
    type Model: Model;

    /// The record as clients see it: a struct, a map, or `record.record()` for all its attributes.
    fn transform<'a>(record: &'a Loaded<Self::Model>, ctx: &'a Context) -> impl Serialize + 'a;

    /// Declares what [`Transformer::transform`] shows, for the OpenAPI description and for
    /// `fields[…]`: `to.flatten::<Menu>();` where it is the record, or a line for each field of the
    /// struct.
    ///
    /// Without a shape, records are described as objects of any members, and `fields[…]` takes any
    /// name. A debug build with the feature `testing` panics where a record contradicts its shape.
    fn shape(to: &mut Shape) {
        let _ = to;
    }
}
