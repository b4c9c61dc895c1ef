//! `Idempotency-Key` on routes whose handlers are axum's: body and answer are held in memory, so that
//! the answer can be kept.

use axum::{
    body::{Body, Bytes},
    extract::Request,
    http::Method,
    response::{IntoResponse, Response as Answer},
};
use formwork_data::error::{Error, Result};
use http_body_util::{BodyExt, Limited};

use crate::{
    context::Context,
    idempotency,
    response::Response,
    routing::{body::is_too_large, change::once, errors::outcome},
};

/// Most bytes of an answer that is kept.
const ANSWER_LIMIT: usize = 8 * 1024 * 1024;

/// Whether a request asks to be done once.
pub(super) fn is_keyed(request: &Request) -> bool {
    *request.method() == Method::POST && request.headers().contains_key(idempotency::KEY)
}

/// Answers a request that is done once. `limit` is that of the route's bodies.
///
/// # Errors
///
/// 400 where the body is larger than `api.body_limit`, 413 where it is larger than `limit`; as
/// [`once`] otherwise.
pub(super) async fn answer<F>(
    ctx: Context,
    request: Request,
    limit: usize,
    answer: impl FnOnce(Request) -> F,
) -> Result<Answer>
where
    F: Future<Output = Answer> + Send + 'static,
{
    let (parts, body) = request.into_parts();
    let body = whole(body, limit, ctx.config().api.body_limit).await?;
    let uri = parts.uri.clone();
    let request = Request::from_parts(parts, Body::from(body.clone()));
    let answer = answer(request);
    let work = async move { held(outcome(answer.await)?).await };
    Ok(once(&ctx, &uri, &body, work).await?.into_response())
}

/// The whole body of a request.
async fn whole(body: Body, limit: usize, most: usize) -> Result<Bytes> {
    let most = most.min(limit);
    let read = Limited::new(body, most).collect().await;
    read.map(|read| read.to_bytes()).map_err(|error| {
        if !is_too_large(&*error) {
            return Error::Malformed("The request body could not be read.".to_owned());
        }
        match most == limit {
            true => Error::TooLarge(limit),
            false => Error::Malformed(format!(
                "A request with an Idempotency-Key has {most} bytes at most: send this one \
                 without the header."
            )),
        }
    })
}

/// The answer with its whole body.
async fn held(answer: Answer) -> Result<Response> {
    let (parts, body) = answer.into_parts();
    let body = Limited::new(body, ANSWER_LIMIT).collect().await;
    let body = body.map_err(|error| match is_too_large(&*error) {
        true => Error::internal(format!(
            "an answer to a request with an Idempotency-Key has more than {ANSWER_LIMIT} bytes"
        )),
        false => Error::internal(error),
    })?;
    let body = body.to_bytes().to_vec();
    Ok(Response::of_parts(parts.status, parts.headers, body))
}
