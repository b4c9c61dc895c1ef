//! The requests of the table of statuses: each is answered with one of them.

use formwork::{
    auth::AccountKind,
    prelude::*,
    testing::{Answer, Service},
};

use super::statuses::Rendering;

/// Soup: the requested dish.
fn soup(service: &Service) {
    let stored = service
        .admin()
        .post("/api/dishes", json!({"title": "Soup", "slug": "soup"}));
    assert_eq!(stored.status, 201, "{stored}");
}

fn get(service: &Service, rendering: Rendering, path: &str) -> Answer {
    soup(service);
    rendering.client(service.guest()).get(path)
}

pub fn page(service: &Service, rendering: Rendering) -> Answer {
    get(service, rendering, "/api/dishes")
}

pub fn past_the_end(service: &Service, rendering: Rendering) -> Answer {
    let answer = get(service, rendering, "/api/dishes?page=9");
    assert_eq!(answer.json["data"], json!([]), "{answer}");
    answer
}

pub fn record(service: &Service, rendering: Rendering) -> Answer {
    get(service, rendering, "/api/dishes/1")
}

pub fn blank(service: &Service, rendering: Rendering) -> Answer {
    rendering.client(service.admin()).get("/api/dishes/create")
}

pub fn edit(service: &Service, rendering: Rendering) -> Answer {
    soup(service);
    rendering.client(service.admin()).get("/api/dishes/1/edit")
}

pub fn account(service: &Service, rendering: Rendering) -> Answer {
    rendering.client(service.admin()).get("/api/token/user")
}

fn stored(service: &Service, rendering: Rendering, attributes: Json) -> Answer {
    let body = rendering.body("dishes", None, attributes);
    rendering.client(service.admin()).post("/api/dishes", body)
}

pub fn store(service: &Service, rendering: Rendering) -> Answer {
    stored(service, rendering, json!({"title": "Soup"}))
}

fn changed(service: &Service, rendering: Rendering, tag: &str) -> Answer {
    soup(service);
    let body = rendering.body("dishes", Some("1"), json!({"portions": 2}));
    let client = rendering.client(service.admin()).header("If-Match", tag);
    client.patch("/api/dishes/1", body)
}

pub fn change(service: &Service, rendering: Rendering) -> Answer {
    changed(service, rendering, "*")
}

pub fn changed_since(service: &Service, rendering: Rendering) -> Answer {
    changed(service, rendering, "\"another-state\"")
}

pub fn delete(service: &Service, rendering: Rendering) -> Answer {
    soup(service);
    rendering.client(service.admin()).delete("/api/dishes/1")
}

pub fn deleted_since(service: &Service, rendering: Rendering) -> Answer {
    soup(service);
    let client = rendering.client(service.admin());
    client
        .header("If-Match", "\"another-state\"")
        .delete("/api/dishes/1")
}

pub fn revoke(service: &Service, rendering: Rendering) -> Answer {
    rendering.client(service.admin()).delete("/api/token")
}

fn known(service: &Service, rendering: Rendering, path: &str) -> Answer {
    let first = get(service, rendering, path);
    let tag = first.header("etag").expect("a tag").to_owned();
    let client = rendering.client(service.guest());
    let again = client.header("If-None-Match", &tag).get(path);
    assert_eq!(again.header("etag"), Some(tag.as_str()));
    again
}

pub fn known_record(service: &Service, rendering: Rendering) -> Answer {
    known(service, rendering, "/api/dishes/1")
}

pub fn known_list(service: &Service, rendering: Rendering) -> Answer {
    known(service, rendering, "/api/dishes")
}

fn raw(service: &Service, rendering: Rendering, body: &str) -> Answer {
    let client = rendering.client(service.admin());
    client.send("POST", "/api/dishes", Some(body.to_owned()))
}

pub fn no_json(service: &Service, rendering: Rendering) -> Answer {
    raw(service, rendering, "{\"title\":")
}

