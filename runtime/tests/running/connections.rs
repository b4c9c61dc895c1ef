//! Connections at once.

use std::time::{Duration, Instant};

use formwork::testing::Service;

use super::{config, extensions, raw};

#[test]
fn one_connection_too_many_is_told_to_come_back() {
    let config = config("server: { max_connections: 3 }");
    let service = Service::with_config(config, extensions());
    let silent: Vec<_> = (0..3).map(|_| raw::connect(&service)).collect();
    // A place is taken when the service has accepted the connection.
    let request = "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n";
    let began = Instant::now();
    let refused = loop {
        let answer = raw::ask(
            &service,
            &request.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"),
        );
        if !answer.starts_with("HTTP/1.1 200") || began.elapsed() > Duration::from_secs(10) {
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
        assert!(
            began.elapsed() < Duration::from_secs(10),
            "places are given back"
        );
    }
}
