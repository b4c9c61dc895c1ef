//! The face of an error outside of any route: for connections that are not let in, and requests that
//! nobody can read.

use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use bytes::Bytes;

use super::{accept, around::REQUEST_ID, protection, request_id};
use crate::{
    config::SerializerKind,
    error::Error,
    response::{error_answer, message},
};

/// An error to who sent these headers; it has what every answer has (http.md, "Errors").
pub(crate) fn refusal(headers: &HeaderMap, error: &Error, serializer: SerializerKind) -> Response {
    let (headers, body) = face(headers, error, serializer);
    (error.status(), headers, body).into_response()
}

/// The answer to a request whose head could not be read, as it goes over the wire. What it would
/// have accepted nobody knows.
pub(crate) fn unread(status: StatusCode, date: &[u8], serializer: SerializerKind) -> Bytes {
    let error = match status {
        StatusCode::URI_TOO_LONG => Error::TargetTooLong,
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => Error::HeadersTooLarge,
        _ => Error::Malformed("The request is no well-formed HTTP.".to_owned()),
    };
    let (headers, body) = face(&HeaderMap::new(), &error, serializer);
    let status = error.status();
    let mut wire = format!("HTTP/1.1 {status}\r\n").into_bytes();
    for (name, value) in &headers {
        wire.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
    }
    let length = format!("content-length: {}\r\n", body.len());
    wire.extend_from_slice(length.as_bytes());
    wire.extend([b"connection: close\r\ndate: ", date, b"\r\n\r\n", &body].concat());
    wire.into()
}

/// Headers and body.
fn face(asked: &HeaderMap, error: &Error, serializer: SerializerKind) -> (HeaderMap, Vec<u8>) {
    let id = request_id::next().to_string();
    let rendering = accept::for_errors(asked, serializer);
    let answer = error_answer(error, &message(error), &id, rendering);
    let mut headers = answer.headers().clone();
    headers.insert(header::VARY, HeaderValue::from_static("Accept"));
    protection::protect(&mut headers);
    if let Ok(value) = HeaderValue::from_str(&id) {
        headers.insert(REQUEST_ID, value);
    }
    tracing::info!(
        request_id = id,
        status = error.status().as_u16(),
        "a request that no route hears of"
    );
    (headers, answer.body().to_vec())
}
