//! Each method at each path: docs/contract.md, "Routes".

use formwork::{config::Config, prelude::*, testing::Service};

use super::{kitchen, kitchen::Kitchen};

const METHODS: [&str; 9] = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND",
];

/// Paths, and the methods they know.
const PATHS: [(&str, &str); 10] = [
    ("/api/dishes", "GET, HEAD, POST"),
    ("/api/dishes/1", "GET, HEAD, PUT, PATCH, DELETE"),
    // The segment of an id is checked by the methods of the path.
    ("/api/dishes/abc", "GET, HEAD, PUT, PATCH, DELETE"),
    ("/api/dishes/0/edit", "GET, HEAD"),
    ("/api/dishes/create", "GET, HEAD"),
    ("/api/dishes/1/edit", "GET, HEAD"),
    ("/api/token", "POST, DELETE"),
    ("/api/token/user", "GET, HEAD"),
    ("/health/live", "GET, HEAD"),
    ("/health/ready", "GET, HEAD"),
];

#[test]
fn an_unknown_method_is_405_with_the_allowed_methods() {
    // Where pages of other origins may call, OPTIONS is their preflight.
    let config = Config::from_sources("api: { cors: { origins: [] } }", []);
    let config = config.expect("a configuration");
    let service = Service::with_config(config, vec![Box::new(Kitchen)]);
    for accept in ["application/json", "application/vnd.api+json"] {
        for (path, allow) in PATHS {
            for method in METHODS {
                let what = format!("{method} {path}, {accept}");
                let client = service.guest().header("Accept", accept);
                let answer = client.send(method, path, None);
                let known = allow.split(", ").any(|known| known == method);
                assert_eq!(answer.status == 405, !known, "{what}: {answer}");
                if !known {
                    assert_eq!(answer.header("allow"), Some(allow), "{what}");
                    assert_eq!(answer.header("content-type"), Some(accept), "{what}");
                }
            }
        }
        for method in METHODS {
            let client = service.guest().header("Accept", accept);
            for path in ["/api/nothing", "/nowhere", "/api", "/api/dishes/1/x"] {
                let answer = client.send(method, path, None);
                assert_eq!(answer.status, 404, "{method} {path}: {answer}");
            }
        }
    }
}

#[test]
fn head_is_get_without_its_body() {
    let service = kitchen();
    let admin = service.admin();
    assert_eq!(
        admin.post("/api/dishes", json!({"title": "Soup"})).status,
        201
    );
    for accept in ["application/json", "application/vnd.api+json"] {
        let client = admin.clone().header("Accept", accept);
        for path in PATHS.iter().map(|(path, _)| *path).chain([
            "/api/dishes?page=2",
            "/api/dishes?sort=nothing",
            "/api/dishes/9",
            "/api/nothing",
        ]) {
            let (get, head) = (client.get(path), client.send("HEAD", path, None));
            let length = get.body.len().to_string();
            assert_eq!(
                get.header("content-length"),
                Some(length.as_str()),
                "{path}"
            );
            assert_eq!(
                (head.status, head.body.as_str()),
                (get.status, ""),
                "{path}"
            );
            for header in ["content-type", "content-length", "etag", "allow", "vary"] {
                let told = (head.header(header), get.header(header));
                // A 405 names its method in the body: the one of `HEAD` is longer.
                if header != "content-length" || get.status != 405 {
                    assert_eq!(told.0, told.1, "{path}: {header}");
                }
            }
        }
    }
}
