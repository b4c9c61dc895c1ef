//! Answers.

use axum::{
    body::Body,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::IntoResponse,
};
use formwork_data::error::{Error, Result};
use serde::Serialize;

use crate::rendering::Rendering;

/// Headers of most answers: room for them is made once.
const HEADERS: usize = 14;

/// An answer: status, headers, body.
#[derive(Debug, Clone, Default)]
pub struct Response {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Response {
    /// An answer without a body: 204.
    pub fn no_content() -> Self {
        Self {
            status: StatusCode::NO_CONTENT,
            ..Self::default()
        }
    }

    /// 200 with this value as JSON.
    ///
    /// # Errors
    ///
    /// 500 where the value cannot be written as JSON.
    pub fn json(value: &impl Serialize) -> Result<Self> {
        serde_json::to_vec(value)
            .map(Self::json_bytes)
            .map_err(Error::internal)
    }

    /// 200 with JSON that is written already.
    pub fn json_bytes(body: Vec<u8>) -> Self {
        Self::rendered(Rendering::Data, body)
    }

    /// 200 with a body of this rendering, written already.
    pub(crate) fn rendered(rendering: Rendering, body: Vec<u8>) -> Self {
        let media_type = HeaderValue::from_static(rendering.media_type());
        let mut headers = HeaderMap::with_capacity(HEADERS);
        headers.insert(header::CONTENT_TYPE, media_type);
        Self {
            headers,
            body,
            ..Self::default()
        }
    }

    /// 200 with a body of another media type.
    pub fn bytes(media_type: &'static str, body: Vec<u8>) -> Self {
        let response = Self {
            body,
            ..Self::default()
        };
        response.with_header(header::CONTENT_TYPE, media_type)
    }

    /// An answer of axum, whose body was read.
    pub(crate) fn of_parts(status: StatusCode, headers: HeaderMap, body: Vec<u8>) -> Self {
        Self {
            status,
            headers,
            body,
        }
    }

    /// The same answer with another status.
    #[must_use]
    pub fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    /// The same answer with a header more; an invalid value is left out.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.insert(name, value);
        }
        self
    }

    /// 304: the client has the current representation (RFC 9110, section 15.4.5).
    #[must_use]
    pub(crate) fn not_modified(mut self) -> Self {
        self.headers.remove(header::CONTENT_TYPE);
        self.headers.remove(header::CONTENT_ENCODING);
        Self {
            status: StatusCode::NOT_MODIFIED,
            body: Vec::new(),
            ..self
        }
    }

    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The headers of the answer, without those that the layers add.
    pub fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// The body of the answer.
    pub fn body(&self) -> &[u8] {
        &self.body
    }
}

impl IntoResponse for Response {
    fn into_response(self) -> axum::response::Response {
        let mut response = axum::response::Response::new(Body::from(self.body));
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers;
        response
    }
}
