//! The answer to a request that was sent before.

use std::str::FromStr;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
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

/// Returns headers and body as they are kept: a list of names and values, and a text. A body that is no
/// text, or that some databases do not store as one, is encoded in base64 (RFC 4648, section 4).
pub(super) fn written(answer: &Response) -> (String, String) {
    let pair = |(name, value): (&HeaderName, &HeaderValue)| (name.to_string(), to_text(value));
    let mut pairs: Vec<(String, String)> = answer.headers().iter().map(pair).collect();
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
    let pairs: Vec<(String, String)> = serde_json::from_str(headers).unwrap_or_default();
    let is_encoded = pairs.iter().any(|(name, _)| name == BODY);
    let decoded = is_encoded.then(|| BASE64.decode(body.as_bytes()).ok());
    let body = decoded.flatten().unwrap_or_else(|| body.into());
    let mut headers = HeaderMap::with_capacity(pairs.len() + 1);
    for (name, value) in &pairs {
        // Appended: a header may have several values, such as two `Link`s.
        if let (Ok(name), Some(value)) = (HeaderName::from_str(name), from_text(value)) {
            headers.append(name, value);
        }
    }
    headers.insert(REPLAYED, HeaderValue::from_static("true"));
    Response::of_parts(status, headers, body)
}

/// Writes the bytes of a value as characters of the same numbers (ISO 8859-1): they need not be UTF-8.
fn to_text(value: &HeaderValue) -> String {
    value.as_bytes().iter().copied().map(char::from).collect()
}

/// Reads what [`to_text`] wrote.
fn from_text(text: &str) -> Option<HeaderValue> {
    let bytes: Option<Vec<u8>> = text.chars().map(|it| u8::try_from(it).ok()).collect();
    HeaderValue::from_bytes(&bytes?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_come_back() {
        let mut sent = HeaderMap::new();
        for (name, value) in [
            ("location", &b"/api/x/1"[..]),
            ("link", b"</a>; rel=next"),
            ("link", b"</b>; rel=last"),
            ("x-name", "Jürgen".as_bytes()),
            ("x-name", b"J\xfcrgen"),
        ] {
            let name = HeaderName::from_static(name);
            sent.append(name, HeaderValue::from_bytes(value).expect("a value"));
        }
        let kept = Response::of_parts(StatusCode::CREATED, sent.clone(), Vec::new());
        let (headers, body) = written(&kept);
        let again = replayed(StatusCode::CREATED, &headers, &body);
        sent.insert(REPLAYED, HeaderValue::from_static("true"));
        assert_eq!(again.headers(), &sent);
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
