//! Queries over a model's table.

mod bind;
mod build;
mod conditions;
mod run;

use std::marker::PhantomData;

use sea_query::{Condition, Expr, Order};

pub use bind::{bound, column};
pub use build::{Linked, statement};

/// A query over a model's table: conditions, order, limit. Built and run by [`sea_query`].
///
/// ```text
/// let dear = Menu::query().eq("menu_status", true).order_by("-menu_price").limit(3).all(ctx).await?;
/// ```
#[derive(Debug, Clone)]
pub struct Query<M> {
    conditions: Condition,
    order: Vec<(Expr, Order)>,
    limit: Option<u64>,
    offset: Option<u64>,
    model: PhantomData<fn() -> M>,
}

impl<M> Default for Query<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M> Query<M> {
    /// All records.
    #[must_use]
    pub fn new() -> Self {
        Self {
            conditions: Condition::all(),
            order: Vec::new(),
            limit: None,
            offset: None,
            model: PhantomData,
        }
    }

    /// At most so many rows.
    pub fn limit(&mut self, limit: u64) -> &mut Self {
        self.limit = Some(limit);
        self
    }

    /// Without the first rows.
    pub fn offset(&mut self, offset: u64) -> &mut Self {
        self.offset = Some(offset);
        self
    }

    /// Whether it asks for all records in no order: what static SQL answers.
    pub fn is_plain(&self) -> bool {
        self.conditions.is_empty() && self.order.is_empty()
    }
}
