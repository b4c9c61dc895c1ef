//! The layers around every route, from the outside in: request id, log line, headers, pages of other
//! origins, errors, time limit, panics.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderName, HeaderValue, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use tower::{Service, ServiceBuilder, util::option_layer};
use tower_http::{
    catch_panic::CatchPanicLayer,
    cors::CorsLayer,
    request_id::{MakeRequestId, PropagateRequestIdLayer, RequestId, SetRequestIdLayer},
    set_header::SetResponseHeaderLayer,
    trace::TraceLayer,
};
use tracing::Span;
use uuid::Uuid;

use super::{
    errors::{self, ErrorClient},
    refusal, time_limit, unread_body,
};
use crate::app::{App, Statements};

/// The name of the header that client and log know an answer by.
pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Most letters of a path in the log.
const LOGGED_PATH: usize = 256;

/// Answers are data: no page, no script, no type to guess, nothing to frame. Caches ask again each
/// time. A handler that says something else is left alone.
const HEADERS: [(HeaderName, &str); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; frame-ancestors 'none'",
    ),
    (header::CACHE_CONTROL, "no-cache"),
];

/// The cache directive of an answer to a token: nobody else may keep it.
pub(super) const PRIVATE: HeaderValue = HeaderValue::from_static("private, no-cache");

/// The cache directive of an answer that holds a secret (RFC 6749, section 5.1).
pub(super) const SECRET: &str = "no-store";

/// What a stack of layers is, around its routes.
pub(super) trait Layered:
    Service<Request, Response: IntoResponse, Error = Infallible, Future: Send + 'static>
    + Clone
    + Send
    + Sync
    + 'static
{
}

impl<S> Layered for S where
    S: Service<Request, Response: IntoResponse, Error = Infallible, Future: Send + 'static>
        + Clone
        + Send
        + Sync
        + 'static
{
}

/// The layers around these routes. One stack of plain services: each layer of a [`Router`] would put
/// the services below it into a box, and copy them for each request.
pub(super) fn around(router: Router, app: &Arc<App>, cors: Option<CorsLayer>) -> impl Layered {
    let [sniff, referrer, content, cache] = HEADERS.map(|(name, value)| {
        SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
    });
    ServiceBuilder::new()
        .map_request(without_id)
        .layer(SetRequestIdLayer::new(REQUEST_ID, NewRequestId))
        .layer(
            TraceLayer::new_for_http()
                .make_span_with(span)
                .on_request(())
                .on_body_chunk(())
                .on_eos(())
                .on_failure(())
                .on_response(log),
        )
        .layer(PropagateRequestIdLayer::new(REQUEST_ID))
        .layer((sniff, referrer, content, cache))
        // Both renderings have one address (RFC 9110, section 12.5.5).
        .layer(SetResponseHeaderLayer::appending(
            header::VARY,
            HeaderValue::from_static("Accept"),
        ))
        .layer(option_layer(cors))
        .layer(middleware::from_fn_with_state(Arc::clone(app), answer))
        .layer(CatchPanicLayer::custom(errors::panicked))
        .service(router)
}

/// Answers a request within its time, reads what is left of its body, and gives an error the body
/// that its client can read.
async fn answer(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let client = ErrorClient::of(&app, &request);
    let response = unread_body::drain(request, async |request| match refusal::of(&request) {
        Some(error) => error.into_response(),
        None => time_limit::limit(&app, request, next).await,
    });
    errors::render(&app, &client, response.await)
}

/// The letters of an id.
pub(super) fn text(id: &RequestId) -> &str {
    id.header_value().to_str().unwrap_or_default()
}

/// A client does not choose the id that the log knows its request by.
fn without_id(mut request: Request) -> Request {
    request.headers_mut().remove(REQUEST_ID);
    request
}

/// Ids are UUIDs of version 7 (RFC 9562, section 5.7): they sort by time.
#[derive(Clone)]
struct NewRequestId;

impl MakeRequestId for NewRequestId {
    fn make_request_id<B>(&mut self, _: &axum::http::Request<B>) -> Option<RequestId> {
        let id = HeaderValue::from_str(&Uuid::now_v7().to_string()).ok()?;
        Some(RequestId::new(id))
    }
}

/// The span of a request: what is logged while it is answered names its id, method and path. Its level
/// is that of errors, so that `log.level: error` keeps the id.
fn span(request: &Request) -> Span {
    let id = request.extensions().get::<RequestId>();
    let path = request.uri().path();
    tracing::error_span!(
        "request",
        request_id = id.map(text),
        method = request.method().as_str(),
        path = &path[..path.floor_char_boundary(LOGGED_PATH)],
    )
}

/// The log line of a request.
fn log(response: &Response, latency: Duration, _: &Span) {
    let statements = response.extensions().get::<Statements>();
    tracing::info!(
        status = response.status().as_u16(),
        duration_ms = latency.as_secs_f64() * 1000.0,
        statements = statements.map_or(0, |count| count.0),
        "request"
    );
}
