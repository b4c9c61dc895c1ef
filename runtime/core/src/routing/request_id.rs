//! Ids of requests, which appear in answers and in the log.

use std::{fmt, sync::Arc};

use axum::http::request::Parts;
use uuid::{NoContext, Timestamp, Uuid};

use crate::state::ServiceState;

/// The id of a request. UUIDs of version 7 (RFC 9562, section 5.7) sort by time.
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

/// The service that answers a request, and the request's id: among its extensions.
#[derive(Clone)]
pub(super) struct Served {
    pub app: Arc<ServiceState>,
    pub id: RequestId,
}

/// The id of this request; empty outside of any route.
pub fn of(parts: &Parts) -> String {
    let served = parts.extensions.get::<Served>();
    served
        .map(|served| served.id.to_string())
        .unwrap_or_default()
}
