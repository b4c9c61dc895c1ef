//! What every answer tells browsers and caches, unless its handler tells them something else.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// Answers are data: no page, no script, nothing to guess a type of, nothing to frame.
const PROTECTION: [(HeaderName, &str); 3] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; frame-ancestors 'none'",
    ),
];

/// What an answer to a token is: nobody else's, and to be asked for again each time (with
/// `If-None-Match`).
const PRIVATE: &str = "private, no-cache";

/// What an answer with a secret in it is (RFC 6749, section 5.1).
pub(super) const SECRET: &str = "no-store";

/// Adds the headers that are missing.
pub(super) fn protect(headers: &mut HeaderMap) {
    for (name, value) in PROTECTION {
        set(headers, name, value);
    }
    set(headers, header::CACHE_CONTROL, "no-cache");
}

/// Marks an answer to a caller with a token.
pub(super) fn keep_private(headers: &mut HeaderMap) {
    set(headers, header::CACHE_CONTROL, PRIVATE);
}

fn set(headers: &mut HeaderMap, name: HeaderName, value: &'static str) {
    headers
        .entry(name)
        .or_insert(HeaderValue::from_static(value));
}
