//! Connections at once.

use std::{
    io::{Read, Write},
    time::{Duration, Instant},
};

use formwork::{auth::AccountKind, testing::Service};

use super::{config, extensions, oven::CRUMBS, raw};

/// Longer than the slowest machine takes.
const PATIENCE: Duration = Duration::from_secs(25);

/// One address may have half of the connections: two of three.
#[test]
fn a_connection_over_the_limit_is_503_with_retry_after() {
    let config = config("server: { max_connections: 3 }");
    let service = Service::with_config(config, extensions());
    let silent: Vec<_> = (0..2).map(|_| raw::connect(&service)).collect();
    // A place is taken when the service has accepted the connection.
    let request = "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n";
    let began = Instant::now();
    let refused = loop {
        let answer = raw::ask(
            &service,
            &request.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"),
        );
        if !answer.starts_with("HTTP/1.1 200") || began.elapsed() > PATIENCE {
            break answer;
        }
    };
    assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
    let refused = refused.to_lowercase();
    assert!(refused.contains("retry-after: 1") && refused.contains("too many connections"));
    assert!(refused.contains("connection: close"), "{refused}");
    assert!(refused.contains("x-request-id: "), "{refused}");
    let document = "GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
                    Accept: application/vnd.api+json\r\n\r\n";
    let refused = raw::ask(&service, document);
    assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
    assert!(refused.contains("\"errors\":[{"), "{refused}");
    drop(silent);
    let began = Instant::now();
    loop {
        let answer = raw::ask(
            &service,
            &request.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"),
        );
        if answer.starts_with("HTTP/1.1 200") {
            break;
        }
        assert!(began.elapsed() < PATIENCE, "places are given back");
    }
}

/// An address of this machine other than the one tests come from.
#[cfg(target_os = "linux")]
#[test]
fn a_client_at_its_limit_leaves_connections_to_others() {
    let config = config("server: { max_connections: 4 }");
    let service = Service::with_config(config, extensions());
    let own: Vec<_> = (0..2).map(|_| raw::connect(&service)).collect();
    let request = "GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let refused = raw::ask(&service, request);
    assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
    let other = raw::ask_from("127.0.0.2", &service, request);
    assert!(other.starts_with("HTTP/1.1 200"), "{other}");
    drop(own);
}

#[test]
fn proxies_have_all_places() {
    let config = config("server: { max_connections: 4 }\napi: { trusted_proxies: [127.0.0.1] }");
    let service = Service::with_config(config, extensions());
    let kept: Vec<_> = (0..3).map(|_| raw::connect(&service)).collect();
    let request = "GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let answer = raw::ask(&service, request);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    drop(kept);
}

#[test]
fn a_client_that_does_not_read_holds_no_database_connection() {
    let config = config("database: { pool: { max: 1, acquire_timeout: 20s } }");
    let service = Service::with_config(config, extensions());
    let request = "GET /api/crumbs HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let mut silent: Vec<_> = (0..2)
        .map(|_| {
            let mut socket = raw::connect(&service);
            socket.write_all(request.as_bytes()).expect("a request");
            socket
        })
        .collect();
    for socket in &mut silent {
        // It is on its way.
        socket.read_exact(&mut [0]).expect("an answer");
    }
    for _ in 0..5 {
        let answer = service.guest().get("/api/dishes");
        assert_eq!(answer.status, 200, "{answer}");
    }
    // Their answers wait for them, whole.
    let answer = raw::rest(&mut silent[0]);
    assert!(
        answer.len() > CRUMBS && answer.ends_with('}'),
        "{}",
        answer.len()
    );
}

/// Clients that do not read a long answer, and others that send their bodies a byte at a time.
#[test]
fn slow_clients_do_not_slow_down_others() {
    let service = Service::with_config(config("api: { rate_limit: 0 }"), extensions());
    service.admin();
    let token = service.token(AccountKind::Admin, 1, &["*"]);
    let idle = took(&service);
    let unread = "GET /api/crumbs HTTP/1.1\r\nHost: x\r\n\r\n".to_owned();
    let sent_slowly = format!(
        "POST /api/dishes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{{"
    );
    let begin = |request: &str| {
        let mut socket = raw::connect(&service);
        socket.write_all(request.as_bytes()).expect("a request");
        socket
    };
    let mut readers: Vec<_> = (0..4).map(|_| begin(&unread)).collect();
    for reader in &mut readers {
        // Its answer is made, and on its way.
        reader.read_exact(&mut [0]).expect("an answer");
    }
    let mut senders: Vec<_> = (0..96).map(|_| begin(&sent_slowly)).collect();
    for _ in 0..5 {
        let busy = took(&service);
        // A request that waited for a slow client would wait for its timeout.
        let bound = (idle * 20).max(Duration::from_secs(2));
        assert!(busy < bound, "{busy:?} for 20 requests, {idle:?} before");
        for sender in &mut senders {
            sender.write_all(b" ").expect("its body is still expected");
        }
    }
}

/// The time of 20 requests, one after another.
fn took(service: &Service) -> Duration {
    let began = Instant::now();
    for _ in 0..20 {
        let answer = service.guest().get("/api/dishes");
        assert_eq!(answer.status, 200, "{answer}");
    }
    began.elapsed()
}
