//! Responses of the service match its description, errors among them.

use formwork::testing::{Answer, Client, Service};
use serde_json::json;

use crate::{
    JSON, JSON_API, accepting, described,
    described::{Described, Operation},
    description_of, magazine, serialize_json_api, with,
};

/// Inserts articles, people, comments and a ride.
pub fn fill(service: &Service) {
    let admin = accepting(&service.admin(), JSON);
    let comment =
        json!({"text": "So.", "subject_type": "articles", "subject_id": 1, "author_id": 2});
    for (path, body) in [
        ("people", json!({"name": "Ann"})),
        ("people", json!({"name": "Bob"})),
        (
            "articles",
            json!({"title": "First", "author_id": 1, "type": "essay"}),
        ),
        (
            "articles",
            json!({"title": "Second", "author_id": 1, "type": "essay"}),
        ),
        ("comments", comment),
        ("rides", json!({"name": "Ride", "price": "7.5", "seats": 4})),
    ] {
        let answer = admin.post(&format!("/api/{path}"), body);
        assert_eq!(answer.status, 201, "{path}: {answer}");
    }
}

/// Asserts that a response is described; returns it.
#[track_caller]
pub fn fits(described: &Described, one: Operation<'_>, answer: Answer) -> Answer {
    let media = answer.header("content-type");
    if let Some(wrong) = described.wrong(one, answer.status, media, &answer.body) {
        panic!("{}: {wrong}\n{answer}", one.operation["operationId"]);
    }
    answer
}

/// Returns the path of an operation about the first record.
pub fn address(service: &Service, one: Operation<'_>) -> String {
    if !one.path.contains("/rides/") {
        return one.path.replace("{id}", "1").replace("{day}", "monday");
    }
    let rides = accepting(&service.guest(), JSON).get("/api/rides");
    let id = rides.json["data"][0]["id"].as_str().expect("a key");
    one.path.replace("{id}", id)
}

fn callers(service: &Service) -> [Client<'_>; 3] {
    [service.guest(), service.customer(), service.admin()]
}

/// Starts a service with each serializer; returns it and its description.
fn services() -> [(Service, Described); 2] {
    [magazine(), with(serialize_json_api)].map(|service| {
        fill(&service);
        let described = description_of(&service, "/api");
        (service, described)
    })
}

#[test]
fn every_answer_to_a_look_is_described() {
    for (service, described) in services() {
        let mut ok = 0;
        let reads = described.operations().into_iter();
        for one in reads.filter(|one| one.method == "get") {
            let path = address(&service, one);
            for (at, caller) in callers(&service).iter().enumerate() {
                // A customer's parameters are read like an administrator's.
                let tails = ["", "?nonsense=1", "?include=nothing"];
                let tails = if at == 1 { &tails[..1] } else { &tails };
                for accept in [JSON, JSON_API, "text/plain"] {
                    let caller = accepting(caller, accept);
                    for tail in tails {
                        let answer = fits(&described, one, caller.get(&format!("{path}{tail}")));
                        ok += usize::from(answer.status == 200);
                    }
                }
            }
            for id in ["424242", "abc", "67e55044-10b1-426f-9247-bb680e5fe0c8"] {
                let path = one.path.replace("{id}", id).replace("{day}", id);
                let answer = accepting(&service.guest(), JSON).get(&path);
                fits(&described, one, answer);
            }
            let bad = accepting(&service.with_token("1|wrong"), JSON).get(&path);
            let is_open = one.path.starts_with("/health");
            assert!(bad.status == 401 || is_open, "{bad}");
            fits(&described, one, bad);
        }
        assert!(ok > 50, "{ok}");
    }
}

