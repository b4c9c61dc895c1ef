//! Queries over a model's table.

mod bind;
mod build;
mod conditions;
mod linked;
mod run;
mod selection;

use std::marker::PhantomData;

pub use bind::{bound, column};
pub use build::statement;
pub use linked::Linked;
pub use selection::Selection;

/// A query over a model's table: conditions, order, limit. Built and run by [`sea_query`].
///
/// ```text
/// let dear = Menu::query().eq("menu_status", true).order_by("-menu_price").limit(3).all(ctx).await?;
/// ```
#[derive(Debug, Clone)]
pub struct Query<M> {
    selection: Selection,
    model: PhantomData<fn() -> M>,
}

impl<M> Query<M> {
    /// The same query, without the type of its records.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// The same query, without the type of its records.
    pub fn selection_mut(&mut self) -> &mut Selection {
        &mut self.selection
    }

    /// At most so many rows.
    pub fn limit(&mut self, limit: u64) -> &mut Self {
        self.selection.limit = Some(limit);
        self
    }

    /// Without the first rows.
    pub fn offset(&mut self, offset: u64) -> &mut Self {
        self.selection.offset = Some(offset);
        self
    }

    /// The transaction is going to change the records: until its end others wait for them, with a
    /// change or with a query of this kind. On SQLite they wait for the whole transaction anyway.
    pub fn for_update(&mut self) -> &mut Self {
        self.selection.for_update = true;
        self
    }

    /// Whether it asks for all records in no order: what static SQL answers.
    pub fn is_plain(&self) -> bool {
        self.selection.is_plain()
    }
}
