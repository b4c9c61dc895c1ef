//! Pages of other origins: `api.cors`, by the layer of tower-http. Where it is on, OPTIONS is a
//! preflight.

use axum::http::{HeaderName, HeaderValue, Method, header};
use tower_http::cors::{AllowHeaders, AllowMethods, AllowOrigin, CorsLayer, Vary};

use super::layers::REQUEST_ID;
use crate::config::CorsConfig;

/// Headers that scripts of other origins may read.
const EXPOSED: [HeaderName; 7] = [
    header::ETAG,
    header::LOCATION,
    HeaderName::from_static("ratelimit-limit"),
    HeaderName::from_static("ratelimit-remaining"),
    HeaderName::from_static("ratelimit-reset"),
    header::RETRY_AFTER,
    REQUEST_ID,
];

/// The layer of this configuration; none where no origin may call.
pub(super) fn layer(config: &CorsConfig) -> Option<CorsLayer> {
    if config.origins.is_empty() {
        return None;
    }
    let any = is_any(&config.origins);
    let origins = match any {
        true => AllowOrigin::any(),
        false => AllowOrigin::list(parsed::<HeaderValue>(&config.origins)),
    };
    let methods = match is_any(&config.methods) {
        true => AllowMethods::mirror_request(),
        false => AllowMethods::list(parsed::<Method>(&config.methods)),
    };
    // A star would leave `Authorization` out (fetch.spec.whatwg.org, "CORS-preflight fetch").
    let headers = match is_any(&config.headers) {
        true => AllowHeaders::mirror_request(),
        false => AllowHeaders::list(parsed::<HeaderName>(&config.headers)),
    };
    // Caches keep the answer to one origin apart from that to another.
    let vary = match any {
        true => Vary::list([]),
        false => Vary::list([header::ORIGIN]),
    };
    let layer = CorsLayer::new()
        .allow_origin(origins)
        .allow_methods(methods)
        .allow_headers(headers)
        .allow_credentials(config.credentials)
        .expose_headers(EXPOSED)
        .max_age(config.max_age)
        .vary(vary);
    Some(layer)
}

fn is_any(words: &[String]) -> bool {
    words.iter().any(|word| word == "*")
}

/// The words that can be sent; configuration has refused the others.
fn parsed<T: std::str::FromStr>(words: &[String]) -> Vec<T> {
    words.iter().filter_map(|word| word.parse().ok()).collect()
}
