//! The layers around every route, from the outside in: what each request goes through, and pages of
//! other origins.

use std::sync::Arc;

use axum::{
    Router,
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, header},
    response::{IntoResponse, Response},
};
use tower::{ServiceBuilder, ServiceExt, layer::layer_fn, service_fn, util::option_layer};
use tower_http::cors::CorsLayer;

use super::{
    errors::{self, ErrorClient},
    log_line::LogLine,
    refusal,
    request_id::{RequestId, Served},
    time_limit::{self, Answering},
    unread_body,
};
use crate::state::ServiceState;

/// The name of the header with the request's id.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Answers are data: browsers must not guess their type, run scripts in them or frame them. Caches
/// ask again each time. A header that a handler sets itself is kept.
const HEADERS: [(HeaderName, HeaderValue); 4] = [
    (
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    ),
    (
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    ),
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"),
    ),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
];

/// Both renderings have one address (RFC 9110, section 12.5.5).
const VARY: HeaderValue = HeaderValue::from_static("Accept");

/// The cache directive of an answer to a token: shared caches may not keep it.
pub(crate) const PRIVATE: HeaderValue = HeaderValue::from_static("private, no-cache");

/// The cache directive of an answer that holds a secret (RFC 6749, section 5.1).
pub(crate) const SECRET: &str = "no-store";

pub use super::errors::ErrorPage;

/// The layers around these routes, where an error may have a page of its own. One stack for each
/// route, without a box between its layers.
pub fn around(
    router: Router,
    app: &Arc<ServiceState>,
    cors: Option<CorsLayer>,
    page: Option<ErrorPage>,
) -> Router {
    let (outer, inner) = (Arc::clone(app), Arc::clone(app));
    let pass = Pass::AroundRoutes(page);
    let layers = ServiceBuilder::new()
        .layer(layer_fn(move |service| answering(&outer, pass, service)))
        .layer(option_layer(cors))
        .layer(layer_fn(move |route| time_limit::limiting(&inner, route)));
    router.layer(layers)
}

/// The layers of a project around the whole service. Their own answers go through the same steps as
/// all others: id, log line, headers, and the body of an [`Error`](formwork_data::Error).
pub fn enclosed(
    router: Router,
    app: &Arc<ServiceState>,
    layers: &[Box<dyn Fn(Router) -> Router + Send + Sync>],
) -> Router {
    if layers.is_empty() {
        return router;
    }
    let router = layers.iter().fold(router, |router, layer| layer(router));
    let app = Arc::clone(app);
    let pass = Pass::AroundLayers;
    router.layer(layer_fn(move |service| answering(&app, pass, service)))
}

/// Where the steps that every request needs are done.
#[derive(Clone, Copy)]
enum Pass {
    /// Around routes, whose errors may have a page of their own.
    AroundRoutes(Option<ErrorPage>),
    /// Around the layers of the project: what went through the steps within them is left as it is.
    AroundLayers,
}

/// Wraps a service in the steps that every request needs.
fn answering<S: Answering>(
    app: &Arc<ServiceState>,
    pass: Pass,
    service: S,
) -> impl Answering + use<S> {
    // axum copies the service of a route for each request, and moves it about: it should be small.
    let shared = Arc::new((Arc::clone(app), service));
    service_fn(move |request| {
        let shared = Arc::clone(&shared);
        async move {
            let (app, service) = &*shared;
            Ok(answer(app, pass, request, service).await)
        }
    })
}

/// Answers a request, reads what is left of its body, writes the body of an error in the client's
/// rendering, and writes the request's log line.
async fn answer(
    app: &Arc<ServiceState>,
    pass: Pass,
    mut request: Request,
    service: &impl Answering,
) -> Response {
    // Layers of the project have seen the id already.
    let id = request.extensions().get().map(|served: &Served| served.id);
    let id = id.unwrap_or_else(RequestId::new);
    let served = Served {
        app: Arc::clone(app),
        id,
    };
    request.extensions_mut().insert(served);
    let (line, client) = (LogLine::of(&request, id), ErrorClient::of(app, &request));
    let response = unread_body::drain(request, async |request| match refusal::of(&request) {
        Some(error) => error.into_response(),
        None => service
            .clone()
            .oneshot(request)
            .await
            .unwrap_or_else(|never| match never {}),
    });
    let response = response.await;
    let page = match pass {
        Pass::AroundRoutes(page) => page,
        Pass::AroundLayers if response.headers().contains_key(REQUEST_ID) => return response,
        Pass::AroundLayers => None,
    };
    let mut response = errors::render(app, (&client, page), id, response);
    line.write(&response);
    set_headers(response.headers_mut(), line.request_id());
    response
}

/// The headers of every answer. One step in place of a layer of tower-http for each: those are copied
/// for each request.
fn set_headers(headers: &mut HeaderMap, request_id: &str) {
    if let Ok(id) = HeaderValue::from_str(request_id) {
        headers.insert(REQUEST_ID, id);
    }
    headers.append(header::VARY, VARY);
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(value);
    }
}
