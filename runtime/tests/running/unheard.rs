//! Requests that no route hears of, since the HTTP layer cannot read their heads: they are answered
//! as all others are.

use std::{
    io::{Read, Write},
    thread,
    time::Duration,
};

use formwork::testing::Service;
use serde_json::Value as Json;

use super::{config, extensions, kitchen, raw};

/// Status, lines of the head in lower case, and body.
fn parts(answer: &str) -> (u16, Vec<String>, Json) {
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|it| it.parse().ok());
    let lines = head.lines().map(str::to_lowercase).collect();
    let body = serde_json::from_str(body).unwrap_or_else(|_| panic!("JSON: {answer}"));
    (status.expect("a status"), lines, body)
}

fn unreadable() -> Vec<(u16, String)> {
    let headers = |count: usize| "a: b\r\n".repeat(count);
    vec![
        (400, "GET\r\n\r\n".to_owned()),
        (400, "GET / HTTP/1.1\r\nHost x\r\n\r\n".to_owned()),
        (400, "GET / HTTP/1.1\r\nHost: x\r\n y\r\n\r\n".to_owned()),
        (400, "GET /\u{7f} HTTP/1.1\r\nHost: x\r\n\r\n".to_owned()),
        (400, "G(T / HTTP/1.1\r\nHost: x\r\n\r\n".to_owned()),
        (400, "GET / HTTP/3.7\r\nHost: x\r\n\r\n".to_owned()),
        (
            400,
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1x\r\n\r\n".to_owned(),
        ),
        (
            400,
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"
                .to_owned(),
        ),
        (
            400,
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, gzip\r\n\r\n".to_owned(),
        ),
        (
            414,
            format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "x".repeat(70_000)),
        ),
        (431, format!("GET / HTTP/1.1\r\n{}\r\n", headers(120))),
        (
            431,
            format!("GET / HTTP/1.1\r\na: {}\r\n\r\n", "x".repeat(200_000)),
        ),
    ]
}

/// A connection that is closed on who still writes is reset, and takes the answer with it.
#[test]
fn who_writes_on_is_listened_to_for_a_while() {
    let service = kitchen();
    let mut socket = raw::connect(&service);
    socket.write_all(b"GET / HTTP/1.1\r\na: ").expect("a head");
    for piece in 0..16 {
        let written = socket.write_all(&[b'x'; 64 * 1024]);
        assert!(written.is_ok(), "{piece}: {written:?}");
        thread::sleep(Duration::from_millis(10));
    }
    let (status, _, body) = parts(&raw::rest(&mut socket));
    assert_eq!((status, &body["status_code"]), (431, &Json::from(431)));
}

#[test]
fn what_cannot_be_read_is_answered_as_everything_is() {
    let service = kitchen();
    let mut ids = Vec::new();
    for (expected, request) in unreadable() {
        let asked: String = request.chars().take(60).collect();
        let answer = raw::ask(&service, &request);
        let (status, head, body) = parts(&answer);
        assert_eq!(status, expected, "{asked}: {answer}");
        assert_eq!(body["status_code"], expected, "{asked}: {answer}");
        assert!(body["message"].is_string(), "{asked}: {answer}");
        let has = |line: &str| head.iter().any(|it| it == line);
        for line in [
            "connection: close",
            "content-type: application/json",
            "vary: accept",
            "x-content-type-options: nosniff",
            &format!("content-length: {}", body.to_string().len()),
        ] {
            assert!(has(line), "{asked}: {line} in {answer}");
        }
        let one = |name: &str| head.iter().filter(|line| line.starts_with(name)).count();
        assert_eq!((one("date: "), one("content-length: ")), (1, 1), "{answer}");
        ids.extend(
            head.into_iter()
                .filter(|line| line.starts_with("x-request-id: ")),
        );
    }
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), unreadable().len(), "each has its own: {ids:?}");
}

