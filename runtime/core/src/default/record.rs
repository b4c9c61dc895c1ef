//! One record: show, edit, create.

use formwork_data::{error::Result, model::Model};

use super::{
    acting::acting,
    change::in_reach,
    hooks::{Hooks, RecordKey},
    incoming::reading,
    render,
};
use crate::{
    action::Action,
    context::Context,
    etag,
    rendering::Rendering,
    request::{Field, ResourceRequest, form, type_name},
    response::Response,
};

/// Answers one record, with its `ETag`.
///
/// # Errors
///
/// 404 where the record is not in the caller's reach.
pub async fn show<C: Hooks>(controller: &C, ctx: &Context, key: RecordKey<C>) -> Result<Response> {
    let ctx = &*acting(controller, ctx, Action::Show)?;
    let includes = render::plan(ctx)?;
    let mut record = in_reach::<C>(ctx, key).await?;
    let key = ctx.app().tag_key(ctx.db()).await?;
    let row = etag::row(key, &mut record)?;
    let response = render::record::<C::Transformer>(ctx, record, &includes, None).await?;
    Ok(etag::tagged(key, response, Some(&row)))
}

/// Answers one record, and the form to change it with.
///
/// # Errors
///
/// 404 where the record is not in the caller's reach.
pub async fn edit<C: Hooks>(controller: &C, ctx: &Context, key: RecordKey<C>) -> Result<Response> {
    let ctx = &*acting(controller, ctx, Action::Edit)?;
    let includes = render::plan(ctx)?;
    let record = in_reach::<C>(ctx, key).await?;
    let form = fields::<C>(ctx, false);
    render::record::<C::Transformer>(ctx, record, &includes, Some(form)).await
}

/// Answers a blank record, and the form to store one with.
///
/// # Errors
///
/// 500 where the record cannot be written as JSON.
pub async fn create<C: Hooks>(controller: &C, ctx: &Context) -> Result<Response> {
    let ctx = &*acting(controller, ctx, Action::Create)?;
    let includes = render::plan(ctx)?;
    let form = fields::<C>(ctx, true);
    render::blank::<C::Transformer>(ctx, C::Model::defaults(), includes, form)
}

/// The attributes that this caller may write, under their names in the rendering.
fn fields<C: Hooks>(ctx: &Context, storing: bool) -> Vec<Field> {
    let name = match (ctx.rendering(), ctx.resource_key()) {
        (Rendering::Data | Rendering::Own(_), _) | (_, None) => "type".to_owned(),
        (_, Some(key)) => type_name(key, C::Request::ATTRIBUTES),
    };
    form(reading::<C>(ctx, storing).writable(), storing, &name)
}
