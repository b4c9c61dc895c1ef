//! Headers for browsers and caches: security headers, caching, other origins.

use formwork::{auth::AccountKind, prelude::*, testing::Service};

use super::{config, extensions, kitchen};

#[test]
fn every_answer_forbids_sniffing_framing_and_referrers() {
    let service = kitchen();
    let guest = service.guest();
    for answer in [
        guest.get("/api/dishes"),
        guest.get("/api/nothing"),
        guest.post("/api/dishes", json!({})),
        guest.get("/health/live"),
        guest
            .clone()
            .header("If-None-Match", "*")
            .get("/api/dishes"),
        service.admin().get("/api/dishes/13"),
    ] {
        assert_eq!(
            answer.header("x-content-type-options"),
            Some("nosniff"),
            "{answer}"
        );
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(
            answer.header("content-security-policy"),
            Some("default-src 'none'; frame-ancestors 'none'")
        );
        assert!(answer.header("cache-control").is_some(), "{answer}");
    }
}

#[test]
fn answers_to_requests_with_a_token_are_not_cached() {
    let service = kitchen();
    let public = service.guest().get("/api/dishes");
    assert_eq!(public.header("cache-control"), Some("no-cache"));
    for answer in [
        service.admin().get("/api/dishes"),
        service.admin().get("/api/dishes/9"),
        service.customer().get("/api/token/user"),
    ] {
        assert_eq!(answer.header("cache-control"), Some("private, no-cache"));
    }
    service.account(AccountKind::Customer, "carol@example.com");
    let body = json!({"email": "carol@example.com", "password": "formwork", "device_name": "x"});
    let issued = service.guest().post("/api/token", body);
    assert_eq!(issued.status, 201, "{issued}");
    assert_eq!(issued.header("cache-control"), Some("no-store"));
}

#[test]
fn other_origins_get_the_configured_methods_and_headers() {
    let yaml = "api: { cors: { origins: ['https://shop.example'], methods: [GET, POST], \
                headers: [Authorization, Content-Type], credentials: true, max_age: 1h } }";
    let service = Service::with_config(config(yaml), extensions());
    let from = |origin: &str| service.guest().header("Origin", origin);
    let preflight = |origin: &str| {
        from(origin)
            .header("Access-Control-Request-Method", "POST")
            .header("Access-Control-Request-Headers", "authorization")
            .send("OPTIONS", "/api/dishes", None)
    };
    let asked = preflight("https://shop.example");
    assert_eq!(asked.status, 200, "{asked}");
    for (name, value) in [
        ("access-control-allow-origin", "https://shop.example"),
        ("access-control-allow-methods", "GET,POST"),
        ("access-control-allow-headers", "authorization,content-type"),
        ("access-control-allow-credentials", "true"),
        ("access-control-max-age", "3600"),
    ] {
        assert_eq!(asked.header(name), Some(value), "{name}");
    }
    let answer = from("https://shop.example").get("/api/dishes");
    assert_eq!(
        answer.header("access-control-allow-origin"),
        Some("https://shop.example")
    );
    let vary: Vec<_> = answer.headers.get_all("vary").iter().collect();
    assert!(vary.iter().any(|value| *value == "origin"), "{vary:?}");
    let exposed = answer
        .header("access-control-expose-headers")
        .unwrap_or_default();
    for name in ["etag", "ratelimit-remaining", "retry-after", "x-request-id"] {
        assert!(exposed.contains(name), "{exposed}");
    }
    // Errors are readable too, or a page could not tell why.
    let missing = from("https://shop.example").get("/api/dishes/9");
    assert!(missing.header("access-control-allow-origin").is_some());
    for stranger in [
        preflight("https://other.example"),
        from("null").get("/api/dishes"),
    ] {
        assert_eq!(
            stranger.header("access-control-allow-origin"),
            None,
            "{stranger}"
        );
        let varies = |value: &axum::http::HeaderValue| value == "origin";
        assert!(stranger.headers.get_all("vary").iter().any(varies));
    }
    let nobody = service.guest().get("/api/dishes");
    let vary: Vec<_> = nobody.headers.get_all("vary").iter().collect();
    assert!(vary.iter().any(|value| *value == "origin"), "{vary:?}");
}

#[test]
fn without_configuration_any_origin_may_ask_without_credentials() {
    let service = kitchen();
    let browser = service.guest().header("Origin", "https://any.example");
    let answer = browser.get("/api/dishes");
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    assert_eq!(answer.header("access-control-allow-credentials"), None);
    let asked = browser
        .header("Access-Control-Request-Method", "DELETE")
        .header(
            "Access-Control-Request-Headers",
            "authorization,content-type",
        )
        .send("OPTIONS", "/api/dishes/1", None);
    assert_eq!(
        asked.header("access-control-allow-headers"),
        Some("authorization,content-type")
    );
    let methods = asked
        .header("access-control-allow-methods")
        .unwrap_or_default();
    assert!(methods.contains("DELETE"), "{methods}");
    assert!(asked.header("x-request-id").is_some(), "{asked}");
}

/// Where no origin may call, OPTIONS is a method like others; elsewhere it is a preflight.
#[test]
fn without_configured_origins_answers_have_no_cors_headers() {
    let service = Service::with_config(config("api: { cors: { origins: [] } }"), extensions());
    let browser = service.guest().header("Origin", "https://any.example");
    let answer = browser.get("/api/dishes");
    assert_eq!(answer.status, 200, "{answer}");
    assert_eq!(answer.header("access-control-allow-origin"), None);
    let asked = browser.send("OPTIONS", "/api/dishes", None);
    assert_eq!(
        (asked.status, asked.header("allow")),
        (405, Some("GET, HEAD, POST"))
    );
}

#[test]
fn invalid_cors_methods_and_headers_are_refused_at_start() {
    let yaml = "api: { cors: { origins: ['https://a\\n'], methods: ['G ET'], headers: ['X Y'] } }";
    let mistakes = formwork::config::Config::from_sources(yaml, []).expect_err("mistakes");
    let mistakes = mistakes.to_string();
    for word in ["api.cors.methods: `G ET`", "api.cors.headers: `X Y`"] {
        assert!(mistakes.contains(word), "{mistakes}");
    }
}
