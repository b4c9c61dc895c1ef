//! Bytes over the wire: framing, versions, pipelines. Each exchange ends, none with a 500.

use std::{
    io::{self, ErrorKind, Read, Write},
    net::{Shutdown, TcpStream},
    sync::LazyLock,
    time::Duration,
};

use formwork::{auth::AccountKind, config::Config, testing::Service};
use proptest::{collection::vec, prelude::*, sample::select, test_runner::TestCaseError};

use super::{
    museum,
    soup::{one_of, soup},
    support::cases,
};

static SERVICE: LazyLock<Service> = LazyLock::new(|| {
    let mut config = Config::from_sources("log: { level: \"off\" }", []).expect("a configuration");
    config.api.request_timeout = Duration::from_secs(2);
    Service::with_config(config, vec![Box::new(museum::Museum)])
});

/// Longer than any request may take, on any machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A silence after which the service has nothing more to say, or waits for more to hear.
const SILENCE: Duration = Duration::from_millis(60);

/// Says it all and listens; hangs up after so long a silence, and reads until the other side closes. A whole
/// request waits with [`PATIENCE`]: a service that sees its client hang up answers no more.
fn exchange(said: &[u8], silence: Duration) -> Result<String, TestCaseError> {
    let address = SERVICE.url();
    let address = address.strip_prefix("http://").unwrap_or_default();
    let mut socket = TcpStream::connect(address).expect("a connection");
    // It may have been closed already: what it said before that counts.
    let _ = socket.write_all(said);
    let mut answer = Vec::new();
    socket.set_read_timeout(Some(silence)).expect("a timeout");
    if is_silent(socket.read_to_end(&mut answer)) {
        let _ = socket.shutdown(Shutdown::Write);
        socket.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let hangs = is_silent(socket.read_to_end(&mut answer));
        prop_assert!(!hangs, "no end after {:?}", PATIENCE);
    }
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

fn is_silent(read: io::Result<usize>) -> bool {
    read.is_err_and(|error| matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut))
}

fn survives(said: &[u8]) -> Result<(), TestCaseError> {
    let answer = exchange(said, SILENCE)?;
    prop_assert!(!answer.contains("HTTP/1.1 500"), "{answer}");
    prop_assert!(!answer.contains("HTTP/1.0 500"), "{answer}");
    for part in answer.split("HTTP/1.").skip(1) {
        let status = part.get(2..5).unwrap_or_default();
        // Bytes that are no request are refused by hyper, which then ends the connection.
        let before =
            ["400", "414", "431"].contains(&status) && part.contains("\r\ncontent-length: 0\r\n");
        let has_id = part.contains("\r\nx-request-id: ");
        prop_assert!(
            has_id || before || status == "100",
            "every answer has an id: {}",
            answer
        );
    }
    Ok(())
}

fn head() -> impl Strategy<Value = String> {
    let method = prop_oneof![
        8 => one_of("GET HEAD POST PUT PATCH DELETE OPTIONS"),
        1 => select(vec!["TRACE", "CONNECT", "get", "X", "", "G T", "GET\t"]).prop_map(str::to_owned),
    ];
    let path = prop_oneof![
        3 => one_of("/api/things /api/things/1 /api/token /health/live"),
        1 => one_of(
            "/api/things/abc /api/things/create /api/token/user / * // /api//things /api/things/ \
             /api/../api/things /api/things/% /api/things/%2e%2e http://x/api/things x:443 /ä"
        ),
        1 => Just(String::new()),
        1 => soup().prop_map(|query| format!("/api/things?{query}")),
    ];
    let version = prop_oneof![
        8 => Just("HTTP/1.1"),
        2 => Just("HTTP/1.0"),
        1 => select(vec!["HTTP/2.0", "HTTP/0.9", "HTTP/1.1 x", "http/1.1", ""]),
    ];
    (method, path, version).prop_map(|(method, path, version)| format!("{method} {path} {version}"))
}

