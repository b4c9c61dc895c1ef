//! Methods, media types, limits, errors.

use formwork::prelude::*;

use super::kitchen;

#[test]
fn unknown_paths_methods_and_ids_are_refused() {
    let service = kitchen();
    let guest = service.guest();
    assert_eq!(guest.get("/api/nothing").status, 404);
    assert_eq!(guest.get("/api/nothing").json["status_code"], 404);
    assert_eq!(
        guest.get("/api/tags").status,
        404,
        "a supporting model has no routes"
    );
    for id in ["abc", "-1", "0", "9223372036854775808", "1.0", "%20"] {
        assert_eq!(guest.get(&format!("/api/dishes/{id}")).status, 404, "{id}");
    }
    let missing = guest.get("/api/dishes/9");
    assert_eq!(
        missing.json["message"],
        "Record with identifier [9] not found."
    );
    let put = guest.put("/api/dishes", json!({}));
    assert_eq!(
        (put.status, put.header("allow")),
        (405, Some("GET, HEAD, POST"))
    );
    let post = guest.post("/api/dishes/1", json!({}));
    assert_eq!(post.header("allow"), Some("GET, HEAD, PUT, PATCH, DELETE"));
}

#[test]
fn head_answers_where_get_does() {
    let service = kitchen();
    let (head, get) = (
        service.guest().send("HEAD", "/api/dishes", None),
        service.guest().get("/api/dishes"),
    );
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    assert_eq!(head.header("content-length"), get.header("content-length"));
}

#[test]
fn unsupported_media_types_and_malformed_bodies_are_refused() {
    let service = kitchen();
    let accept = |value: &str| {
        service
            .guest()
            .header("Accept", value)
            .get("/api/dishes")
            .status
    };
    assert_eq!(accept("application/json; charset=utf-8"), 200);
    assert_eq!(accept("*/*"), 200);
    assert_eq!(accept("text/html"), 406);
    assert_eq!(accept("application/vnd.api+json"), 200);
    assert_eq!(accept("application/vnd.api+json; charset=utf-8"), 406);
    let send = |media: &str, body: &str| {
        let admin = service.admin().header("Content-Type", media);
        admin
            .send("POST", "/api/dishes", Some(body.to_owned()))
            .status
    };
    assert_eq!(send("application/json", "{\"title\":"), 400);
    assert_eq!(send("application/json", "[1]"), 400);
    assert_eq!(send("text/plain", "title"), 415);
    assert_eq!(send("application/x-www-form-urlencoded", "title=Soup"), 415);
    assert_eq!(
        send("application/json;charset=UTF-8", "{\"title\":\"Soup\"}"),
        201
    );
    for (first, second) in [
        ("application/json", "text/plain"),
        ("application/json", "application/json"),
        ("application/json", "application/vnd.api+json"),
        ("application/x-www-form-urlencoded", "application/json"),
    ] {
        for (path, body) in [
            ("/api/dishes", "{\"title\":\"Soup\"}"),
            ("/api/token", "{}"),
        ] {
            for accept in ["application/json", "application/vnd.api+json"] {
                let client = service.admin().header("Accept", accept);
                let client = client.header("Content-Type", first);
                let client = client.header("Content-Type", second);
                let answer = client.send("POST", path, Some(body.to_owned()));
                assert_eq!(answer.status, 415, "{first}, {second}: {answer}");
            }
        }
    }
    let large = format!("{{\"title\":\"{}\"}}", "x".repeat(1024 * 1024));
    assert_eq!(send("application/json", &large), 413);
}

#[test]
fn every_answer_has_an_id_and_a_500_no_more() {
    let service = kitchen();
    let admin = service.admin();
    for path in ["/api/dishes", "/api/nothing", "/health/live"] {
        assert!(admin.get(path).header("x-request-id").is_some(), "{path}");
    }
    let broken = admin.post("/api/dishes", json!({"title": "Broken"}));
    assert_eq!(broken.status, 500);
    let id = broken.header("x-request-id").unwrap_or_default().to_owned();
    assert!(broken.body.contains(&id), "{broken}");
    assert!(!broken.body.contains("stove"), "{broken}");
    let panicked = admin.get("/api/dishes/13");
    assert_eq!(panicked.status, 500);
    assert!(!panicked.body.contains("thirteenth"), "{panicked}");
    assert_eq!(admin.get("/api/dishes").status, 200, "the service goes on");
}

#[test]
fn health_answers_200_and_503_while_stopping() {
    let service = kitchen();
    assert_eq!(service.guest().get("/health/live").status, 200);
    assert_eq!(service.guest().get("/health/ready").status, 200);
    service.app().stop();
    assert_eq!(service.guest().get("/health/ready").status, 503);
}

#[test]
fn health_refuses_other_methods_as_other_routes_do() {
    let service = kitchen();
    for path in ["/health/live", "/health/ready"] {
        let answer = service.guest().post(path, json!({}));
        assert_eq!(
            (answer.status, answer.header("allow")),
            (405, Some("GET, HEAD"))
        );
        assert_eq!(answer.json["status_code"], 405, "{answer}");
    }
}