pub fn no_object(service: &Service, rendering: Rendering) -> Answer {
    raw(service, rendering, "[1]")
}

/// 400 for a parameter, which is named.
fn parameter(service: &Service, rendering: Rendering, name: &str, value: &str) -> Answer {
    let answer = get(service, rendering, &format!("/api/dishes?{name}={value}"));
    match rendering {
        Rendering::Data => {
            let message = answer.json["message"].as_str().unwrap_or_default();
            assert!(message.contains(&format!("`{name}`")), "{answer}");
        }
        Rendering::JsonApi => {
            assert_eq!(
                answer.json["errors"][0]["source"]["parameter"], name,
                "{answer}"
            );
        }
    }
    answer
}

pub fn unknown_parameter(service: &Service, rendering: Rendering) -> Answer {
    parameter(service, rendering, "colour", "red")
}

pub fn unknown_include(service: &Service, rendering: Rendering) -> Answer {
    parameter(service, rendering, "include", "cooks")
}

pub fn bad_filter(service: &Service, rendering: Rendering) -> Answer {
    parameter(service, rendering, "filter[price][gt]", "cheap")
}

pub fn bad_page(service: &Service, rendering: Rendering) -> Answer {
    parameter(service, rendering, "pageLimit", "0")
}

pub fn no_token(service: &Service, rendering: Rendering) -> Answer {
    rendering.client(service.guest()).delete("/api/dishes/1")
}

pub fn bad_token(service: &Service, rendering: Rendering) -> Answer {
    rendering
        .client(service.with_token("1|guess"))
        .get("/api/dishes")
}

pub fn no_account(service: &Service, rendering: Rendering) -> Answer {
    rendering.client(service.guest()).get("/api/token/user")
}

pub fn wrong_account(service: &Service, rendering: Rendering) -> Answer {
    rendering.client(service.customer()).delete("/api/dishes/1")
}

pub fn no_ability(service: &Service, rendering: Rendering) -> Answer {
    let chef = service.account(AccountKind::Admin, "chef@example.com");
    let token = service.token(AccountKind::Admin, chef, &["notes:*"]);
    rendering
        .client(service.with_token(token))
        .get("/api/dishes")
}

pub fn no_route(service: &Service, rendering: Rendering) -> Answer {
    get(service, rendering, "/api/nothing")
}

pub fn no_record(service: &Service, rendering: Rendering) -> Answer {
    get(service, rendering, "/api/dishes/9")
}

pub fn no_id(service: &Service, rendering: Rendering) -> Answer {
    get(service, rendering, "/api/dishes/abc")
}

pub fn other_method(service: &Service, rendering: Rendering) -> Answer {
    let answer = rendering.client(service.admin()).delete("/api/dishes");
    assert_eq!(answer.header("allow"), Some("GET, HEAD, POST"));
    answer
}

pub fn other_token_method(service: &Service, rendering: Rendering) -> Answer {
    let answer = rendering.client(service.admin()).get("/api/token");
    assert_eq!(answer.header("allow"), Some("POST, DELETE"));
    answer
}

pub fn not_acceptable(service: &Service, rendering: Rendering) -> Answer {
    let accept = match rendering {
        Rendering::Data => "text/html",
        Rendering::JsonApi => "application/vnd.api+json; charset=utf-8",
    };
    service.guest().header("Accept", accept).get("/api/dishes")
}

pub fn depended_on(service: &Service, rendering: Rendering) -> Answer {
    soup(service);
    let note = service
        .admin()
        .post("/api/notes", json!({"dish_id": 1, "text": "good"}));
    assert_eq!(note.status, 201, "{note}");
    rendering.client(service.admin()).delete("/api/dishes/1")
}

pub fn refused_by_hook(service: &Service, rendering: Rendering) -> Answer {
    stored(service, rendering, json!({"title": "Poison"}))
}