/// RFC 9112, sections 3.2 and 6.1: what two readers may read in two ways is not read, or nothing is
/// read behind it.
#[test]
fn what_can_be_read_in_two_ways_ends_the_connection_or_is_refused() {
    let service = kitchen();
    let live = |version: &str, hosts: &str| {
        let close = "Connection: close";
        let request = format!("GET /health/live {version}\r\n{hosts}{close}\r\n\r\n");
        raw::ask(&service, &request)
    };
    for hosts in [
        "",
        "Host: a\r\nHost: a\r\n",
        "Host: a b\r\n",
        "Host: a/b\r\n",
    ] {
        let answer = live("HTTP/1.1", hosts);
        let (status, head, body) = parts(&answer);
        assert_eq!(
            (status, &body["status_code"]),
            (400, &Json::from(400)),
            "{hosts}"
        );
        assert!(
            head.iter().any(|line| line.starts_with("x-request-id: ")),
            "{answer}"
        );
        let document = raw::ask(
            &service,
            &format!(
                "GET /health/live HTTP/1.1\r\n{hosts}Accept: application/vnd.api+json\r\n\
                 Connection: close\r\n\r\n"
            ),
        );
        assert_eq!(
            parts(&document).2["errors"][0]["status"],
            "400",
            "{document}"
        );
    }
    for (version, hosts) in [("HTTP/1.0", ""), ("HTTP/1.1", "Host: [::1]:80\r\n")] {
        let answer = live(version, hosts);
        assert!(answer.contains(" 200 OK"), "{answer}");
    }
    for coding in ["chunked\r\nTransfer-Encoding: chunked", "gzip, chunked"] {
        let request = format!(
            "POST /api/loaves HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: {coding}\r\n\
             Connection: close\r\n\r\n0\r\n\r\n"
        );
        let answer = raw::ask(&service, &request);
        assert_eq!(parts(&answer).0, 400, "{answer}");
    }
    // Both lengths, then what one of the two readers takes for another request.
    let both = "POST /api/loaves HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n\
                GET /api/dishes HTTP/1.1\r\nHost: x\r\n\r\n";
    let answer = raw::ask(&service, both);
    assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{answer}");
}

#[test]
fn where_documents_are_the_rule_it_is_one() {
    let service = Service::with_config(config("api: { serializer: json_api }"), extensions());
    let (status, head, body) = parts(&raw::ask(&service, "GET\r\n\r\n"));
    assert_eq!(status, 400);
    assert!(
        head.contains(&"content-type: application/json".to_owned()),
        "{head:?}"
    );
    assert_eq!(body["errors"][0]["status"], "400", "{body}");
}

#[test]
fn what_was_asked_before_is_answered_first() {
    let service = kitchen();
    for (count, version) in [(1, "1.1"), (5, "1.1"), (2, "1.0")] {
        let good =
            format!("GET /api/dishes HTTP/{version}\r\nHost: x\r\nConnection: keep-alive\r\n\r\n");
        let answer = raw::ask(&service, &format!("{}GET\r\n\r\n", good.repeat(count)));
        let start = format!("HTTP/{version} ");
        let answer = answer.replace("HTTP/1.1 ", &start);
        let answers: Vec<&str> = answer.split(&start).skip(1).collect();
        assert_eq!(answers.len(), count + 1, "{answer}");
        let (last, first) = answers.split_last().expect("answers");
        assert!(first.iter().all(|it| it.starts_with("200")), "{answer}");
        assert!(
            last.starts_with("400") && last.contains("x-request-id: "),
            "{answer}"
        );
    }
}

/// A head that does not end is answered while it is sent; the answer arrives although much more
/// follows that nobody reads.
#[test]
fn the_answer_arrives_while_the_client_writes() {
    let service = kitchen();
    let mut socket = raw::connect(&service);
    let patience = Some(Duration::from_secs(5));
    socket.set_write_timeout(patience).expect("a timeout");
    socket.write_all(b"GET / HTTP/1.1\r\na: ").expect("a head");
    for _ in 0..48 {
        // What the system keeps is far less than this.
        if socket.write_all(&[b'x'; 64 * 1024]).is_err() {
            break;
        }
        thread::sleep(Duration::from_millis(2));
    }
    let mut answer = String::new();
    socket.read_to_string(&mut answer).expect("no reset");
    assert_eq!(parts(&answer).0, 431, "{answer}");
}
