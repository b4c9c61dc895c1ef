//! Queries and changes of a model's records.

use std::future::Future;

use crate::{
    context::DataContext,
    error::Result,
    model::{Model, change},
    query::Query,
};

/// Queries and changes records of a [`Model`]. Every model has these methods; the prelude brings them
/// into scope.
pub trait ModelExt: Model {
    /// Starts a query over every row of the table, whoever asks: not only over the rows that the
    /// caller may see. `OrderRepository::visible(&ctx)` is the query for rows that a response shows.
    ///
    /// ```text
    /// let dear = Menu::unscoped().order_by("-menu_price").limit(3).all(ctx).await?;
    /// ```
    #[must_use]
    fn unscoped() -> Query<Self> {
        Query::new()
    }

    /// Inserts the record; sets its key and its timestamps.
    ///
    /// # Errors
    /// 422 naming the column where a constraint is violated; what the database answers otherwise.
    fn insert(&mut self, ctx: &impl DataContext) -> impl Future<Output = Result<()>> + Send {
        change::insert(ctx, self)
    }

    /// Inserts the record, or updates the row that has the same values in the columns `unique`: all
    /// its columns but these, the key and `created_at`. Then the record is the stored row. One
    /// statement, in which no other writer comes between.
    ///
    /// ```text
    /// let mut rating = Rating { dish_id, guest_id, stars, ..Rating::default() };
    /// rating.upsert(ctx, &[Rating::DISH_ID, Rating::GUEST_ID]).await?;
    /// ```
    ///
    /// # Errors
    /// As [`ModelExt::insert`]; 500 where the table has no unique index over exactly these columns.
    fn upsert(
        &mut self,
        ctx: &impl DataContext,
        unique: &[&'static str],
    ) -> impl Future<Output = Result<()>> + Send {
        change::upsert(ctx, self, unique)
    }

    /// Writes all columns; sets `updated_at`.
    ///
    /// # Errors
    /// As [`ModelExt::insert`]; 404 where the row was deleted.
    fn update(&mut self, ctx: &impl DataContext) -> impl Future<Output = Result<()>> + Send {
        change::update_all(ctx, self)
    }

    /// Deletes the record, and detaches it from its many-to-many relations.
    ///
    /// # Errors
    /// 409 where other records depend on it.
    fn delete(&self, ctx: &impl DataContext) -> impl Future<Output = Result<()>> + Send {
        change::delete(ctx, self)
    }
}

impl<M: Model> ModelExt for M {}
