//! Which representation a client gets, and what it may send.

use formwork::{prelude::*, testing::Answer};

use super::{JSON_API, get, insert_people, magazine, plain_magazine};

const JSON: &str = "application/json";

#[track_caller]
fn assert_media(answer: &Answer, status: u16, media: &str) {
    let expected = (status, Some(media));
    assert_eq!((answer.status, answer.header("content-type")), expected);
}

#[test]
fn accept_chooses_the_rendering() {
    let service = magazine();
    insert_people(&service, &["Ada"]);
    let json = "application/json | */* | application/json, text/plain, */* | application/* \
        | Application/JSON | text/html, */*;q=0.1 | application/json; charset=utf-8 \
        | application/json, application/vnd.api+json | */*, application/vnd.api+json;q=0 \
        | application/vnd.api+json; charset=utf-8; q=0, */* \
        | application/vnd.api+json;q=0.1, application/json | ";
    let documents = "application/vnd.api+json | application/vnd.api+json, application/json \
        | */*, application/vnd.api+json | application/json;q=0, */* \
        | application/json;q=0.2, application/vnd.api+json;q=0.3 \
        | application/vnd.api+json, */*;q=0.1 \
        | application/vnd.api+json; profile=\"https://x.example/a,b\" \
        | application/vnd.api+json; charset=utf-8, application/vnd.api+json";
    for (accepted, media, id) in [(json, JSON, json!(1)), (documents, JSON_API, json!("1"))] {
        for accept in accepted.split(" | ") {
            let client = service.guest().header("Accept", accept.trim());
            let answer = client.get("/api/people/1");
            assert_media(&answer, 200, media);
            assert_eq!(answer.json["data"]["id"], id, "{accept}: {answer}");
            let mut vary = answer
                .headers
                .get_all("vary")
                .iter()
                .flat_map(|it| it.to_str());
            assert!(vary.any(|value| value.contains("Accept")), "{accept}");
        }
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
        assert_media(&answer, 406, JSON_API);
        let error = &answer.json["errors"][0];
        assert_eq!(error["status"], "406", "{accept}");
        assert_eq!(error["source"], json!({"header": "Accept"}), "{accept}");
    }
    for accept in ["text/html", "image/*", "application/json;q=0"] {
        let answer = service.guest().header("Accept", accept).get("/api/people");
        assert_eq!(answer.status, 406, "{accept}");
        assert_eq!(answer.json["status_code"], 406, "{accept}");
    }
}

const WITH_PROFILE: &str = "application/vnd.api+json; profile=\"https://x.example/p\"";
const WITH_CHARSET: &str = "application/vnd.api+json; charset=utf-8";
const WITH_EXT: &str = "application/vnd.api+json; ext=\"https://x.example/e\"";

#[test]
fn content_type_is_judged_as_the_standard_says() {
    let service = magazine();
    let body = json!({"data": {"type": "people", "attributes": {"name": "Ada"}}});
    for (media, status) in [
        (JSON_API, 201),
        (WITH_PROFILE, 201),
        (WITH_CHARSET, 415),
        (WITH_EXT, 415),
        ("text/plain", 415),
    ] {
        let client = service.admin().header("Accept", JSON_API);
        let client = client.header("Content-Type", media);
        let answer = client.post("/api/people", body.clone());
        assert_eq!(answer.status, status, "{media}: {answer}");
        let source = answer.json.pointer("/errors/0/source/header");
        let expected = (status == 415).then(|| json!("Content-Type"));
        assert_eq!(source, expected.as_ref(), "{media}: {answer}");
    }
}

/// "If a request specifies the header": whether a body follows or not.
#[test]
fn content_type_is_judged_without_a_body_too() {
    let service = magazine();
    insert_people(&service, &["Ada"]);
    for (media, is_rejected) in [
        (JSON_API, false),
        (WITH_PROFILE, false),
        (WITH_CHARSET, true),
        (WITH_EXT, true),
        ("text/plain", false),
    ] {
        for accept in [JSON, JSON_API] {
            let admin = service.admin().header("Accept", accept);
            let admin = admin.header("Content-Type", media);
            for (method, path, status) in [
                ("GET", "/api/people", 200),
                ("HEAD", "/api/people/1", 200),
                ("GET", "/api/people/1", 200),
                ("DELETE", "/api/people/9", 404),
            ] {
                let answer = admin.send(method, path, None);
                let status = if is_rejected { 415 } else { status };
                assert_eq!(answer.status, status, "{method} {path} {media}: {answer}");
            }
            // The caller is checked first.
            let guest = service.guest().header("Content-Type", media);
            assert_eq!(guest.delete("/api/people/1").status, 401);
        }
    }
}

#[test]
fn the_setting_is_for_plain_clients() {
    let service = plain_magazine();
    let stored = service.admin().post("/api/people", json!({"name": "Ada"}));
    assert_media(&stored, 201, JSON);
    assert_eq!(stored.json["data"]["type"], "people", "{stored}");
    assert_eq!(stored.json["data"]["attributes"], json!({"name": "Ada"}));
    let missing = service.guest().get("/api/people/9");
    assert_media(&missing, 404, JSON);
    assert_eq!(missing.json["errors"][0]["status"], "404", "{missing}");
    assert_media(&get(&service, "/api/people/1"), 200, JSON_API);
    // Tokens stay plain; rejections are error documents.
    let user = service.admin().get("/api/token/user");
    assert_media(&user, 200, JSON);
    assert_eq!(user.json.get("jsonapi"), None, "{user}");
    let wrong = service.guest().post("/api/token", json!({"email": "x"}));
    assert_media(&wrong, 422, JSON);
    assert!(wrong.json["errors"][0]["source"].is_object(), "{wrong}");
}

#[test]
fn json_api_answers_carry_a_token_in_meta() {
    let service = magazine();
    service.admin();
    let body = json!({
        "is_admin": 1, "email": "admin@example.com", "password": "formwork", "device_name": "test",
    });
    let plain = service.guest().post("/api/token", body.clone());
    assert_media(&plain, 201, JSON);
    assert_eq!(plain.json["status_code"], 201, "{plain}");
    let guest = service.guest().header("Accept", JSON_API);
    let issued = guest.post("/api/token", body);
    assert_media(&issued, 201, JSON_API);
    let token = issued.json["meta"]["token"].as_str().expect("a token");
    let client = service.with_token(token).header("Accept", JSON_API);
    let user = client.get("/api/token/user");
    assert_eq!(user.status, 200, "{user}");
    assert!(user.json["meta"].is_object(), "{user}");
    assert_eq!(user.json.get("data"), None, "{user}");
    let wrong = guest.post("/api/token", json!({"email": "x"}));
    assert_eq!(wrong.status, 422, "{wrong}");
    let errors = wrong.json["errors"].as_array().expect("errors");
    for pointer in ["/email", ""] {
        let mut pointers = errors.iter().map(|error| &error["source"]["pointer"]);
        assert!(pointers.any(|it| it == pointer), "{pointer:?}: {wrong}");
    }
}
