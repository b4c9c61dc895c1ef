//! Connections at once.

use std::{
    io::{Read, Write},
    time::{Duration, Instant},
};

use formwork::testing::Service;

use super::{config, extensions, oven::CRUMBS, raw};

/// Longer than the slowest machine takes.
const PATIENCE: Duration = Duration::from_secs(25);

/// One address may have half of the connections: two of three.
#[test]
fn one_connection_too_many_is_told_to_come_back() {
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
fn who_has_its_share_leaves_places_to_others() {
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
fn who_does_not_read_holds_no_connection_of_the_database() {
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
