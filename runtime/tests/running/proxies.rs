//! Behind a proxy: the client's address, and the header of its token. docs/guide/proxies.md.

use formwork::{auth::AccountKind, prelude::*, testing::Service};

use super::{
    config, extensions,
    log::{listen, logged},
};

/// How many requests the caller of this one has left.
fn left(client: &formwork::testing::Client<'_>) -> u64 {
    let answer = client.get("/api/dishes");
    let rest = answer.header("ratelimit-remaining").expect("a rest");
    rest.parse().expect("a number")
}

#[test]
fn a_trusted_proxy_says_where_a_request_came_from() {
    let yaml = "api: { rate_limit: 10, trusted_proxies: [127.0.0.1, 10.0.0.0/8] }";
    let service = Service::limited(config(yaml), extensions());
    let from = |forwarded: &str| service.guest().header("X-Forwarded-For", forwarded);
    assert_eq!(left(&from("192.0.2.1")), 9);
    assert_eq!(left(&from("192.0.2.2")), 9, "another client");
    assert_eq!(left(&from("192.0.2.1, 10.1.2.3")), 8, "through two proxies");
    // Any client may have written the addresses before the last trusted proxy.
    assert_eq!(left(&from("198.51.100.7, 192.0.2.1")), 7);
    assert_eq!(left(&service.guest()), 9, "the proxy itself");
    assert_eq!(left(&from("203.0.113.5:4711")), 9, "with its port");
    assert_eq!(left(&from("203.0.113.5:4712")), 8, "whatever that is");
}

#[test]
fn forwarded_headers_are_ignored_without_trusted_proxies() {
    // The log says once that no proxy is trusted: here, if this test is the first.
    listen();
    let service = Service::limited(config("api: { rate_limit: 10 }"), extensions());
    let from = |forwarded: &str| service.guest().header("X-Forwarded-For", forwarded);
    assert_eq!(left(&from("192.0.2.1")), 9);
    assert_eq!(left(&from("192.0.2.2")), 8);
}

#[test]
fn a_token_may_arrive_in_the_header_that_is_trusted() {
    let ask = |yaml: &str, name: &str| {
        let service = Service::with_config(config(yaml), extensions());
        let id = service.account(AccountKind::Admin, "chef@example.com");
        let token = service.token(AccountKind::Admin, id, &["*"]);
        let guest = service.guest().header(name, &format!("Bearer {token}"));
        guest.post("/api/dishes", json!({"title": "Soup"})).status
    };
    let trusted = "auth: { authorization_header: HTTP_AUTHORIZATION }";
    assert_eq!(ask(trusted, "HTTP_AUTHORIZATION"), 201);
    assert_eq!(ask("", "HTTP_AUTHORIZATION"), 401, "off by default");
    let named = "auth: { authorization_header: X-Authorization }";
    assert_eq!(ask(named, "X-Authorization"), 201);
    assert_eq!(ask(named, "HTTP_AUTHORIZATION"), 401);
    assert_eq!(ask(named, "Authorization"), 201, "and as always");
}

#[test]
fn a_proxy_that_is_not_trusted_is_logged_once() {
    listen();
    let service = Service::with_config(config(""), extensions());
    for _ in 0..3 {
        let client = service.guest().header("X-Forwarded-For", "192.0.2.1");
        assert_eq!(client.get("/api/dishes").status, 200);
    }
    let log = logged();
    let told = log.matches("api.trusted_proxies names no proxy").count();
    assert_eq!(told, 1, "{log}");
}
