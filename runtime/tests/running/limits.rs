//! Requests a minute, and where a request comes from behind a proxy: docs/guide/proxies.md.

use formwork::{
    auth::AccountKind,
    prelude::*,
    testing::{Answer, Client},
};

use super::{
    configured, limited,
    log::{listen, logged},
    support::{Expect, check, check_as},
};

fn number(answer: &Answer, name: &str) -> Option<u64> {
    answer.header(name)?.parse().ok()
}

/// How many requests the caller of this one has left; its window ends within a minute.
fn remaining(client: &Client<'_>, path: &str) -> u64 {
    let answer = client.get(path);
    let reset = number(&answer, "ratelimit-reset").expect("seconds");
    assert!((1..=60).contains(&reset), "{reset}");
    number(&answer, "ratelimit-remaining").expect("a number")
}

#[test]
fn a_request_over_the_limit_is_429() {
    let service = limited("api: { rate_limit: 3 }");
    let lines = r#"
        guest GET /api/dishes => 200 ratelimit-limit: "3" ratelimit-remaining: "2"
        guest GET /api/dishes => 200 ratelimit-limit: "3" ratelimit-remaining: "1"
        guest GET /api/dishes => 200 ratelimit-limit: "3" ratelimit-remaining: "0"
        guest GET /api/dishes => 429 ratelimit-limit: "3" ratelimit-remaining: "0" /status_code 429
        guest GET /api/dishes @Accept=application/vnd.api+json => 429 /errors/0/status "429""#;
    let rejected = check(&service, lines);
    let wait = number(&rejected, "retry-after");
    assert_eq!(wait, number(&rejected, "ratelimit-reset"));
    assert!(
        wait.is_some_and(|wait| (1..=60).contains(&wait)),
        "{wait:?}"
    );
    // Accounts are counted apart from the address and from each other, with all of their tokens; an
    // administrator may have the same key as a customer. Errors count.
    for (kind, email) in [
        (AccountKind::Admin, "chef@example.com"),
        (AccountKind::Admin, "cook@example.com"),
        (AccountKind::Customer, "dora@example.com"),
    ] {
        let id = service.account(kind, email);
        let client = || service.with_token(service.token(kind, id, &["*"]));
        assert_eq!(remaining(&client(), "/api/dishes"), 2);
        assert_eq!(remaining(&client(), "/api/nothing"), 1);
        client().put("/api/dishes", json!({})).expect(405);
        client().get("/api/dishes").expect(429);
    }
}

#[test]
fn signing_in_has_a_count_of_its_own_and_pages_have_none() {
    let service = limited("api: { rate_limit: 1 }");
    service.account(AccountKind::Customer, "dora@example.com");
    // Health checks and preflights are not counted.
    let lines = r#"
        guest GET  /api/dishes   => 200
        guest GET  /api/dishes   => 429
        guest POST /api/token {"email": "dora@example.com", "password": "formwork", "device_name": "x"} => 201
        guest POST /api/token {"email": "dora@example.com", "password": "formwork", "device_name": "x"} => 429
        guest GET  /health/live  => 200 ratelimit-limit: null
        guest GET  /health/ready => 200 ratelimit-limit: null
        guest OPTIONS /api/dishes @Origin=https://shop.example @Access-Control-Request-Method=POST => 200"#;
    check(&service, lines);
    let page = service.guest().header("Accept", "text/html");
    let page = page.get("/admin/login").body;
    // Without its feature there is no such page.
    let style = page.split('"').find(|part| part.ends_with(".css"));
    let style = style.unwrap_or("/admin/assets/none.css");
    for path in ["/api/openapi.json", "/api/docs", "/admin/login", style].repeat(2) {
        let answer = service.guest().header("Accept", "*/*").get(path);
        assert!([200, 404].contains(&answer.status), "{path}: {answer}");
    }
}

#[test]
fn inventing_tokens_is_limited() {
    let service = limited("api: { rate_limit: 3 }");
    let statuses = (1..=5).map(|id| {
        let guess = service.with_token(format!("{id}|guess"));
        guess.get("/api/dishes").status
    });
    assert_eq!(statuses.collect::<Vec<_>>(), [401, 401, 401, 429, 429]);
    check(&service, "guest GET /api/dishes => 429");
}

#[test]
fn a_limit_of_zero_means_no_limit() {
    let service = limited("api: { rate_limit: 0 }");
    let line = "guest GET /api/dishes => 200 ratelimit-limit: null\n";
    check(&service, &line.repeat(70));
}

