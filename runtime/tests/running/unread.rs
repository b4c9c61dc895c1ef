//! Requests that are rejected by their head: the rest that their clients write is read, so that the
//! answer arrives and the connection lives on (RFC 9112, section 9.6).

use std::{
    io::{Read, Write},
    net::TcpStream,
    thread,
    time::Duration,
};

use super::{
    kitchen,
    raw::{connect, rest},
    support::at_once,
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

/// The heads of requests that are rejected before their bodies are looked at.
const REJECTED: [(&str, &str); 5] = [
    ("401", "POST /api/dishes HTTP/1.1"),
    (
        "401",
        "PUT /api/dishes/1 HTTP/1.1\r\nAuthorization: Bearer 1|x",
    ),
    ("404", "POST /api/nothing HTTP/1.1"),
    ("405", "DELETE /api/dishes HTTP/1.1"),
    ("406", "GET /api/dishes HTTP/1.1\r\nAccept: text/html"),
];

/// Checks that a request is rejected, and whether its connection is closed.
#[track_caller]
fn check_rejected(answer: &str, status: &str, closes: bool) {
    let answer = answer.to_ascii_lowercase();
    assert!(
        answer.starts_with(&format!("http/1.1 {status}")),
        "{answer}"
    );
    assert_eq!(answer.contains("connection: close"), closes, "{answer}");
}

#[test]
fn a_rejection_leaves_the_connection_as_it_was() {
    let service = kitchen();
    let mut socket = connect(&service);
    let length = format!("Content-Length: {}", BODY.len());
    let chunked = "Transfer-Encoding: chunked".to_owned();
    let chunks = "5\r\n{\"a\":\r\n2\r\n1}\r\n0\r\n\r\n";
    let chunked = ("401", "POST /api/dishes HTTP/1.1", chunked, chunks);
    let sized = REJECTED.map(|(status, head)| (status, head, length.clone(), BODY));
    for (status, head, framing, body) in sized.into_iter().chain([chunked]) {
        let head =
            format!("{head}\r\nHost: x\r\nContent-Type: application/json\r\n{framing}\r\n\r\n");
        send(&mut socket, &head, body);
        check_rejected(&answer(&mut socket), status, false);
        let get = b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n";
        socket.write_all(get).expect("a request");
        let alive = answer(&mut socket);
        assert!(alive.starts_with("HTTP/1.1 200"), "{head} {alive}");
    }
}

#[test]
fn bodies_that_are_too_large_or_too_slow_are_answered_with_connection_close() {
    let service = kitchen();
    let cases = [
        ("Content-Length: 99999999999", "{"),
        ("Content-Length: 10", "{"),
        ("Transfer-Encoding: chunked", "5\r\nab"),
        ("Content-Length: 10\r\nExpect: 100-continue", ""),
    ];
    at_once(cases.len(), |at| {
        let (framing, body) = cases[at];
        let mut socket = connect(&service);
        let head = format!("POST /api/dishes HTTP/1.1\r\nHost: x\r\n{framing}\r\n\r\n");
        send(&mut socket, &head, body);
        // A rejected request gets no 100 Continue.
        check_rejected(&rest(&mut socket), "401", true);
    });
}
