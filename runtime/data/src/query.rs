//! Queries over a model's table.

mod bind;
mod binding;
mod build;
mod building;
mod keyset;
mod linked;
mod run;
mod selection;

use std::marker::PhantomData;

pub use bind::{bound, column};
pub use build::statement;
pub use building::QueryInPlace;
pub use keyset::{raw_comparison, raw_values};
pub use linked::Linked;
pub use selection::Selection;

/// A query over a model's table: conditions, order, limit. Built and run by [`sea_query`].
///
/// ```text
/// let dear = MenuRepository::visible(ctx)?.order_by("-menu_price").limit(3).all(ctx).await?;
/// ```
#[derive(Debug, Clone)]
pub struct Query<M> {
    selection: Selection,
    model: PhantomData<fn() -> M>,
}

impl<M> Query<M> {
    /// The same query, without the type of its records.
    #[doc(hidden)]
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// Whether it selects all records without an order, for which there is static SQL.
    #[doc(hidden)]
    pub fn is_plain(&self) -> bool {
        self.selection.is_plain()
    }
}
