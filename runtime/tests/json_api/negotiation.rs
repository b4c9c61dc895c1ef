//! Which rendering a client gets, and what it may send.

use formwork::prelude::*;

use super::{JSON_API, magazine, plain_magazine, speaking, stored};

#[test]
fn accept_chooses_the_rendering() {
    let service = magazine();
    stored(&service, "/api/people", json!({"name": "Ada"}));
    let ask = |accept: &str| {
        service
            .guest()
            .header("Accept", accept)
            .get("/api/people/1")
    };
    for (accept, media) in [
        ("application/json", "application/json"),
        ("*/*", "application/json"),
        ("application/json, text/plain, */*", "application/json"),
        ("", "application/json"),
        ("application/*", "application/json"),
        ("Application/JSON", "application/json"),
        ("text/html, */*;q=0.1", "application/json"),
        ("application/json; charset=utf-8", "application/json"),
        (
            "application/json, application/vnd.api+json",
            "application/json",
        ),
        ("*/*, application/vnd.api+json;q=0", "application/json"),
        (
            "application/vnd.api+json; charset=utf-8; q=0, */*",
            "application/json",
        ),
        ("application/vnd.api+json, application/json", JSON_API),
        ("*/*, application/vnd.api+json", JSON_API),
        (
            "application/json;q=0.2, application/vnd.api+json;q=0.3",
            JSON_API,
        ),
        ("application/json;q=0, */*", JSON_API),
        (JSON_API, JSON_API),
        ("application/vnd.api+json, */*;q=0.1", JSON_API),
        (
            "application/vnd.api+json; profile=\"https://x.example/a,b\"",
            JSON_API,
        ),
        (
            "application/vnd.api+json; charset=utf-8, application/vnd.api+json",
            JSON_API,
        ),
        (
            "application/vnd.api+json;q=0.1, application/json",
            "application/json",
        ),
    ] {
        let answer = ask(accept);
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (200, Some(media)),
            "{accept}"
        );
        let id = if media == JSON_API {
            json!("1")
        } else {
            json!(1)
        };
        assert_eq!(answer.json["data"]["id"], id, "{accept}: {answer}");
        let vary: Vec<&str> = answer
            .headers
            .get_all("vary")
            .iter()
            .flat_map(|v| v.to_str())
            .collect();
        assert!(
            vary.iter().any(|value| value.contains("Accept")),
            "{accept}: {vary:?}"
        );
    }
}

#[test]
fn unacceptable_media_types_are_406_in_the_requested_rendering() {
    let service = magazine();
    for accept in [
        "application/vnd.api+json; charset=utf-8",
        "application/vnd.api+json; ext=\"https://x.example/e\"",
        "application/vnd.api+json; ext=\"https://x.example/e\", application/vnd.api+json; v=2",
        // The standard's word: all instances of its media type are modified.
        "application/vnd.api+json; charset=utf-8, application/json",
        "application/json, application/vnd.api+json; charset=utf-8, */*",
    ] {
        let answer = service.guest().header("Accept", accept).get("/api/people");
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (406, Some(JSON_API)),
            "{accept}"
        );
        assert_eq!(answer.json["errors"][0]["status"], "406");
        assert_eq!(
            answer.json["errors"][0]["source"],
            json!({"header": "Accept"})
        );
    }
    for accept in ["text/html", "image/*", "application/json;q=0"] {
        let answer = service.guest().header("Accept", accept).get("/api/people");
        let seen = (answer.status, &answer.json["status_code"]);
        assert_eq!(seen, (406, &json!(406)), "{accept}");
    }
}

#[test]
fn content_type_is_judged_as_the_standard_says() {
    let service = magazine();
    let send = |media: &str| {
        let client = service
            .admin()
            .header("Accept", JSON_API)
            .header("Content-Type", media);
        client.post(
            "/api/people",
            json!({"data": {"type": "people", "attributes": {"name": "Ada"}}}),
        )
    };
    assert_eq!(send(JSON_API).status, 201);
    assert_eq!(
        send("application/vnd.api+json; profile=\"https://x.example/p\"").status,
        201
    );
    for media in [
        "application/vnd.api+json; charset=utf-8",
        "application/vnd.api+json; ext=\"https://x.example/e\"",
        "text/plain",
    ] {
        let answer = send(media);
        assert_eq!(answer.status, 415, "{media}: {answer}");
        assert_eq!(
            answer.json["errors"][0]["source"],
            json!({"header": "Content-Type"})
        );
    }
}

