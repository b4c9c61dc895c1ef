//! The answer to an error, in each rendering.

use axum::http::header;
use formwork_data::error::Error;
use serde_json::json;

use crate::{rendering::Rendering, response::Response, serializer, status::Status};

/// The data rendering of an error, its message apart.
fn error_data(error: &Error, message: &str) -> Response {
    let status = error.status();
    let mut data = json!({"message": message, "status_code": status.as_u16()});
    match error {
        Error::Validation(errors) => data["errors"] = json!(errors),
        Error::Custom(error) => data["code"] = json!(error.code()),
        _ => {}
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
        // The cause of a 503 is over in seconds, or another replica can answer.
        Error::Unavailable(_) | Error::Deadlock => response.with_header(header::RETRY_AFTER, "1"),
        Error::TooManyRequests { retry_after } => {
            response.with_header(header::RETRY_AFTER, &retry_after.to_string())
        }
        _ => response,
    }
}

/// The message for the client. Details of internal errors are hidden.
pub(crate) fn message(error: &Error) -> String {
    let is_told = matches!(
        error,
        Error::Unavailable(_) | Error::Deadlock | Error::Custom(_)
    );
    if error.status().is_server_error() && !is_told {
        return "Internal Server Error".to_owned();
    }
    error.to_string()
}
