//! One record: show, edit, create.

use super::{change::in_reach, incoming::reading, render};
use crate::{
    context::Context,
    controller::{KeyOf, RestController},
    error::Result,
    etag,
    model::Model,
    request::form,
    response::Response,
};

/// Answers one record, with its `ETag`.
///
/// # Errors
///
/// 404 where the record is not in the caller's reach.
pub async fn show<C: RestController>(
    _controller: &C,
    ctx: &Context,
    key: KeyOf<C>,
) -> Result<Response> {
    let includes = render::plan(ctx)?;
    let record = in_reach::<C>(ctx, key).await?;
    let row = etag::row(&record)?;
    let response = render::record::<C>(ctx, record, &includes, None).await?;
    Ok(etag::tagged(response, Some(&row)))
}

/// Answers one record, and the form to change it with.
///
/// # Errors
///
/// 404 where the record is not in the caller's reach.
pub async fn edit<C: RestController>(
    _controller: &C,
    ctx: &Context,
    key: KeyOf<C>,
) -> Result<Response> {
    let includes = render::plan(ctx)?;
    let record = in_reach::<C>(ctx, key).await?;
    let form = form(reading::<C>(ctx, false).writable(), false);
    render::record::<C>(ctx, record, &includes, Some(form)).await
}

/// Answers a blank record, and the form to store one with.
///
/// # Errors
///
/// 500 where the record cannot be written as JSON.
pub async fn create<C: RestController>(_controller: &C, ctx: &Context) -> Result<Response> {
    let includes = render::plan(ctx)?;
    let form = form(reading::<C>(ctx, true).writable(), true);
    render::blank::<C>(ctx, C::Model::defaults(), includes, form)
}
