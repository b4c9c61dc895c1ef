//! POST, once for each `Idempotency-Key`.

use std::future::Future;

use axum::http::Uri;
use formwork_data::error::Result;

use super::change::{in_turn, to_its_end};
use crate::{context::Context, idempotency::Attempt, response::Response};

/// Does the work of a request with this body, unless its key says that it was done.
///
/// # Errors
///
/// 400 where the key is none, 409 while the first request with it runs, 422 where that had another
/// body; what the work answers.
pub(super) async fn once(
    ctx: &Context,
    uri: &Uri,
    body: &[u8],
    work: impl Future<Output = Result<Response>> + Send + 'static,
) -> Result<Response> {
    let place = uri.path_and_query();
    let place = place.map_or("", |place| place.as_str());
    // An answer is kept as it was written: in another rendering it is another request.
    let place = format!("{} {place}", ctx.rendering().media_type());
    let who = (ctx.caller(), ctx.client());
    match Attempt::of(ctx.headers(), who, &place, body)? {
        Some(attempt) => attempt.once(ctx, in_turn(ctx, work)).await,
        None => to_its_end(ctx, work).await,
    }
}