/// A token that lets a request through to its resource.
static TOKEN: LazyLock<String> = LazyLock::new(|| {
    let id = SERVICE.account(AccountKind::Admin, "keeper@example.com");
    SERVICE.token(AccountKind::Admin, id, &["*"])
});

/// Headers that a client sends.
const SOUND: &str = "Host: x
Connection: keep-alive
Content-Type: application/json
Content-Type: application/vnd.api+json
Accept: application/vnd.api+json
Content-Length: 2
Transfer-Encoding: chunked
Expect: 100-continue";

/// Headers that no client sends; a bar is the end of a line.
const ODD: &str = "Host: x | Host: y
Connection: close
Connection: keep-alive, upgrade
Upgrade: h2c
Expect: the-impossible
Content-Type: application/json | Content-Type: text/plain
Content-Length: 0
Content-Length: 7
Content-Length: -1
Content-Length: 2, 2
Content-Length: 2 | Content-Length: 3
Content-Length: 99999999999999999999
Content-Length: 1048577
Transfer-Encoding: gzip, chunked
Transfer-Encoding: identity
Transfer-Encoding: chunked, chunked
Content-Encoding: gzip
Trailer: X
X: a |  b
: empty
No colon
X\0: y
Authorization: Bearer 1|x | Authorization: Bearer 2|y
Accept: */* | Accept: text/html
Cookie: a=b
Range: bytes=0-1";

fn header() -> impl Strategy<Value = String> {
    let sound = select(SOUND.lines().collect::<Vec<_>>());
    let sound = sound.prop_map(str::to_owned);
    let token = Just(()).prop_map(|()| format!("Authorization: Bearer {}", *TOKEN));
    prop_oneof![4 => sound, 1 => token, 1 => odd_header()]
}

fn odd_header() -> impl Strategy<Value = String> {
    let known = select(ODD.lines().collect::<Vec<_>>());
    let known = known.prop_map(|line| line.replace(" | ", "\r\n"));
    let long = (1..20_000_usize).prop_map(|length| format!("X-Long: {}", "x".repeat(length)));
    prop_oneof![12 => known, 1 => long]
}

fn body() -> impl Strategy<Value = Vec<u8>> {
    let known = select(vec![
        "",
        "{}",
        "{\"title\":\"x\"}",
        "2\r\n{}\r\n0\r\n\r\n",
        "2;ext=\"x\"\r\n{}\r\n0\r\nX: y\r\n\r\n",
        "zz\r\n{}\r\n0\r\n\r\n",
        "ffffffffffffffffff\r\n{}",
        "2\r\n{}",
        "2\n{}\n0\n\n",
        "-1\r\n",
        "0\r\n",
        "5\r\n{}\r\n0\r\n\r\n",
        "1\r\n{\r\n1\r\n}\r\n0\r\n\r\n",
    ]);
    prop_oneof![
        3 => known.prop_map(|body| body.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 0..40),
    ]
}

fn request() -> impl Strategy<Value = Vec<u8>> {
    let end = select(vec!["\r\n", "\r\n", "\r\n", "\n"]);
    (head(), vec(header(), 0..5), end, body()).prop_map(|(head, headers, end, body)| {
        let mut lines = vec![head];
        lines.extend(headers);
        let mut request = lines.join(end).into_bytes();
        request.extend([end, end].concat().bytes());
        request.extend(body);
        request
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(60), ..ProptestConfig::default() })]

    #[test]
    fn any_request_ends(requests in vec(request(), 1..4)) {
        survives(&requests.concat())?;
    }

    #[test]
    fn any_bytes_end(bytes in vec(any::<u8>(), 0..200)) {
        survives(&bytes)?;
    }
}

/// How many answers there are, and the first's status.
fn answers(said: &str, silence: Duration) -> (usize, String) {
    let answer = exchange(said.as_bytes(), silence).expect("an end");
    let count = answer.matches("HTTP/1.").count();
    (count, answer.chars().skip(9).take(3).collect())
}

#[test]
fn requests_in_a_row_are_answered_in_a_row() {
    let one = "GET /api/things HTTP/1.1\r\nHost: x\r\n\r\n";
    let missing = "GET /api/nothing HTTP/1.1\r\nHost: x\r\n\r\n";
    let last = "GET /api/things HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let said = format!("{missing}{one}{last}");
    let answer = exchange(said.as_bytes(), PATIENCE).expect("an end");
    let statuses: Vec<&str> = answer.matches("HTTP/1.1 200 OK").collect();
    assert_eq!(statuses.len(), 2, "{answer}");
    assert!(answer.starts_with("HTTP/1.1 404"), "{answer}");
}

#[test]
fn framing_says_where_a_body_ends() {
    let post = "POST /api/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                Connection: close\r\n";
    // Less than was announced is a body that was cut off, once the client hangs up.
    for rest in [
        "Content-Length: 9\r\n\r\n{}",
        "Transfer-Encoding: chunked\r\n\r\n9\r\n{}",
    ] {
        let (count, seen) = answers(&format!("{post}{rest}"), SILENCE);
        assert_eq!((count, seen.as_str()), (1, "400"), "{rest:?}");
    }
    for (rest, status) in [
        ("Content-Length: 2\r\n\r\n{}", "422"),
        // More than was announced is another request, and this one is none.
        ("Content-Length: 2\r\n\r\n{}{}", "422"),
        ("Content-Length: x\r\n\r\n{}", "400"),
        ("Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "400"),
        (
            "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n",
            "422",
        ),
        (
            "Transfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\nX: y\r\n\r\n",
            "422",
        ),
        (
            "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
            "400",
        ),
        ("Transfer-Encoding: gzip\r\n\r\n{}", "400"),
    ] {
        let (count, seen) = answers(&format!("{post}{rest}"), PATIENCE);
        assert_eq!((count, seen.as_str()), (1, status), "{rest:?}");
    }
}

#[test]
fn older_versions_are_answered_and_closed() {
    let answer = exchange(b"GET /api/things HTTP/1.0\r\n\r\n", PATIENCE).expect("an end");
    assert!(answer.starts_with("HTTP/1.0 200"), "{answer}");
    assert!(answer.ends_with('}'), "{answer}");
}

/// "`Accept: application/json`, `*/*` or none: the data rendering."
#[test]
fn a_request_without_a_media_type_gets_the_data_rendering() {
    for accept in [
        "",
        "Accept: */*\r\n",
        "Accept: application/json\r\n",
        "Accept:\r\n",
    ] {
        let said =
            format!("GET /api/things HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{accept}\r\n");
        let answer = exchange(said.as_bytes(), PATIENCE).expect("an end");
        assert!(answer.starts_with("HTTP/1.1 200"), "{accept}: {answer}");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a body");
        assert!(
            head.to_lowercase()
                .contains("content-type: application/json\r\n"),
            "{head}"
        );
        assert!(body.starts_with("{\"data\":["), "{accept}: {body}");
    }
}

#[test]
fn long_heads_are_refused_and_not_read_for_ever() {
    let line = format!("X: {}\r\n", "x".repeat(1000));
    let said = format!(
        "GET /api/things HTTP/1.1\r\nHost: x\r\n{}\r\n",
        line.repeat(2000)
    );
    let answer = exchange(said.as_bytes(), PATIENCE).expect("an end");
    assert!(
        answer.is_empty() || answer.starts_with("HTTP/1.1 431"),
        "{answer}"
    );
    let said = format!(
        "GET /api/things?search={} HTTP/1.1\r\nHost: x\r\n\r\n",
        "x".repeat(70_000)
    );
    let (_, status) = answers(&said, PATIENCE);
    assert!(["414", "431", "400"].contains(&status.as_str()), "{status}");
}
