//! Ids of requests, which appear in answers and in the log.

use std::fmt;

use axum::http::request::Parts;
use uuid::{NoContext, Timestamp, Uuid};

/// The id of a request, among its extensions. UUIDs of version 7 (RFC 9562, section 5.7) sort by time.
/// A client does not choose the id that the log knows its request by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestId(Uuid);

impl RequestId {
    /// A new one. Ids of one millisecond are in no order: a counter would take a lock, and ask the
    /// system for randomness twice.
    pub fn new() -> Self {
        Self(Uuid::new_v7(Timestamp::now(NoContext)))
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The id of this request; empty outside of any route.
pub fn of(parts: &Parts) -> String {
    let id = parts.extensions.get::<RequestId>();
    id.map(ToString::to_string).unwrap_or_default()
}
