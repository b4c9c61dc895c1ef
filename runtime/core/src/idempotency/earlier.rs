//! The answer to a request that was sent before.

use axum::http::{HeaderName, HeaderValue, StatusCode};
use data_encoding::BASE64;
use formwork_data::error::{Error, Result};

use crate::{idempotency_keys::FirstRequest, response::Response};

/// Says that the answer is the one of an earlier request.
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// The answer to a request with this fingerprint, whose key an earlier request used.
pub(super) fn answer(first: FirstRequest, fingerprint: &str) -> Result<Response> {
    if first.fingerprint != fingerprint {
        let message = "The Idempotency-Key was used for another request.";
        return Err(Error::validation("Idempotency-Key", message));
    }
    let status = first.status.map(StatusCode::from_u16);
    match status.and_then(|status| status.ok()) {
        None => Err(running()),
        Some(status) if status.is_server_error() => Err(Error::internal(
            "the first request with this Idempotency-Key failed",
        )),
        Some(status) => Ok(replayed(status, &first.headers, &first.body)),
    }
}

/// 409: it runs, it was answered just now, or the process that did it died.
pub(super) fn running() -> Error {
    Error::conflict("A request with this Idempotency-Key is running, or its outcome is unknown.")
}

/// The name, among the headers that are kept, of how the body is kept. No header has this name.
const BODY: &str = ":body";

/// Headers and body as they are kept: a list of names and values, and a text. A body that is no text, or
/// that some databases do not take for one, is kept in base64 (RFC 4648, section 4).
pub(super) fn written(answer: &Response) -> (String, String) {
    let pair = |(name, value): (&HeaderName, &HeaderValue)| {
        let value = value.to_str().ok()?;
        Some((name.as_str().to_owned(), value.to_owned()))
    };
    let mut pairs: Vec<(String, String)> = answer.headers().iter().filter_map(pair).collect();
    let text = std::str::from_utf8(answer.body()).ok();
    let body = match text.filter(|text| !text.contains('\0')) {
        Some(text) => text.to_owned(),
        None => {
            pairs.push((BODY.to_owned(), "base64".to_owned()));
            BASE64.encode(answer.body())
        }
    };
    (serde_json::json!(pairs).to_string(), body)
}

fn replayed(status: StatusCode, headers: &str, body: &str) -> Response {
    let headers: Vec<(String, String)> = serde_json::from_str(headers).unwrap_or_default();
    let is_encoded = headers.iter().any(|(name, _)| name == BODY);
    let decoded = is_encoded.then(|| BASE64.decode(body.as_bytes()).ok());
    let body = decoded.flatten().unwrap_or_else(|| body.into());
    let answer = Response::json_bytes(body).with_status(status);
    let headers = headers.iter().filter_map(|(name, value)| {
        let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
        Some((name, value))
    });
    headers
        .fold(answer, |answer, (name, value)| {
            answer.with_header(name, value)
        })
        .with_header(REPLAYED, "true")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_come_back() {
        let kept = Response::no_content().with_header(axum::http::header::LOCATION, "/api/x/1");
        let (headers, body) = written(&kept);
        let again = replayed(StatusCode::CREATED, &headers, &body);
        assert_eq!(again.headers()["location"], "/api/x/1");
        assert_eq!(again.headers()["idempotency-replayed"], "true");
    }

    #[test]
    fn any_bytes_come_back() {
        for bytes in [&b"{}"[..], b"", b"a\0b", b"\xff\xd8\x00", b"base64"] {
            let kept = Response::json_bytes(bytes.to_vec());
            let (headers, body) = written(&kept);
            assert!(!body.contains('\0'));
            let again = replayed(StatusCode::OK, &headers, &body);
            assert_eq!(again.body(), bytes);
            assert!(again.headers().keys().all(|name| name.as_str() != BODY));
        }
    }
}
