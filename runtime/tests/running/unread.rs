//! Requests that are refused by their head: what their clients still write is read, so that the
//! answer arrives and the connection lives on (RFC 9112, section 9.6).

use std::{
    io::{Read, Write},
    net::TcpStream,
    thread,
    time::Duration,
};

use formwork::testing::Service;

use super::{
    kitchen,
    raw::{connect, rest},
};

/// Sends the head of a request, and some time later its body.
fn send(socket: &mut TcpStream, head: &str, body: &str) {
    socket.write_all(head.as_bytes()).expect("a head");
    thread::sleep(Duration::from_millis(100));
    socket.write_all(body.as_bytes()).expect("a body");
}

/// One answer, as its `Content-Length` says.
fn answer(socket: &mut TcpStream) -> String {
    let mut text = Vec::new();
    loop {
        let seen = String::from_utf8_lossy(&text).into_owned();
        if let Some((head, body)) = seen.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let line = line.to_ascii_lowercase();
                line.strip_prefix("content-length:")?
                    .trim()
                    .parse::<usize>()
                    .ok()
            });
            if body.len() >= length.unwrap_or(0) {
                return seen;
            }
        }
        let mut byte = [0];
        match socket.read(&mut byte) {
            Ok(1) => text.push(byte[0]),
            other => panic!("{other:?} after {seen}"),
        }
    }
}

const BODY: &str = r#"{"title": "Puff", "price": "1", "portions": 1}"#;

/// Heads that are refused before the body is looked at.
fn refusals() -> Vec<(&'static str, String)> {
    let head = |method: &str, path: &str, more: &str| {
        let length = BODY.len();
        format!(
            "{method} {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{more}\r\n"
        )
    };
    vec![
        ("401", head("POST", "/api/dishes", "")),
        (
            "401",
            head("PUT", "/api/dishes/1", "Authorization: Bearer 1|x\r\n"),
        ),
        ("404", head("POST", "/api/nothing", "")),
        ("405", head("DELETE", "/api/dishes", "")),
        ("406", head("GET", "/api/dishes", "Accept: text/html\r\n")),
    ]
}

fn still_answers(service: &Service, socket: &mut TcpStream) {
    let get = b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n";
    socket.write_all(get).expect("a request");
    let alive = answer(socket);
    assert!(
        alive.starts_with("HTTP/1.1 200"),
        "{} {alive}",
        service.url()
    );
}

#[test]
fn a_refusal_leaves_the_connection_as_it_was() {
    let service = kitchen();
    let mut socket = connect(&service);
    for (status, head) in refusals() {
        send(&mut socket, &head, BODY);
        let refused = answer(&mut socket);
        assert!(
            refused.starts_with(&format!("HTTP/1.1 {status}")),
            "{head}{refused}"
        );
        assert!(
            !refused.to_ascii_lowercase().contains("connection: close"),
            "{refused}"
        );
        still_answers(&service, &mut socket);
    }
    let chunked = "POST /api/dishes HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    send(&mut socket, chunked, "5\r\n{\"a\":\r\n2\r\n1}\r\n0\r\n\r\n");
    let refused = answer(&mut socket);
    assert!(refused.starts_with("HTTP/1.1 401"), "{refused}");
    still_answers(&service, &mut socket);
}

#[test]
fn bodies_that_are_too_large_or_too_slow_are_answered_with_connection_close() {
    let service = kitchen();
    let head = |more: &str| format!("POST /api/dishes HTTP/1.1\r\nHost: x\r\n{more}\r\n");
    for (more, body) in [
        ("Content-Length: 99999999999\r\n", "{"),
        ("Content-Length: 10\r\n", "{"),
        ("Transfer-Encoding: chunked\r\n", "5\r\nab"),
    ] {
        let mut socket = connect(&service);
        send(&mut socket, &head(more), body);
        let refused = rest(&mut socket);
        assert!(refused.starts_with("HTTP/1.1 401"), "{more}: {refused}");
        assert!(
            refused.to_ascii_lowercase().contains("connection: close"),
            "{more}: {refused}"
        );
    }
}

#[test]
fn a_refused_request_gets_no_100_continue() {
    let service = kitchen();
    let mut socket = connect(&service);
    let head = "POST /api/dishes HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n";
    socket.write_all(head.as_bytes()).expect("a head");
    let refused = rest(&mut socket);
    assert!(refused.starts_with("HTTP/1.1 401"), "{refused}");
    assert!(!refused.contains("100 Continue"), "{refused}");
    assert!(
        refused.to_ascii_lowercase().contains("connection: close"),
        "{refused}"
    );
}
