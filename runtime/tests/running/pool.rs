//! Limits of a request: its time, its body, and the connections of the database.

use std::{
    io::Write,
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
    let answer = service.guest().get("/api/loaves/30000").expect(503);
    assert!(answer.header("retry-after").is_some());
    // A body that never comes takes no more.
    let mut socket = raw::connect(&service);
    let head = format!("{POST}Content-Length: 10\r\n\r\n{{");
    socket.write_all(head.as_bytes()).expect("half a request");
    let answer = raw::rest(&mut socket);
    assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
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
    for (rest, asked) in [
        (
            format!("Transfer-Encoding: chunked\r\n\r\n{chunk}{chunk}0\r\n\r\n"),
            false,
        ),
        ("Content-Length: 100\r\n\r\n".to_owned(), false),
        (
            "Content-Length: 100\r\nExpect: 100-continue\r\n\r\n".to_owned(),
            true,
        ),
        (
            format!("Transfer-Encoding: chunked\r\n\r\nfffffff\r\n{long}{long}"),
            false,
        ),
    ] {
        let ask = || {
            let began = Instant::now();
            let answer = raw::ask(&service, &format!("{POST}{rest}"));
            assert!(answer.starts_with("HTTP/1.1 413"), "{rest}: {answer}");
            began.elapsed()
        };
        // An unread body is waited for two seconds. The quickest try had the machine for itself.
        let (times, max) = if asked { (5, 1) } else { (1, 15) };
        let quickest = (0..times).map(|_| ask()).min().expect("an answer");
        assert!(quickest < Duration::from_secs(max), "{rest}: {quickest:?}");
    }
    check(
        &service,
        r#"guest POST /api/loaves {"flour": "rye"} => 201"#,
    );
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
