//! Headers for browsers and caches: security headers, caching, other origins.

use formwork::{auth::AccountKind, config::Config};

use super::{
    configured, kitchen,
    support::{check, check_as},
};

#[test]
fn every_answer_forbids_sniffing_framing_and_referrers() {
    let lines = r#"
        guest GET  /api/dishes
        guest GET  /api/nothing
        guest POST /api/dishes {}
        guest GET  /health/live
        guest GET  /api/dishes @If-None-Match=*
        admin GET  /api/dishes/13"#;
    let headers = r#"x-content-type-options: "nosniff" referrer-policy: "no-referrer"
        content-security-policy: "default-src 'none'; frame-ancestors 'none'""#;
    let service = kitchen();
    let statuses = [200, 404, 401, 200, 304, 500];
    for (line, status) in lines.trim().lines().zip(statuses) {
        let line = format!("{line} => {status} {}", headers.replace('\n', " "));
        let answer = check(&service, &line);
        assert!(answer.header("cache-control").is_some(), "{answer}");
    }
}

#[test]
fn answers_to_requests_with_a_token_are_not_cached() {
    let service = kitchen();
    service.account(AccountKind::Customer, "carol@example.com");
    let lines = r#"
        guest    GET  /api/dishes     => 200 cache-control: "no-cache"
        admin    GET  /api/dishes     => 200 cache-control: "private, no-cache"
        admin    GET  /api/dishes/9   => 404 cache-control: "private, no-cache"
        customer GET  /api/token/user => 200 cache-control: "private, no-cache"
        guest    POST /api/token {"email": "carol@example.com", "password": "formwork", "device_name": "x"} => 201 cache-control: "no-store""#;
    check(&service, lines);
}

#[test]
fn other_origins_get_the_configured_methods_and_headers() {
    let yaml = "api: { cors: { origins: ['https://shop.example'], methods: [GET, POST], \
                headers: [Authorization, Content-Type], credentials: true, max_age: 1h } }";
    let service = configured(yaml);
    let preflight = |origin: &str| {
        let from = service.guest().header("Origin", origin);
        let from = from.header("Access-Control-Request-Method", "POST");
        from.header("Access-Control-Request-Headers", "authorization")
    };
    let (shop, other) = (
        preflight("https://shop.example"),
        preflight("https://other.example"),
    );
    // Errors are readable too, or a page could not tell why.
    let lines = r#"
        shop  OPTIONS /api/dishes => 200 access-control-allow-origin: "https://shop.example" access-control-allow-methods: "GET,POST"
        shop  OPTIONS /api/dishes => 200 access-control-allow-headers: "authorization,content-type" access-control-max-age: "3600"
        shop  OPTIONS /api/dishes => 200 access-control-allow-credentials: "true"
        shop  GET /api/dishes/9   => 404 access-control-allow-origin: "https://shop.example"
        shop  GET /api/dishes     => 200 access-control-allow-origin: "https://shop.example" VARY
        other OPTIONS /api/dishes => 200 access-control-allow-origin: null VARY
        guest GET /api/dishes @Origin=null => 200 access-control-allow-origin: null VARY
        guest GET /api/dishes     => 200 VARY"#;
    let callers = [("shop", &shop), ("other", &other)];
    for line in lines.trim().lines() {
        let answer = check_as(&service, &callers, line.trim_end_matches(" VARY"));
        let mut vary = answer.headers.get_all("vary").iter();
        assert!(
            !line.ends_with("VARY") || vary.any(|value| value == "origin"),
            "{line}"
        );
    }
    let answer = shop.get("/api/dishes");
    let exposed = answer.header("access-control-expose-headers");
    for name in ["etag", "ratelimit-remaining", "retry-after", "x-request-id"] {
        assert!(
            exposed.is_some_and(|names| names.contains(name)),
            "{exposed:?}"
        );
    }
}

/// If no origin may call, OPTIONS is a method like others; else it is a preflight.
#[test]
fn any_origin_may_call_without_credentials_unless_origins_are_configured() {
    let lines = r#"
        guest GET /api/dishes @Origin=https://any.example => 200 access-control-allow-origin: "*" access-control-allow-credentials: null
        guest OPTIONS /api/dishes/1 @Origin=https://any.example @Access-Control-Request-Method=DELETE @Access-Control-Request-Headers=authorization,content-type => 200 access-control-allow-headers: "authorization,content-type""#;
    let answer = check(&kitchen(), lines);
    let methods = answer.header("access-control-allow-methods");
    assert!(
        methods.is_some_and(|methods| methods.contains("DELETE")),
        "{methods:?}"
    );
    assert!(answer.header("x-request-id").is_some(), "{answer}");
    let lines = r#"
        guest GET     /api/dishes @Origin=https://any.example => 200 access-control-allow-origin: null
        guest OPTIONS /api/dishes @Origin=https://any.example => 405 allow: "GET, HEAD, POST""#;
    check(&configured("api: { cors: { origins: [] } }"), lines);
}

#[test]
fn invalid_cors_methods_and_headers_are_rejected_at_start() {
    let yaml = "api: { cors: { origins: ['https://a\\n'], methods: ['G ET'], headers: ['X Y'] } }";
    let errors = Config::from_sources(yaml, [])
        .expect_err("errors")
        .to_string();
    for part in ["api.cors.methods: `G ET`", "api.cors.headers: `X Y`"] {
        assert!(errors.contains(part), "{errors}");
    }
}