#[test]
fn changes_are_answered_as_described() {
    let bodies = [
        "{}",
        "{",
        "[]",
        "{\"data\":{\"type\":\"x\"}}",
        "{\"title\":7,\"name\":[]}",
    ];
    for (service, described) in services() {
        let changes = described.operations().into_iter();
        for one in changes.filter(|one| one.method != "get" && one.path != "/api/token") {
            let first = address(&service, one);
            let missing = [
                first.replace("/1", "/424242"),
                one.path.replace("{id}", "x"),
            ];
            let mut paths = Vec::from(missing);
            // Later requests need the records.
            if one.method != "delete" {
                paths.push(first);
            }
            for path in paths {
                for (at, caller) in callers(&service).iter().enumerate() {
                    // Guests and unknown records are rejected before the body is read.
                    let is_early = at == 0 || path.ends_with("/x");
                    let bodies = if is_early { &bodies[..1] } else { &bodies };
                    for media in [JSON, JSON_API, "text/plain"] {
                        let accept = if media == JSON_API { JSON_API } else { JSON };
                        let caller = accepting(caller, accept).header("Content-Type", media);
                        for body in bodies {
                            let method = one.method.to_uppercase();
                            let answer = caller.send(&method, &path, Some((*body).to_owned()));
                            fits(&described, one, answer);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn headers_are_as_described() {
    let service = magazine();
    fill(&service);
    let admin = accepting(&service.admin(), JSON);
    let assert_fits = |id: &str, status: u16, answer: Answer| {
        let answer = fits(described(), described().operation(id), answer);
        assert_eq!(answer.status, status, "{answer}");
        answer
    };
    let path = "/api/articles/1";
    let shown = assert_fits("articles.show", 200, admin.get(path));
    let show = described().operation("articles.show").operation;
    let headers = described().resolved(&show["responses"]["200"])["headers"].as_object();
    let names = headers.expect("headers").keys();
    for name in names.filter(|name| !name.starts_with("RateLimit")) {
        assert!(shown.header(name).is_some(), "{name}");
    }
    let tag = shown.header("etag").expect("a tag");
    let cached = admin.clone().header("If-None-Match", tag).get(path);
    assert_fits("articles.show", 304, cached);
    let other = admin.clone().header("If-Match", "\"other\"");
    assert_fits("articles.update", 412, other.patch(path, json!({})));
    let stored = admin.post("/api/articles", json!({"title": "Third"}));
    let stored = assert_fits("articles.store", 201, stored);
    assert!(stored.header("location").is_some());
    let store = described().operation("articles.store").operation;
    assert!(store["responses"]["201"]["headers"]["Location"].is_object());
    assert_fits("articles.destroy", 204, admin.delete("/api/articles/3"));
}

#[test]
fn tokens_are_as_described() {
    let service = magazine();
    let assert_fits = |id: &str, status: u16, answer: Answer| {
        let answer = fits(described(), described().operation(id), answer);
        assert_eq!(answer.status, status, "{answer}");
    };
    let admin = service.admin();
    let body = json!({"is_admin": true, "username": "admin", "password": "formwork",
                      "device_name": "till", "abilities": ["a:b"]});
    let schema = described().body(described().operation("token.issue"), JSON);
    assert_eq!(described().faults(schema, &body), [""; 0]);
    for accept in [JSON, JSON_API] {
        let guest = accepting(&service.guest(), accept);
        assert_fits("token.issue", 201, guest.post("/api/token", body.clone()));
        let form = "is_admin=1&username=admin&password=formwork&device_name=till";
        let client = guest
            .clone()
            .header("Content-Type", "application/x-www-form-urlencoded");
        let answer = client.send("POST", "/api/token", Some(form.to_owned()));
        assert_fits("token.issue", 201, answer);
        let unknown = json!({"email": "x", "password": "x", "device_name": "x"});
        for (wrong, status) in [(json!({}), 422), (unknown, 422), (json!([]), 400)] {
            assert_fits("token.issue", status, guest.post("/api/token", wrong));
        }
        for (caller, status) in [
            (admin.clone(), 200),
            (service.customer(), 200),
            (guest, 401),
        ] {
            let answer = accepting(&caller, accept).get("/api/token/user");
            assert_fits("token.user", status, answer);
        }
    }
    assert_fits("token.revoke", 204, admin.delete("/api/token"));
    assert_fits("token.revoke", 401, admin.delete("/api/token"));
}
