//! Methods, media types, limits, errors.

use formwork::{config::Config, testing::Service};

use super::{
    kitchen,
    kitchen::Kitchen,
    support::{JSON, JSON_API, check, check_as},
};

const METHODS: [&str; 9] = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND",
];

/// Paths, and the methods they know.
const PATHS: [(&str, &str); 9] = [
    ("/api/dishes", "GET, HEAD, POST"),
    ("/api/dishes/1", "GET, HEAD, PUT, PATCH, DELETE"),
    // The segment of an id is checked by the methods of the path.
    ("/api/dishes/abc", "GET, HEAD, PUT, PATCH, DELETE"),
    ("/api/dishes/create", "GET, HEAD"),
    ("/api/dishes/1/edit", "GET, HEAD"),
    ("/api/token", "POST, DELETE"),
    ("/api/token/user", "GET, HEAD"),
    ("/health/live", "GET, HEAD"),
    ("/health/ready", "GET, HEAD"),
];

/// Supporting models have no routes.
const NO_PATHS: [&str; 5] = [
    "/api/nothing",
    "/api/tags",
    "/nowhere",
    "/api",
    "/api/dishes/1/x",
];

#[test]
fn an_unknown_method_is_405_with_the_allowed_methods() {
    // If pages of other origins may call, OPTIONS is their preflight.
    let config = Config::from_sources("api: { cors: { origins: [] } }", []);
    let config = config.expect("a configuration");
    let service = Service::with_config(config, vec![Box::new(Kitchen)]);
    for accept in [JSON, JSON_API] {
        let guest = service.guest().header("Accept", accept);
        for method in METHODS {
            for (path, allow) in PATHS {
                let answer = guest.send(method, path, None);
                let known = allow.split(", ").any(|known| known == method);
                let headers = (answer.header("allow"), answer.header("content-type"));
                let is_rejected = answer.status == 405 && headers == (Some(allow), Some(accept));
                let is_right = if known {
                    answer.status != 405
                } else {
                    is_rejected
                };
                assert!(is_right, "{method} {path} {headers:?} {answer}");
            }
            for path in NO_PATHS {
                let answer = guest.send(method, path, None);
                assert_eq!(answer.status, 404, "{method} {path}: {answer}");
            }
        }
    }
}

#[test]
fn head_is_get_without_its_body() {
    let service = kitchen();
    check(
        &service,
        r#"admin POST /api/dishes {"title": "Soup"} => 201"#,
    );
    let more = [
        "/api/dishes?page=2",
        "/api/dishes?sort=nothing",
        "/api/dishes/9",
        "/api/nothing",
    ];
    for accept in [JSON, JSON_API] {
        let client = service.admin().header("Accept", accept);
        for path in PATHS.iter().map(|(path, _)| *path).chain(more) {
            let (get, head) = (client.get(path), client.send("HEAD", path, None));
            let length = get.body.len().to_string();
            assert_eq!(get.header("content-length"), Some(&*length), "{path}");
            assert_eq!((head.status, &*head.body), (get.status, ""), "{path}");
            for header in ["content-type", "content-length", "etag", "allow", "vary"] {
                let both = (head.header(header), get.header(header));
                // A 405 names its method in the body: the one of `HEAD` is longer.
                let is_longer = header == "content-length" && get.status == 405;
                assert!(is_longer || both.0 == both.1, "{path}: {header} {both:?}");
            }
        }
    }
}

#[test]
fn unsupported_media_types_and_malformed_bodies_are_rejected() {
    let service = kitchen();
    let lines = r#"
        guest GET  /api/dishes @Accept=application/json;charset=utf-8         => 200
        guest GET  /api/dishes @Accept=*/*                                    => 200
        guest GET  /api/dishes @Accept=text/html                              => 406
        guest GET  /api/dishes @Accept=application/vnd.api+json               => 200
        guest GET  /api/dishes @Accept=application/vnd.api+json;charset=utf-8 => 406
        admin POST /api/dishes {"title":                                      => 400
        admin POST /api/dishes [1]                                            => 400
        admin POST /api/dishes @Content-Type=text/plain title                 => 415
        admin POST /api/dishes @Content-Type=application/x-www-form-urlencoded title=Soup => 415
        admin POST /api/dishes @Content-Type=application/json;charset=UTF-8 {"title": "Soup"} => 201"#;
    check(&service, lines);
    let form = "application/x-www-form-urlencoded";
    let pairs = [
        (JSON, "text/plain"),
        (JSON, JSON),
        (JSON, JSON_API),
        (form, JSON),
    ];
    for (first, second) in pairs {
        let admin = service.admin().header("Content-Type", first);
        let twice = admin.header("Content-Type", second);
        for accept in [JSON, JSON_API] {
            let lines = r#"
                twice POST /api/dishes @Accept=MEDIA {"title": "Soup"} => 415
                twice POST /api/token  @Accept=MEDIA {}                => 415"#;
            check_as(
                &service,
                &[("twice", &twice)],
                &lines.replace("MEDIA", accept),
            );
        }
    }
    let large = "x".repeat(1024 * 1024);
    let line = r#"admin POST /api/dishes {"title": "LARGE"} => 413"#;
    check(&service, &line.replace("LARGE", &large));
}

#[test]
fn every_answer_has_an_id_and_a_500_no_more() {
    let service = kitchen();
    let admin = service.admin();
    for path in ["/api/dishes", "/api/nothing", "/health/live"] {
        assert!(admin.get(path).header("x-request-id").is_some(), "{path}");
    }
    let broken = check(
        &service,
        r#"admin POST /api/dishes {"title": "Broken"} => 500"#,
    );
    let id = broken.header("x-request-id").expect("an id");
    assert!(
        broken.body.contains(id) && !broken.body.contains("stove"),
        "{broken}"
    );
    let panicked = check(&service, "admin GET /api/dishes/13 => 500");
    assert!(!panicked.body.contains("thirteenth"), "{panicked}");
    // The service goes on.
    check(&service, "admin GET /api/dishes => 200");
}

#[test]
fn health_answers_200_and_503_while_stopping() {
    let service = kitchen();
    let lines = r#"
        guest GET  /health/live  => 200
        guest GET  /health/ready => 200
        guest POST /health/live  => 405 allow: "GET, HEAD" /status_code 405"#;
    check(&service, lines);
    service.app().stop();
    check(&service, "guest GET /health/ready => 503");
}