pub fn large_body(service: &Service, rendering: Rendering) -> Answer {
    stored(service, rendering, json!({"title": "x".repeat(1 << 20)}))
}

fn sent_as(service: &Service, rendering: Rendering, media: &str) -> Answer {
    let client = service.admin().header("Accept", rendering.media());
    let client = client.header("Content-Type", media);
    client.send("POST", "/api/dishes", Some("{}".to_owned()))
}

pub fn other_media(service: &Service, rendering: Rendering) -> Answer {
    sent_as(
        service,
        rendering,
        match rendering {
            Rendering::Data => "text/plain",
            Rendering::JsonApi => "application/vnd.api+json; charset=utf-8",
        },
    )
}

pub fn no_media(service: &Service, rendering: Rendering) -> Answer {
    sent_as(service, rendering, "")
}

pub fn broken_rule(service: &Service, rendering: Rendering) -> Answer {
    stored(service, rendering, json!({"title": "", "portions": "many"}))
}

pub fn taken(service: &Service, rendering: Rendering) -> Answer {
    soup(service);
    stored(service, rendering, json!({"title": "Soup", "slug": "soup"}))
}

pub fn dangling(service: &Service, rendering: Rendering) -> Answer {
    let body = rendering.body("notes", None, json!({"dish_id": 9, "text": "good"}));
    rendering.client(service.admin()).post("/api/notes", body)
}

/// Tokens are requested in plain JSON, whatever the rendering of the answer.
fn logged_in(service: &Service, rendering: Rendering, password: &str) -> Answer {
    let fields = json!({"email": "customer@example.com", "password": password, "device_name": "x"});
    let client = service.guest().header("Accept", rendering.media());
    client.post("/api/token", fields)
}

pub fn login(service: &Service, rendering: Rendering) -> Answer {
    service.customer();
    let answer = logged_in(service, rendering, "formwork");
    let told = match rendering {
        Rendering::Data => &answer.json,
        Rendering::JsonApi => &answer.json["meta"],
    };
    assert_eq!(told["status_code"], 201, "{answer}");
    answer
}

pub fn wrong_login(service: &Service, rendering: Rendering) -> Answer {
    service.customer();
    logged_in(service, rendering, "guess")
}

pub fn too_many_logins(service: &Service, rendering: Rendering) -> Answer {
    for _ in 0..5 {
        assert_eq!(wrong_login(service, rendering).status, 422);
    }
    logged_in(service, rendering, "formwork")
}

pub fn too_many(service: &Service, rendering: Rendering) -> Answer {
    let client = rendering.client(service.guest());
    for rest in ["1", "0"] {
        assert_eq!(
            client.get("/api/dishes").header("ratelimit-remaining"),
            Some(rest)
        );
    }
    client.get("/api/dishes")
}

/// A failure: the answer has its id only.
fn told_by_id(answer: Answer, secret: &str) -> Answer {
    let id = answer.header("x-request-id").expect("an id");
    assert!(
        answer.body.contains(id) && !answer.body.contains(secret),
        "{answer}"
    );
    answer
}

pub fn failure(service: &Service, rendering: Rendering) -> Answer {
    told_by_id(
        stored(service, rendering, json!({"title": "Broken"})),
        "stove",
    )
}

pub fn panicked(service: &Service, rendering: Rendering) -> Answer {
    told_by_id(get(service, rendering, "/api/dishes/13"), "thirteenth")
}

pub fn no_connection(service: &Service, rendering: Rendering) -> Answer {
    let held = service
        .block_on(service.app().db().begin())
        .expect("a transaction");
    let answer = rendering.client(service.guest()).get("/api/dishes");
    service.block_on(async { drop(held) });
    answer
}

pub fn too_long(service: &Service, rendering: Rendering) -> Answer {
    rendering.client(service.guest()).get("/api/loaves/30000")
}

pub fn stopping(service: &Service, rendering: Rendering) -> Answer {
    service.app().stop();
    rendering.client(service.guest()).get("/health/ready")
}
