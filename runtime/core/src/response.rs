//! Answers.

use axum::{
    body::Body,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::IntoResponse,
};
use formwork_data::error::{Error, Result};
use serde::Serialize;
use serde_json::json;

use crate::{rendering::Rendering, serializer, status::Status};

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

    /// 200 with a body of any type.
    pub fn of_type(media_type: &'static str, body: Vec<u8>) -> Self {
        let mut response = Self::json_bytes(body);
        let media_type = HeaderValue::from_static(media_type);
        response.headers.insert(header::CONTENT_TYPE, media_type);
        response
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

    /// The same answer with another status.
    #[must_use]
    pub fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    /// The same answer with a header more; a value that is none is left out.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.insert(name, value);
        }
        self
    }

    /// 304: what the client has is what it would get (RFC 9110, section 15.4.5).
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

    /// Its status.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Its headers.
    pub fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// Its body.
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

/// The data rendering of an error, its message apart: http.md, "Errors".
pub(crate) fn error_data(error: &Error, message: &str) -> Response {
    let status = error.status();
    let mut data = json!({"message": message, "status_code": status.as_u16()});
    if let Error::Validation(errors) = error {
        data["errors"] = json!(errors);
    }
    with_headers(
        Response::json_bytes(data.to_string().into_bytes()).with_status(status),
        error,
    )
}

/// An error in this rendering, for the request with this id.
pub(crate) fn error_answer(
    error: &Error,
    message: &str,
    id: &str,
    rendering: Rendering,
) -> Response {
    let document = rendering
        .is_json_api()
        .then(|| serializer::write_errors(error, message, id));
    match document {
        Some(Ok(body)) => {
            let response = Response::rendered(rendering, body).with_status(error.status());
            with_headers(response, error)
        }
        _ => error_data(error, message),
    }
}

/// The headers that go with an error's status.
pub fn with_headers(response: Response, error: &Error) -> Response {
    match error {
        Error::Unauthenticated(_) => response.with_header(header::WWW_AUTHENTICATE, "Bearer"),
        Error::MethodNotAllowed { allow, .. } => response.with_header(header::ALLOW, allow),
        // RFC 9110, section 15.5.16.
        Error::UnsupportedCoding => response.with_header(header::ACCEPT_ENCODING, "identity"),
        // What makes a service unavailable is over in seconds, or another replica's chance.
        Error::Unavailable(_) => response.with_header(header::RETRY_AFTER, "1"),
        Error::TooManyRequests { retry_after } => {
            response.with_header(header::RETRY_AFTER, &retry_after.to_string())
        }
        _ => response,
    }
}

/// What a client is told: everything but what is nobody's business outside.
pub(crate) fn message(error: &Error) -> String {
    if error.status().is_server_error() && !matches!(error, Error::Unavailable(_)) {
        return "Internal Server Error".to_owned();
    }
    error.to_string()
}
