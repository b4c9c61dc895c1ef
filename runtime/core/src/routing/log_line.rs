//! The log line of a request. One event without a span: the span of tower-http's `TraceLayer` costs a
//! request 12 µs more in JSON, a tenth of what `show` takes.

use std::time::Instant;

use axum::{extract::Request, http::Method, response::Response};

use super::request_id::RequestId;
use crate::state::Statements;

/// Most bytes of a path in the log.
const LOGGED_PATH: usize = 256;

/// The part of a log line that is known before the request is answered.
pub(super) struct LogLine {
    begun: Instant,
    request_id: String,
    method: Method,
    path: String,
}

impl LogLine {
    /// The line of this request, which begins now.
    pub fn of(request: &Request, id: RequestId) -> Self {
        let path = request.uri().path();
        Self {
            begun: Instant::now(),
            request_id: id.to_string(),
            method: request.method().clone(),
            path: path[..path.floor_char_boundary(LOGGED_PATH)].to_owned(),
        }
    }

    /// The id of the request.
    pub fn request_id(&self) -> &str {
        &self.request_id
    }

    /// Writes the line, with the status and the time of the answer.
    pub fn write(&self, response: &Response) {
        let statements = response.extensions().get::<Statements>();
        tracing::info!(
            request_id = self.request_id,
            method = self.method.as_str(),
            path = self.path,
            status = response.status().as_u16(),
            duration_ms = self.begun.elapsed().as_secs_f64() * 1000.0,
            statements = statements.map_or(0, |count| count.0),
            "request"
        );
    }
}
