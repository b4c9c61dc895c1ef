//! Records on their way out: relations loaded, the data rendering around them (http.md, "Media
//! types").

use serde::Serialize;
use serde_json::json;

use crate::{
    context::Context,
    controller::RestController,
    error::{Error, Result},
    loaded::Loaded,
    loader::{self, Includes},
    request::Field,
    response::Response,
    serializer,
};

/// What the client wants included, and may see. Asked before anything is written.
///
/// # Errors
///
/// 400 for unknown relations, 403 for those the caller may not see.
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
pub(super) async fn record<C: RestController>(
    ctx: &Context,
    record: C::Model,
    includes: &Includes,
    form: Option<Vec<Field>>,
) -> Result<Response> {
    let records = loader::load(ctx, vec![record], includes).await?;
    let mut body = b"{\"data\":".to_vec();
    for record in &records {
        serializer::write_record::<C::Transformer>(&mut body, record, includes, ctx)?;
    }
    if let Some(form) = form {
        member(&mut body, "meta", &json!({"form": form}))?;
    }
    body.push(b'}');
    Ok(Response::json_bytes(body))
}

/// Answers a page of records.
pub(super) async fn list<C: RestController>(
    ctx: &Context,
    records: Vec<C::Model>,
    includes: &Includes,
    meta: &impl Serialize,
    links: &impl Serialize,
) -> Result<Response> {
    let records = loader::load(ctx, records, includes).await?;
    // A guess that saves most of the growing.
    let mut body = Vec::with_capacity(512 * (records.len() + 1));
    body.extend_from_slice(b"{\"data\":");
    serializer::write_list::<C::Transformer>(&mut body, &records, includes, ctx)?;
    member(&mut body, "meta", meta)?;
    member(&mut body, "links", links)?;
    body.push(b'}');
    Ok(Response::json_bytes(body))
}

/// Answers a record that is not there yet: it has neither an id nor a place.
pub(super) fn blank<C: RestController>(
    ctx: &Context,
    record: C::Model,
    form: Vec<Field>,
) -> Result<Response> {
    let mut body = Vec::new();
    let record = Loaded::new(record);
    serializer::write_record::<C::Transformer>(&mut body, &record, Includes::none(), ctx)?;
    let mut data: serde_json::Value = serde_json::from_slice(&body).map_err(Error::internal)?;
    if let Some(data) = data.as_object_mut() {
        data.insert("id".to_owned(), serde_json::Value::Null);
        data.remove("links");
    }
    Response::json(&json!({"data": data, "meta": {"form": form}}))
}

fn member(body: &mut Vec<u8>, name: &str, value: &impl Serialize) -> Result<()> {
    body.push(b',');
    serde_json::to_writer(&mut *body, name).map_err(Error::internal)?;
    body.push(b':');
    serde_json::to_writer(&mut *body, value).map_err(Error::internal)
}
