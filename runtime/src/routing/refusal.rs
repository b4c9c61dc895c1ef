//! The face of an error outside of any route: for connections that are not let in.

use axum::{
    http::{HeaderMap, HeaderValue},
    response::{IntoResponse, Response},
};
use uuid::Uuid;

use super::{accept, around::REQUEST_ID, protection};
use crate::{
    config::SerializerKind,
    error::Error,
    response::{error_answer, message},
};

/// An error to who sent these headers; it has what every answer has (http.md, "Errors").
pub(crate) fn refusal(headers: &HeaderMap, error: &Error) -> Response {
    let id = Uuid::now_v7().to_string();
    let rendering = accept::for_errors(headers, SerializerKind::Data);
    let mut response = error_answer(error, &message(error), &id, rendering).into_response();
    protection::protect(response.headers_mut());
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}
