//! A JSON:API document that was sent to a route of an extension, which does not know for what
//! resource it is: a default action that the route calls does.

use std::borrow::Cow;

use axum::http::header;
use formwork_data::error::Result;

use super::hooks::Hooks;
use crate::{
    context::Context,
    document::{self, Expected},
    rendering::JSON_API,
    request::ResourceRequest,
};

/// The context of a default action, whose body is the one that its rules know. `id` is the record's
/// where one is updated.
///
/// # Errors
///
/// As [`document::read`].
pub(super) fn unfolded<'c, C: Hooks>(
    ctx: Cow<'c, Context>,
    id: Option<&str>,
) -> Result<Cow<'c, Context>> {
    let (registry, resource) = (ctx.registry(), ctx.resource());
    let entry = resource.and_then(|at| registry.get(at));
    let Some(entry) = entry.filter(|_| is_document(&ctx)) else {
        return Ok(ctx);
    };
    let expected = Expected {
        entry,
        registry,
        attributes: C::Request::ATTRIBUTES,
        id,
        rendering: ctx.rendering(),
    };
    let input = document::read(ctx.input().members().clone(), &expected)?;
    Ok(Cow::Owned(ctx.with_input(input)))
}

/// Whether the body is still the document that was sent: a handler may have made another one of it.
fn is_document(ctx: &Context) -> bool {
    let sent = ctx.headers().get(header::CONTENT_TYPE);
    let sent = sent.and_then(|value| value.to_str().ok());
    let essence = sent.and_then(|sent| sent.split(';').next());
    ctx.request().own_route
        && essence.is_some_and(|it| it.trim().eq_ignore_ascii_case(JSON_API))
        && ctx.input().get("data").is_some_and(|data| data.is_object())
}
