//! Limits of a request: its time, its body, and the connections of the database.

use std::{
    thread,
    time::{Duration, Instant},
};

use formwork::prelude::*;

use super::{
    configured, kitchen, raw,
    support::{Expect, JSON, JSON_API, at_once, check},
};

/// Begins a request with a body.
const POST: &str = "POST /api/loaves HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                    Connection: close\r\n";

#[test]
fn a_pool_without_a_free_connection_is_503_and_never_a_hang() {
    let service = configured("database: { pool: { max: 1, acquire_timeout: 1s } }");
    let held = service.block_on(service.app().db().begin());
    let held = held.expect("a transaction");
    let began = Instant::now();
    let answers = at_once(20, |_| service.guest().get("/api/dishes"));
    // One after the other would take twenty seconds.
    assert!(
        began.elapsed() < Duration::from_secs(15),
        "{:?}",
        began.elapsed()
    );
    for answer in answers {
        let answer = answer.expect(503);
        assert_eq!(answer.header("retry-after"), Some("1"));
    }
    let lines = "
        guest GET /health/live  => 200
        guest GET /health/ready => 503";
    check(&service, lines);
    service.block_on(async { drop(held) });
    check(&service, "guest GET /api/dishes => 200");
}

#[test]
fn asking_whether_it_is_ready_does_not_take_the_pool() {
    let service = configured("database: { pool: { max: 1, acquire_timeout: 3s } }");
    let ready = || service.guest().get("/health/ready").status;
    // On a busy machine the second may be over before the second request: then it is repeated.
    let held = loop {
        thread::sleep(Duration::from_millis(1100));
        let began = Instant::now();
        assert_eq!(ready(), 200);
        let held = service.block_on(service.app().db().begin());
        let again = ready();
        if began.elapsed() < Duration::from_secs(1) {
            assert_eq!(again, 200, "the result is valid for a second");
            break held.expect("a transaction");
        }
        service.block_on(async { drop(held) });
    };
    thread::sleep(Duration::from_millis(1100));
    assert_eq!(ready(), 503, "and not for longer");
    service.block_on(async { drop(held) });
    assert!(super::gate::soon(|| ready() == 200));
}

#[test]
fn a_request_has_its_time() {
    let service = configured("api: { request_timeout: 1s }");
    let began = Instant::now();
    // A body that never comes takes no more than a handler that takes too long.
    let head = format!("{POST}Content-Length: 10\r\n\r\n{{");
    let get = "GET /api/loaves/30000 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let requests = [head.as_str(), get];
    for answer in at_once(2, |at| raw::ask(&service, requests[at])) {
        assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
        assert!(answer.contains("retry-after: "), "{answer}");
    }
    assert!(began.elapsed() < Duration::from_secs(25));
}

#[test]
fn a_body_has_its_size() {
    let service = configured("api: { body_limit: 64 }");
    let long = "x".repeat(64);
    let loaf = json!({"flour": long});
    service.guest().post("/api/loaves", loaf).expect(413);
    // In chunks, without a length; then clients that announce or send too much are answered without
    // waiting for the rest.
    let chunk = format!("40\r\n{{\"flour\":\"{}\r\n", &long[10..]);
    let chunked = "Transfer-Encoding: chunked\r\n\r\n";
    let asked = "Content-Length: 100\r\nExpect: 100-continue\r\n\r\n";
    let requests = [
        format!("{chunked}{chunk}{chunk}0\r\n\r\n"),
        "Content-Length: 100\r\n\r\n".to_owned(),
        asked.to_owned(),
        format!("{chunked}fffffff\r\n{long}{long}"),
    ];
    at_once(requests.len(), |at| {
        let rest = &requests[at];
        let ask = || {
            let began = Instant::now();
            let answer = raw::ask(&service, &format!("{POST}{rest}"));
            assert!(answer.starts_with("HTTP/1.1 413"), "{rest}: {answer}");
            began.elapsed()
        };
        // An unread body is waited for two seconds. The quickest try had the machine for itself.
        let (times, max) = if rest == asked { (5, 1) } else { (1, 15) };
        let quickest = (0..times).map(|_| ask()).min().expect("an answer");
        assert!(quickest < Duration::from_secs(max), "{rest}: {quickest:?}");
    });
    service
        .guest()
        .post("/api/loaves", json!({"flour": "rye"}))
        .expect(201);
}

#[test]
fn a_body_is_read_as_it_is_sent() {
    let lines = r#"
        guest POST /api/loaves @Accept=MEDIA @Content-Encoding=gzip {"flour": "rye"} => 415 accept-encoding: "identity"
        guest POST /api/loaves @Accept=MEDIA @Content-Encoding=gzip,identity {"flour": "rye"} => 415 accept-encoding: "identity"
        guest POST /api/loaves @Accept=MEDIA @Content-Encoding=identity {"flour": "rye"} => 201"#;
    for media in [JSON, JSON_API] {
        check(&kitchen(), &lines.replace("MEDIA", media));
    }
}
