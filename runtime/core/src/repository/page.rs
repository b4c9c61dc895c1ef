//! Finding records in the caller's reach.

use formwork_data::{
    error::Result,
    model::Schema,
    query::{Query, QueryInPlace},
};

use super::{Repository, RepositoryExt};
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

/// The query over the records in the caller's reach that the client asked for, in no order.
pub(super) fn filtered<R: Repository>(ctx: &Context, params: &Params) -> Result<Query<R::Model>> {
    let mut query = R::visible(ctx)?;
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
