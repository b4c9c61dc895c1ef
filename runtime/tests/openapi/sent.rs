//! How the document is sent: deterministic, cheap to revalidate, and compressed.

use std::{
    future::{Future, poll_fn},
    io::Read,
    task::Poll,
};

use formwork::{config::Config, testing::Service};
use http_body_util::BodyExt;
use tower::ServiceExt;

use crate::{magazine, with};

#[test]
fn the_description_is_the_same_every_time_and_has_an_etag() {
    let service = magazine();
    let first = service.guest().get("/api/openapi.json");
    assert_eq!(first.header("content-type"), Some("application/json"));
    let again = with(Config {
        ..Config::default()
    })
    .guest()
    .get("/api/openapi.json");
    assert_eq!(first.body, again.body);
    let tag = first.header("etag").expect("a tag").to_owned();
    let known = service
        .guest()
        .header("If-None-Match", &tag)
        .get("/api/openapi.json");
    assert_eq!((known.status, known.body.as_str()), (304, ""));
    let head = service.guest().send("HEAD", "/api/openapi.json", None);
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    assert_eq!(head.header("etag"), Some(tag.as_str()));
    let length = head.header("content-length").expect("a length");
    assert_eq!(length, first.body.len().to_string());
    let post = service.guest().send("POST", "/api/openapi.json", None);
    assert_eq!(
        (post.status, post.header("allow")),
        (405, Some("GET, HEAD"))
    );
    assert_eq!(
        service.with_token("7|no").get("/api/openapi.json").status,
        401
    );
    assert_eq!(service.customer().get("/api/openapi.json").status, 200);
}

/// The status, the headers and the bytes of the description, for a request with this header.
fn sent(
    service: &Service,
    method: &str,
    name: &str,
    value: &str,
) -> (u16, axum::http::HeaderMap, Vec<u8>) {
    let request = axum::http::Request::builder()
        .method(method)
        .uri("/api/openapi.json")
        .header("Accept-Encoding", "gzip")
        .header(name, value)
        .body(axum::body::Body::empty())
        .expect("a request");
    let answer = service.block_on(service.app().router().oneshot(request));
    let (parts, body) = answer.expect("an answer").into_parts();
    let body = service.block_on(body.collect()).expect("a body");
    (parts.status.as_u16(), parts.headers, body.to_bytes().into())
}

/// Many resources take a while: a worker that made the description would keep other requests waiting.
#[test]
fn the_description_is_built_beside_the_requests() {
    let service = magazine();
    let is_ready = || {
        let request = axum::http::Request::get("/api/openapi.json");
        let request = request.body(axum::body::Body::empty()).expect("a request");
        let mut answer = Box::pin(service.app().router().oneshot(request));
        service.block_on(poll_fn(|task| {
            Poll::Ready(answer.as_mut().poll(task).is_ready())
        }))
    };
    assert!(!is_ready(), "another thread makes it");
    assert_eq!(service.guest().get("/api/openapi.json").status, 200);
    assert!(is_ready(), "it was made once");
}

#[test]
fn the_description_is_compressed_for_clients_that_take_gzip() {
    let service = magazine();
    let plain = service.guest().get("/api/openapi.json");
    assert_eq!(plain.header("content-encoding"), None);
    assert_eq!(plain.header("vary"), Some("Accept-Encoding"));
    let (status, headers, bytes) = sent(&service, "GET", "X-Any", "thing");
    assert_eq!(
        (status, &headers["content-encoding"]),
        (200, &"gzip".parse().expect("a value"))
    );
    assert_eq!(headers["content-type"], "application/json");
    assert_eq!(headers["content-length"], bytes.len().to_string().as_str());
    assert!(bytes.len() * 5 < plain.body.len(), "{}", bytes.len());
    let mut text = String::new();
    let read = flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text);
    assert_eq!((read.ok(), &text), (Some(text.len()), &plain.body));
    // A strong tag is of these bytes and no others (RFC 9110, section 8.8.3).
    let tag = headers["etag"].to_str().expect("a tag");
    assert_ne!(Some(tag), plain.header("etag"));
    let (status, known, bytes) = sent(&service, "GET", "If-None-Match", tag);
    assert_eq!((status, bytes.len()), (304, 0));
    assert_eq!(known["etag"], tag);
    assert!(known.get("content-encoding").is_none());
    assert!(
        known
            .get_all("vary")
            .iter()
            .any(|value| value == "Accept-Encoding")
    );
    let other = plain.header("etag").expect("a tag");
    assert_eq!(sent(&service, "GET", "If-None-Match", other).0, 200);
    let (status, head, bytes) = sent(&service, "HEAD", "X-Any", "thing");
    assert_eq!((status, bytes.len()), (200, 0));
    assert_eq!(head["content-length"], headers["content-length"]);
}
