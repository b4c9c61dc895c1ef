//! What every answer tells browsers and caches, unless its handler tells them something else.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// Answers are data: no page, no script, nothing to guess a type of, nothing to frame.
const PROTECTION: [(HeaderName, HeaderValue); 3] = [
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
];

/// What an answer to anybody is: to be asked for again each time.
const PUBLIC: HeaderValue = HeaderValue::from_static("no-cache");

/// What an answer to a token is: nobody else's, and to be asked for again each time (with
/// `If-None-Match`).
const PRIVATE: HeaderValue = HeaderValue::from_static("private, no-cache");

/// What an answer with a secret in it is (RFC 6749, section 5.1).
pub(super) const SECRET: &str = "no-store";

/// Adds the headers that are missing.
pub(super) fn protect(headers: &mut HeaderMap) {
    for (name, value) in PROTECTION {
        set(headers, name, value);
    }
    set(headers, header::CACHE_CONTROL, PUBLIC);
}

/// Marks an answer to a caller with a token.
pub(super) fn keep_private(headers: &mut HeaderMap) {
    set(headers, header::CACHE_CONTROL, PRIVATE);
}

fn set(headers: &mut HeaderMap, name: HeaderName, value: HeaderValue) {
    headers.entry(name).or_insert(value);
}
