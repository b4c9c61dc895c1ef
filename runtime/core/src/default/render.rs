//! Records on their way out: relations loaded, the document around them.

use axum::http::Method;
use formwork_data::{column::KeyOf, error::Result, model::Model};
use serde::Serialize;
use serde_json::json;

use crate::{
    action::Action, context::Context, etag, includes::Includes, loader, params, request::Field,
    response::Response, serializer::Document, transformer::Transformer,
};

/// Pages from here; null where there is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct PageLinks {
    #[serde(rename = "self")]
    pub this: String,
    pub first: String,
    pub prev: Option<String>,
    pub next: Option<String>,
    pub last: String,
}

/// The path of the list that was asked for, as links show it.
pub(super) fn list_path(ctx: &Context) -> String {
    match ctx.resource_key() {
        Some(key) if !ctx.request().own_route => ctx.resource_path(key),
        _ => ctx.own_path(),
    }
}

/// The includes and fields of the request, checked before anything is written.
///
/// # Errors
///
/// 400 for unknown relations and fields, 403 for relations the caller may not see.
pub(super) fn plan(ctx: &Context) -> Result<Includes> {
    match ctx.resource() {
        Some(resource) => loader::plan(
            ctx,
            resource,
            ctx.params().include(),
            ctx.params().exclude(),
        ),
        None => Ok(Includes::default()),
    }
}

/// Answers one record, with `meta.form` where there is a form.
pub(super) async fn record<T: Transformer>(
    ctx: &Context,
    mut record: T::Model,
    includes: &Includes,
    form: Option<Vec<Field>>,
) -> Result<Response> {
    // The document names its place in JSON:API alone.
    let named = ctx.resource_key().filter(|_| ctx.rendering().is_json_api());
    let mut key = KeyOf::default();
    record.columns(&mut key)?;
    let place = named.map(|resource| ctx.links(resource, &key.value));
    let mut records = loader::load(ctx, vec![record], includes).await?;
    let Some(record) = records.pop() else {
        return Ok(Response::no_content());
    };
    let mut document = Document::record::<T>(ctx, record, includes)?;
    if let Some(form) = form {
        document = document.with("meta", &json!({"form": form}))?;
    }
    let place = || Some(asked_for(ctx, place?.self_uri()));
    document.with_self(place)?.finish()
}

/// `meta` of a list.
#[derive(Serialize)]
struct ListMeta<P> {
    pagination: P,
}

/// Answers a page of records, with its `ETag`.
pub(super) async fn list<T: Transformer>(
    ctx: &Context,
    records: Vec<T::Model>,
    includes: &Includes,
    pagination: &impl Serialize,
    links: &PageLinks,
) -> Result<Response> {
    let records = loader::load(ctx, records, includes).await?;
    let document = Document::list::<T>(ctx, records, includes)?;
    let meta = ListMeta { pagination };
    let document = document.with("meta", &meta)?.with("links", links)?;
    let response = document.finish()?;
    let key = ctx.app().tag_key(ctx.db()).await?;
    Ok(etag::tagged(key, response, None))
}

/// Answers a record that is not there yet: it has neither an id nor a place.
pub(super) fn blank<T: Transformer>(
    ctx: &Context,
    record: T::Model,
    includes: Includes,
    form: Vec<Field>,
) -> Result<Response> {
    let includes = Includes {
        nodes: Vec::new(),
        ..includes
    };
    let document = Document::blank::<T>(ctx, record, &includes)?;
    let document = document.with("meta", &json!({"form": form}))?;
    let place = || {
        let path = ctx.resource_path(ctx.resource_key()?);
        Some(asked_for(ctx, &path))
    };
    document.with_self(place)?.finish()
}

/// The link a document was asked for by: what was stored or updated is found at its own.
fn asked_for(ctx: &Context, place: &str) -> String {
    let own_route = ctx.request().own_route;
    if own_route && !matches!(*ctx.method(), Method::GET | Method::HEAD) {
        return place.to_owned();
    }
    let own_path = own_route.then(|| ctx.own_path());
    let place = own_path.as_deref().unwrap_or(place);
    let tail = match ctx.action() {
        Some(Action::Create) if !own_route => "/create",
        Some(Action::Edit) if !own_route => "/edit",
        Some(Action::Create | Action::Show | Action::Edit) => "",
        _ => return place.to_owned(),
    };
    match ctx.request().query.as_str() {
        "" => format!("{place}{tail}"),
        query => format!("{place}{tail}?{}", params::linked(query)),
    }
}