#[test]
fn a_trusted_proxy_says_where_a_request_came_from() {
    let service = limited("api: { rate_limit: 10, trusted_proxies: [127.0.0.1, 10.0.0.0/8] }");
    for (forwarded, expected) in [
        ("192.0.2.1", 9),
        // Another client, and the first one through two proxies.
        ("192.0.2.2", 9),
        ("192.0.2.1, 10.1.2.3", 8),
        // Any client may have written the addresses before the last trusted proxy.
        ("198.51.100.7, 192.0.2.1", 7),
        // A port does not count.
        ("203.0.113.5:4711", 9),
        ("203.0.113.5:4712", 8),
    ] {
        let client = service.guest().header("X-Forwarded-For", forwarded);
        assert_eq!(remaining(&client, "/api/dishes"), expected, "{forwarded}");
    }
    assert_eq!(
        remaining(&service.guest(), "/api/dishes"),
        9,
        "the proxy itself"
    );
}

#[test]
fn forwarded_headers_are_ignored_and_logged_once_without_trusted_proxies() {
    listen();
    let lines = r#"
        guest GET /api/dishes @X-Forwarded-For=192.0.2.1 => 200 ratelimit-remaining: "9"
        guest GET /api/dishes @X-Forwarded-For=192.0.2.2 => 200 ratelimit-remaining: "8""#;
    for _ in 0..2 {
        check(&limited("api: { rate_limit: 10 }"), lines);
    }
    let log = logged();
    let reported = log.matches("api.trusted_proxies names no proxy").count();
    assert_eq!(reported, 1, "{log}");
}

#[test]
fn a_token_may_arrive_in_the_header_that_is_trusted() {
    for (yaml, name, status) in [
        (
            "auth: { authorization_header: HTTP_AUTHORIZATION }",
            "HTTP_AUTHORIZATION",
            201,
        ),
        ("", "HTTP_AUTHORIZATION", 401),
        (
            "auth: { authorization_header: X-Authorization }",
            "X-Authorization",
            201,
        ),
        (
            "auth: { authorization_header: X-Authorization }",
            "HTTP_AUTHORIZATION",
            401,
        ),
        (
            "auth: { authorization_header: X-Authorization }",
            "Authorization",
            201,
        ),
    ] {
        let service = configured(yaml);
        let id = service.account(AccountKind::Admin, "chef@example.com");
        let token = service.token(AccountKind::Admin, id, &["*"]);
        let chef = service.guest().header(name, &format!("Bearer {token}"));
        let line = format!(r#"chef POST /api/dishes {{"title": "Soup"}} => {status}"#);
        check_as(&service, &[("chef", &chef)], &line);
    }
}

/// Replicas that share a Redis count together; without one, each for itself.
mod shared {
    use super::*;

    #[test]
    fn replicas_count_together() {
        let Some(url) = crate::skipped::address("FORMWORK_TEST_REDIS_URL") else {
            return;
        };
        let client = redis::Client::open(url.as_str()).expect("an address");
        let mut redis = client.get_connection().expect("a Redis");
        let name = "formwork:requests:address:127.0.0.1";
        let _: () = redis::cmd("DEL").arg(name).query(&mut redis).expect("DEL");
        let yaml = format!("api: {{ rate_limit: 3 }}\nredis: {{ url: '{url}' }}");
        let (one, other) = (limited(&yaml), limited(&yaml));
        for (service, left) in [(&one, 2), (&other, 1), (&one, 0)] {
            assert_eq!(remaining(&service.guest(), "/api/dishes"), left);
        }
        for service in [&one, &other] {
            let lines = "
                guest GET /api/dishes  => 429
                guest GET /health/live => 200";
            check(service, lines);
        }
        let left: i64 = redis::cmd("TTL").arg(name).query(&mut redis).expect("TTL");
        assert!((1..=60).contains(&left), "the window ends: {left}");
        // Its end is a new beginning.
        let mut end = redis::cmd("PEXPIRE");
        let _: () = end.arg(name).arg(1).query(&mut redis).expect("PEXPIRE");
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert_eq!(remaining(&one.guest(), "/api/dishes"), 2);
        let _: () = redis::cmd("DEL").arg(name).query(&mut redis).expect("DEL");
    }

    #[test]
    fn without_its_redis_a_replica_counts_for_itself() {
        let service = limited("api: { rate_limit: 2 }\nredis: { url: 'redis://127.0.0.1:1' }");
        let lines = "
            guest GET /api/dishes => 200
            guest GET /api/dishes => 200
            guest GET /api/dishes => 429";
        check(&service, lines);
    }
}
