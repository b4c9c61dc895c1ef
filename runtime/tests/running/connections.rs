//! Connections at once.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

use formwork::{auth::AccountKind, testing::Service};

use super::{
    configured,
    gate::soon,
    log::{listen, logged},
    oven::CRUMBS,
    raw,
};

const LIVE: &str = "GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

/// Connections on which nothing is sent.
fn silent(service: &Service, count: usize) -> Vec<TcpStream> {
    (0..count).map(|_| raw::connect(service)).collect()
}

/// Connections on which this was sent.
fn sent(service: &Service, count: usize, request: &str) -> Vec<TcpStream> {
    let mut sockets = silent(service, count);
    for socket in &mut sockets {
        socket.write_all(request.as_bytes()).expect("a request");
    }
    sockets
}

fn is_live(service: &Service) -> bool {
    raw::ask(service, LIVE).starts_with("HTTP/1.1 200")
}

/// One address may have half of the connections: two of three.
#[test]
fn a_connection_over_the_limit_is_503_with_retry_after() {
    let service = configured("server: { max_connections: 3 }");
    let silent = silent(&service, 2);
    // A permit is taken when the service has accepted the connection.
    assert!(soon(|| !is_live(&service)), "there is a limit");
    let rejected = raw::ask(&service, LIVE).to_lowercase();
    for part in [
        "http/1.1 503",
        "retry-after: 1",
        "too many connections",
        "connection: close",
    ] {
        assert!(rejected.contains(part), "{part} in {rejected}");
    }
    assert!(rejected.contains("x-request-id: "), "{rejected}");
    let document = LIVE.replace("Host: x", "Host: x\r\nAccept: application/vnd.api+json");
    let rejected = raw::ask(&service, &document);
    assert!(rejected.starts_with("HTTP/1.1 503"), "{rejected}");
    assert!(rejected.contains("\"errors\":[{"), "{rejected}");
    drop(silent);
    assert!(soon(|| is_live(&service)), "permits are given back");
}

/// An address of this machine other than the one tests come from.
#[cfg(target_os = "linux")]
#[test]
fn a_client_at_its_limit_leaves_connections_to_others() {
    let service = configured("server: { max_connections: 4 }");
    let _own = silent(&service, 2);
    assert!(soon(|| !is_live(&service)), "it has its limit");
    let other = raw::ask_from("127.0.0.2", &service, LIVE);
    assert!(other.starts_with("HTTP/1.1 200"), "{other}");
}

/// Two clients with half of the connections each, on which they send a part of a head.
#[cfg(target_os = "linux")]
#[test]
fn a_new_client_is_served_while_any_connection_is_idle() {
    const REPORT: &str = "all connections are in use";
    listen();
    let service = configured("server: { max_connections: 4 }");
    let is_live = |own: &str| raw::ask_from(own, &service, LIVE).starts_with("HTTP/1.1 200");
    let idle = |own| -> Vec<TcpStream> {
        let mut sockets: Vec<_> = (0..2).map(|_| raw::connect_from(own, &service)).collect();
        for socket in &mut sockets {
            socket
                .write_all(b"GET / HTTP/1.1\r\nHo")
                .expect("a part of a head");
        }
        assert!(soon(|| !is_live(own)), "{own} has its share");
        sockets
    };
    let clients = ["127.0.0.2", "127.0.0.3"];
    let sockets = clients.map(idle);
    for number in 4..24 {
        assert!(is_live(&format!("127.0.0.{number}")), "{number}");
    }
    let log = logged();
    let reports: Vec<_> = log.lines().filter(|line| line.contains(REPORT)).collect();
    assert_eq!(reports.len(), 1, "{reports:?}");
    assert!(clients.iter().any(|client| reports[0].contains(client)));
    // A connection was closed without a response.
    assert!(clients.iter().any(|client| is_live(client)));
    drop(sockets);
}

#[test]
fn proxies_have_all_connections() {
    let yaml = "server: { max_connections: 4 }\napi: { trusted_proxies: [127.0.0.1] }";
    let service = configured(yaml);
    let _kept = silent(&service, 3);
    assert!(is_live(&service));
}

#[test]
fn a_client_that_does_not_read_holds_no_database_connection() {
    let service = configured("database: { pool: { max: 1, acquire_timeout: 20s } }");
    let request = "GET /api/crumbs HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let mut unread = sent(&service, 2, request);
    for socket in &mut unread {
        // It is on its way.
        socket.read_exact(&mut [0]).expect("an answer");
    }
    for _ in 0..5 {
        let answer = service.guest().get("/api/dishes");
        assert_eq!(answer.status, 200, "{answer}");
    }
    // Their answers wait for them, complete.
    let answer = raw::rest(&mut unread[0]);
    assert!(answer.len() > CRUMBS, "{}", answer.len());
}

/// Clients that do not read a long answer, and others that send their bodies a byte at a time.
#[test]
fn slow_clients_do_not_slow_down_others() {
    let service = configured("api: { rate_limit: 0 }");
    service.admin();
    let token = service.token(AccountKind::Admin, 1, &["*"]);
    let idle = time_of_requests(&service);
    let unread = "GET /api/crumbs HTTP/1.1\r\nHost: x\r\n\r\n";
    let sent_slowly = format!(
        "POST /api/dishes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{{"
    );
    let mut readers = sent(&service, 4, unread);
    for reader in &mut readers {
        // Its answer is complete, and on its way.
        reader.read_exact(&mut [0]).expect("an answer");
    }
    let mut senders = sent(&service, 96, &sent_slowly);
    for _ in 0..3 {
        let busy = time_of_requests(&service);
        // A request that waited for a slow client would wait for its timeout.
        let bound = (idle * 20).max(Duration::from_secs(2));
        assert!(busy < bound, "{busy:?} for 20 requests, {idle:?} before");
        for sender in &mut senders {
            sender.write_all(b" ").expect("its body is still expected");
        }
    }
}

/// The time of 20 requests, one after another.
fn time_of_requests(service: &Service) -> Duration {
    let began = Instant::now();
    for _ in 0..20 {
        let answer = service.guest().get("/api/dishes");
        assert_eq!(answer.status, 200, "{answer}");
    }
    began.elapsed()
}
