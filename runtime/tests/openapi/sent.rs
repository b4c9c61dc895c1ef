//! How the document is sent: deterministic, cheap to revalidate, and compressed.

use std::{
    future::{Future, poll_fn},
    io::Read,
    task::Poll,
};

use axum::{
    body::Body,
    http::{HeaderMap, Request},
};
use flate2::read::GzDecoder;
use formwork::testing::Service;
use http_body_util::BodyExt;
use tower::ServiceExt;

use crate::magazine;

const PATH: &str = "/api/openapi.json";

#[test]
fn the_description_is_the_same_every_time_and_has_an_etag() {
    let service = magazine();
    let guest = service.guest();
    let first = guest.get(PATH);
    assert_eq!(first.header("content-type"), Some("application/json"));
    assert_eq!(first.body, magazine().guest().get(PATH).body);
    let tag = first.header("etag").expect("a tag");
    let cached = guest.clone().header("If-None-Match", tag).get(PATH);
    assert_eq!((cached.status, cached.body.as_str()), (304, ""));
    let head = guest.send("HEAD", PATH, None);
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    assert_eq!(head.header("etag"), Some(tag));
    let length = head.header("content-length").expect("a length");
    assert_eq!(length, first.body.len().to_string());
    let post = guest.send("POST", PATH, None);
    assert_eq!(
        (post.status, post.header("allow")),
        (405, Some("GET, HEAD"))
    );
    assert_eq!(service.with_token("7|no").get(PATH).status, 401);
    assert_eq!(service.customer().get(PATH).status, 200);
}

/// Returns the status, the headers and the bytes of the description, for a client that accepts gzip
/// and sends this header.
fn compressed(service: &Service, method: &str, header: (&str, &str)) -> (u16, HeaderMap, Vec<u8>) {
    let request = Request::builder()
        .method(method)
        .uri(PATH)
        .header("Accept-Encoding", "gzip")
        .header(header.0, header.1)
        .body(Body::empty())
        .expect("a request");
    let answer = service.block_on(service.app().router().oneshot(request));
    let (parts, body) = answer.expect("a response").into_parts();
    let body = service.block_on(body.collect()).expect("a body");
    (parts.status.as_u16(), parts.headers, body.to_bytes().into())
}

/// Many resources take a while: a worker that built the description would block other requests.
#[test]
fn the_description_is_built_beside_the_requests() {
    let service = magazine();
    let is_ready = || {
        let request = Request::get(PATH).body(Body::empty()).expect("a request");
        let mut answer = Box::pin(service.app().router().oneshot(request));
        let poll = poll_fn(|task| Poll::Ready(answer.as_mut().poll(task).is_ready()));
        service.block_on(poll)
    };
    assert!(!is_ready(), "another thread builds it");
    assert_eq!(service.guest().get(PATH).status, 200);
    assert!(is_ready(), "it was built once");
}

#[test]
fn the_description_is_compressed_for_clients_that_take_gzip() {
    let service = magazine();
    let plain = service.guest().get(PATH);
    assert_eq!(plain.header("content-encoding"), None);
    assert_eq!(plain.header("vary"), Some("Accept-Encoding"));
    let (status, headers, bytes) = compressed(&service, "GET", ("X-Any", "thing"));
    assert_eq!(status, 200);
    assert_eq!(headers["content-encoding"], "gzip");
    assert_eq!(headers["content-type"], "application/json");
    assert_eq!(headers["content-length"], bytes.len().to_string().as_str());
    assert!(bytes.len() * 5 < plain.body.len(), "{}", bytes.len());
    let mut text = String::new();
    let read = GzDecoder::new(&bytes[..]).read_to_string(&mut text);
    assert_eq!((read.ok(), &text), (Some(text.len()), &plain.body));
    // A strong tag is of these bytes and no others (RFC 9110, section 8.8.3).
    let tag = headers["etag"].to_str().expect("a tag");
    assert_ne!(Some(tag), plain.header("etag"));
    let (status, cached, bytes) = compressed(&service, "GET", ("If-None-Match", tag));
    assert_eq!((status, bytes.len()), (304, 0));
    assert_eq!(cached["etag"], tag);
    assert!(cached.get("content-encoding").is_none());
    let mut vary = cached.get_all("vary").iter();
    assert!(vary.any(|value| value == "Accept-Encoding"));
    let other = ("If-None-Match", plain.header("etag").expect("a tag"));
    assert_eq!(compressed(&service, "GET", other).0, 200);
    let (status, head, bytes) = compressed(&service, "HEAD", ("X-Any", "thing"));
    assert_eq!((status, bytes.len()), (200, 0));
    assert_eq!(head["content-length"], headers["content-length"]);
}
