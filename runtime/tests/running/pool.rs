//! Limits of a request: its time, its body, and the connections of the database.

use std::{
    io::Write,
    time::{Duration, Instant},
};

use formwork::prelude::*;

use super::{config, extensions, raw};
use formwork::testing::Service;

fn service(yaml: &str) -> Service {
    Service::with_config(config(yaml), extensions())
}

#[test]
fn a_pool_without_a_free_connection_is_503_and_never_a_hang() {
    let service = service("database: { pool: { max: 1, acquire_timeout: 1s } }");
    let held = service
        .block_on(service.app().db().begin())
        .expect("a transaction");
    let began = Instant::now();
    let answers: Vec<_> = std::thread::scope(|scope| {
        let ask = || service.guest().get("/api/dishes");
        let running: Vec<_> = (0..20).map(|_| scope.spawn(ask)).collect();
        running
            .into_iter()
            .map(|it| it.join().expect("an answer"))
            .collect()
    });
    // One after the other would take twenty seconds.
    assert!(
        began.elapsed() < Duration::from_secs(15),
        "{:?}",
        began.elapsed()
    );
    for answer in answers {
        assert_eq!(answer.status, 503, "{answer}");
        assert_eq!(answer.header("retry-after"), Some("1"));
    }
    assert_eq!(service.guest().get("/health/live").status, 200);
    assert_eq!(service.guest().get("/health/ready").status, 503);
    service.block_on(async { drop(held) });
    assert_eq!(service.guest().get("/api/dishes").status, 200, "it goes on");
}

#[test]
fn asking_whether_it_is_ready_does_not_take_the_pool() {
    let service = service("database: { pool: { max: 1, acquire_timeout: 3s } }");
    let ready = || service.guest().get("/health/ready").status;
    let hold = || {
        let held = service.block_on(service.app().db().begin());
        held.expect("a transaction")
    };
    // On a busy machine the second may be over before the second request: then it is repeated.
    let held = loop {
        std::thread::sleep(Duration::from_millis(1100));
        let began = Instant::now();
        assert_eq!(ready(), 200);
        let held = hold();
        let again = ready();
        if began.elapsed() < Duration::from_secs(1) {
            assert_eq!(again, 200, "what was found is believed for a second");
            break held;
        }
        service.block_on(async { drop(held) });
    };
    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(ready(), 503, "and not for longer");
    service.block_on(async { drop(held) });
    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(ready(), 200);
}

#[test]
fn a_request_has_its_time() {
    let service = service("api: { request_timeout: 1s }");
    let began = Instant::now();
    let answer = service.guest().get("/api/loaves/30000");
    assert_eq!(answer.status, 503, "{answer}");
    assert!(answer.header("retry-after").is_some());
    // A body that never comes costs no more.
    let mut socket = raw::connect(&service);
    let head = "POST /api/loaves HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                Content-Length: 10\r\nConnection: close\r\n\r\n{";
    socket.write_all(head.as_bytes()).expect("half a request");
    let answer = raw::rest(&mut socket);
    assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
    assert!(began.elapsed() < Duration::from_secs(25));
}

#[test]
fn a_body_has_its_size() {
    let service = service("api: { body_limit: 64 }");
    let loaf = json!({"flour": "x".repeat(64)});
    let answer = service.guest().post("/api/loaves", loaf);
    assert_eq!(answer.status, 413, "{answer}");
    // In pieces, without a word about its length.
    let piece = format!("40\r\n{{\"flour\":\"{}\r\n", "x".repeat(54));
    let request = format!(
        "POST /api/loaves HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n{piece}{piece}0\r\n\r\n"
    );
    let answer = raw::ask(&service, &request);
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    // A client that announces or sends too much is answered without waiting for the rest.
    let head = |more: &str| {
        format!(
            "POST /api/loaves HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
             Connection: close\r\n{more}\r\n"
        )
    };
    for (request, asked) in [
        (head("Content-Length: 100\r\n"), false),
        (
            head("Content-Length: 100\r\nExpect: 100-continue\r\n"),
            true,
        ),
        (
            head("Transfer-Encoding: chunked\r\n") + "fffffff\r\n" + &"x".repeat(100),
            false,
        ),
    ] {
        let ask = || {
            let began = Instant::now();
            let answer = raw::ask(&service, &request);
            assert!(answer.starts_with("HTTP/1.1 413"), "{request}: {answer}");
            began.elapsed()
        };
        // An unread body is waited for two seconds. The quickest try had the machine for itself.
        let (times, most) = if asked { (5, 1) } else { (1, 15) };
        let quickest = (0..times).map(|_| ask()).min().expect("an answer");
        assert!(
            quickest < Duration::from_secs(most),
            "{request}: {quickest:?}"
        );
    }
    assert_eq!(
        service
            .guest()
            .post("/api/loaves", json!({"flour": "rye"}))
            .status,
        201
    );
}

#[test]
fn a_body_is_read_as_it_is_sent() {
    let service = service("");
    let loaf = || json!({"flour": "rye"});
    for (coding, status) in [("gzip", 415), ("gzip, identity", 415), ("identity", 201)] {
        for media in ["application/json", "application/vnd.api+json"] {
            let client = service.guest().header("Content-Encoding", coding);
            let answer = client.header("Accept", media).post("/api/loaves", loaf());
            assert_eq!(answer.status, status, "{coding}: {answer}");
            if status == 415 {
                assert_eq!(answer.header("accept-encoding"), Some("identity"));
            }
        }
    }
}