/// "If a request specifies the header": whether a body follows or not.
#[test]
fn content_type_is_judged_without_a_body_too() {
    let service = magazine();
    stored(&service, "/api/people", json!({"name": "Ada"}));
    for (media, judged) in [
        (JSON_API, false),
        (
            "application/vnd.api+json; profile=\"https://x.example/p\"",
            false,
        ),
        ("application/vnd.api+json; charset=utf-8", true),
        (
            "application/vnd.api+json; ext=\"https://x.example/e\"",
            true,
        ),
        ("text/plain", false),
    ] {
        for accept in ["application/json", JSON_API] {
            let admin = service.admin().header("Accept", accept);
            let admin = admin.header("Content-Type", media);
            for (method, path, status) in [
                ("GET", "/api/people", 200),
                ("HEAD", "/api/people/1", 200),
                ("GET", "/api/people/1", 200),
                ("DELETE", "/api/people/9", 404),
            ] {
                let answer = admin.send(method, path, None);
                let status = if judged { 415 } else { status };
                assert_eq!(answer.status, status, "{method} {path} {media}: {answer}");
            }
            let guest = service.guest().header("Content-Type", media);
            assert_eq!(
                guest.delete("/api/people/1").status,
                401,
                "who asks comes first"
            );
        }
    }
}

#[test]
fn the_setting_is_for_plain_clients() {
    let service = plain_magazine();
    let stored = service.admin().post("/api/people", json!({"name": "Ada"}));
    assert_eq!(
        (stored.status, stored.header("content-type")),
        (201, Some("application/json"))
    );
    assert_eq!(stored.json["data"]["type"], "people", "{stored}");
    assert_eq!(stored.json["data"]["attributes"], json!({"name": "Ada"}));
    let missing = service.guest().get("/api/people/9");
    assert_eq!(missing.json["errors"][0]["status"], "404", "{missing}");
    assert_eq!(missing.header("content-type"), Some("application/json"));
    let named = speaking(service.guest()).get("/api/people/1");
    assert_eq!(named.header("content-type"), Some(JSON_API));
    // Tokens stay as they are; refusals have the usual form.
    let user = service.admin().get("/api/token/user");
    assert!(
        user.status == 200 && user.json.get("jsonapi").is_none(),
        "{user}"
    );
    let wrong = service.guest().post("/api/token", json!({"email": "x"}));
    assert_eq!(
        (wrong.status, wrong.header("content-type")),
        (422, Some("application/json")),
        "{wrong}"
    );
    assert!(wrong.json["errors"][0]["source"].is_object(), "{wrong}");
}

#[test]
fn json_api_answers_carry_a_token_in_meta() {
    let service = magazine();
    service.admin();
    let wish = json!({
        "is_admin": 1, "email": "admin@example.com", "password": "formwork", "device_name": "test",
    });
    let plain = service.guest().post("/api/token", wish.clone());
    assert_eq!(
        (plain.status, &plain.json["status_code"]),
        (201, &json!(201)),
        "{plain}"
    );
    let told = service
        .guest()
        .header("Accept", JSON_API)
        .post("/api/token", wish);
    assert_eq!(
        (told.status, told.header("content-type")),
        (201, Some(JSON_API)),
        "{told}"
    );
    let token = told.json["meta"]["token"]
        .as_str()
        .expect("a token")
        .to_owned();
    let user = service
        .with_token(token)
        .header("Accept", JSON_API)
        .get("/api/token/user");
    assert_eq!(user.status, 200, "{user}");
    assert!(
        user.json["meta"].is_object() && user.json.get("data").is_none(),
        "{user}"
    );
    let wrong = service
        .guest()
        .header("Accept", JSON_API)
        .post("/api/token", json!({"email": "x"}));
    assert_eq!(wrong.status, 422, "{wrong}");
    let pointers: Vec<&Json> = wrong.json["errors"]
        .as_array()
        .expect("errors")
        .iter()
        .map(|error| &error["source"]["pointer"])
        .collect();
    assert!(
        pointers.contains(&&json!("/email")) && pointers.contains(&&json!("")),
        "{wrong}"
    );
}
