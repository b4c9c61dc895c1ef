//! Transformers: they shape records for clients.

use formwork_data::{error::Result, model::Model, shape::Shape};
use serde::{Serialize, Serializer, ser::Error as _};

pub use crate::links::Links;

use crate::{context::Context, loaded::Loaded};

/// Shapes the records of one model for clients.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a transformer",
    label = "expected a type that implements `Transformer`",
    note = "write `impl Transformer for {Self} {{ type Model = …; fn transform(…) … }}`"
)]
pub trait Transformer: Send + Sync + 'static {
    /// The model whose records it shapes.
    type Model: Model;

    /// The record as clients see it: a struct, a map, or `record.record()` for all its attributes.
    /// An included row is shaped once, however many records of an answer it is included in.
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

/// Wraps a transformer's value whose parts may fail, such as a relation that has to be loaded:
///
/// ```
/// # mod formwork {
/// #     pub mod prelude {
/// #         pub use formwork_core::context::Context;
/// #         pub use formwork_core::loaded::{Loaded, LoadedRecord};
/// #         pub use formwork_core::transformer::fallible;
/// #         pub use formwork_data::model::Model;
/// #     }
/// # }
/// use formwork::prelude::*;
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct DishData {
///     drinks: usize,
/// }
///
/// # trait Shows {
/// # type Model: Model;
/// fn transform<'a>(dish: &'a Loaded<Self::Model>, _ctx: &'a Context) -> impl Serialize + 'a {
///     fallible(|| {
///         Ok(DishData {
///             drinks: dish.to_many::<Self::Model>("drinks")?.len(),
///         })
///     })
/// }
/// # }
/// ```
///
/// An error is a 500 whatever it is, and the log has its message.
pub fn fallible<T: Serialize>(show: impl FnOnce() -> Result<T>) -> Fallible<T> {
    Fallible(show())
}

/// The result of [`fallible`].
#[derive(Debug)]
pub struct Fallible<T>(Result<T>);

impl<T: Serialize> Serialize for Fallible<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Ok(shown) => shown.serialize(serializer),
            Err(error) => Err(S::Error::custom(error)),
        }
    }
}
