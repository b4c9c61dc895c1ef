//! Finding records in the caller's reach.

use formwork_data::{
    error::Result,
    model::{Model, Schema},
    query::{Query, QueryInPlace},
};

use super::{Repository, location};
use crate::{
    context::Context,
    filters::{self, Filters},
    params::Params,
};

/// A page of records.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<M> {
    /// The records on it.
    pub records: Vec<M>,
    /// How many there are on all pages.
    pub total: u64,
}

/// The query over all records in the caller's reach: its own where they are owned, those of its
/// locations where they are bound, and what `extend_query` leaves.
pub(crate) fn scoped<R: Repository>(ctx: &Context) -> Result<Query<R::Model>> {
    let mut query = Query::new();
    if let (Some(owner), Some(customer)) = (R::OWNER, ctx.customer_id()) {
        query = query.eq(owner, customer);
    }
    location::narrow::<R>(&mut query, ctx)?;
    R::extend_query(&mut query, ctx)?;
    Ok(query)
}

/// The query over the records in the caller's reach that the client asked for, in no order.
pub(super) fn filtered<R: Repository>(ctx: &Context, params: &Params) -> Result<Query<R::Model>> {
    let mut query = scoped::<R>(ctx)?;
    let mut named = Filters::default();
    R::filters(&mut named);
    named.apply(&mut query, ctx, params)?;
    filters::compare_columns(query.selection_mut(), ctx, params)?;
    filters::search(query.selection_mut(), ctx, R::SEARCH, params.search());
    Ok(query)
}

/// A page of the records that the caller may see, by the parameters of the request. One statement;
/// a second one counts where the page is past the end.
///
/// # Errors
/// 400 for values of filters that do not parse; what the database answers.
pub async fn page<R: Repository>(ctx: &Context, params: &Params) -> Result<Page<R::Model>> {
    let mut query = filtered::<R>(ctx, params)?;
    for key in params.sort() {
        if Schema::of::<R::Model>().column(key.column).is_some() {
            query = query.sort(key.column, key.descending);
        } else {
            R::order(&mut query, *key, ctx).await?;
        }
    }
    let page = params.page();
    let query = query.limit(u64::from(page.size)).offset(page.offset());
    let (records, total) = query.page(ctx).await?;
    Ok(Page { records, total })
}

/// The record with this key, if it is in the caller's reach. One statement.
///
/// # Errors
/// The database's error.
pub async fn find<R: Repository>(
    ctx: &Context,
    key: <R::Model as Model>::Key,
) -> Result<Option<R::Model>> {
    scoped::<R>(ctx)?.find(ctx, key.into()).await
}

/// As [`find`], of a record that the transaction is going to change.
pub(crate) async fn find_for_update<R: Repository>(
    ctx: &Context,
    key: <R::Model as Model>::Key,
) -> Result<Option<R::Model>> {
    let query = scoped::<R>(ctx)?.for_update();
    query.find(ctx, key.into()).await
}
