//! The layers around every route, from the outside in: request id, headers, pages of other origins, log
//! line, errors, time limit, panics.

use std::{convert::Infallible, sync::Arc};

use axum::{
    Router,
    extract::{Request, State},
    http::{Extensions, HeaderName, HeaderValue, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use tower::{Service, ServiceBuilder, util::option_layer};
use tower_http::{
    catch_panic::CatchPanicLayer,
    cors::CorsLayer,
    request_id::{MakeRequestId, PropagateRequestIdLayer, RequestId, SetRequestIdLayer},
    set_header::SetResponseHeaderLayer,
};
use uuid::Uuid;

use super::{
    errors::{self, ErrorClient},
    log_line::LogLine,
    refusal, time_limit, unread_body,
};
use crate::app::App;

/// The name of the header that client and log know an answer by.
pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

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

/// Answers a request within its time, reads what is left of its body, gives an error the body that
/// its client can read, and writes the request's log line.
async fn answer(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let (line, client) = (LogLine::of(&request), ErrorClient::of(&app, &request));
    let response = unread_body::drain(request, async |request| match refusal::of(&request) {
        Some(error) => error.into_response(),
        None => time_limit::limit(&app, request, next).await,
    });
    let response = errors::render(&app, &client, response.await);
    line.write(&response);
    response
}

/// The id of a request; empty outside of any route.
pub(super) fn request_id(extensions: &Extensions) -> String {
    let id = extensions.get::<RequestId>();
    let text = id.and_then(|id| id.header_value().to_str().ok());
    text.unwrap_or_default().to_owned()
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
