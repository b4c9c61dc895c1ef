//! Answers of the service match its description, errors among them.

use formwork::{
    config::Config,
    data::value::Json,
    testing::{Answer, Client, Service},
};
use serde_json::json;

use crate::{
    JSON_API, described as of,
    described::{Described, Operation},
    magazine, plain, with,
};

/// Articles, people, comments and a ride.
pub fn fill(service: &Service) {
    let admin = service.admin().header("Accept", "application/json");
    for name in ["Ann", "Bob"] {
        assert_eq!(admin.post("/api/people", json!({"name": name})).status, 201);
    }
    for title in ["First", "Second"] {
        let article = json!({"title": title, "author_id": 1, "type": "essay"});
        assert_eq!(admin.post("/api/articles", article).status, 201);
    }
    let comment =
        json!({"text": "So.", "subject_type": "articles", "subject_id": 1, "author_id": 2});
    assert_eq!(admin.post("/api/comments", comment).status, 201);
    let ride = json!({"name": "Ride", "price": "7.5", "seats": 4});
    assert_eq!(admin.post("/api/rides", ride).status, 201);
}

/// Asserts that an answer is described; returns it.
pub fn fits(described: &Described, one: Operation<'_>, answer: Answer) -> Answer {
    let media = answer.header("content-type");
    let wrong = described.wrong(one, answer.status, media, &answer.body);
    let id = &one.operation["operationId"];
    assert!(
        wrong.is_none(),
        "{id}: {}\n{answer}",
        wrong.unwrap_or_default()
    );
    answer
}

/// The path of an operation about the first record.
pub fn address(service: &Service, one: Operation<'_>) -> String {
    let first = match one.path.contains("/rides/") {
        true => service
            .guest()
            .header("Accept", "application/json")
            .get("/api/rides"),
        false => return one.path.replace("{id}", "1").replace("{day}", "monday"),
    };
    let id = match &first.json["data"][0]["id"] {
        Json::String(id) => id.clone(),
        other => panic!("no key: {other}"),
    };
    one.path.replace("{id}", &id)
}

fn callers(service: &Service) -> [Client<'_>; 3] {
    [service.guest(), service.customer(), service.admin()]
}

#[test]
fn every_answer_to_a_look_is_described() {
    for config in [Config::default(), plain()] {
        let service = with(config);
        fill(&service);
        let described = of(&service, "/api");
        let mut fine = 0;
        for one in described
            .operations()
            .into_iter()
            .filter(|one| one.method == "get")
        {
            let path = address(&service, one);
            for caller in callers(&service) {
                for accept in ["application/json", JSON_API, "text/plain"] {
                    let caller = caller.clone().header("Accept", accept);
                    for tail in ["", "?nonsense=1", "?include=nothing"] {
                        let answer = fits(&described, one, caller.get(&format!("{path}{tail}")));
                        fine += usize::from(answer.status == 200);
                    }
                }
            }
            for id in ["424242", "abc", "67e55044-10b1-426f-9247-bb680e5fe0c8"] {
                let path = one.path.replace("{id}", id).replace("{day}", id);
                fits(
                    &described,
                    one,
                    service
                        .guest()
                        .header("Accept", "application/json")
                        .get(&path),
                );
            }
            let bad = service
                .with_token("1|wrong")
                .header("Accept", "application/json")
                .get(&path);
            assert!(
                bad.status == 401 || one.path.starts_with("/health"),
                "{bad}"
            );
            fits(&described, one, bad);
        }
        assert!(fine > 60, "{fine}");
    }
}

#[test]
fn changes_are_answered_as_described() {
    for config in [Config::default(), plain()] {
        let service = with(config);
        fill(&service);
        let described = of(&service, "/api");
        let changes = described
            .operations()
            .into_iter()
            .filter(|one| one.method != "get");
        for one in changes {
            if one.path == "/api/token" {
                continue;
            }
            let missing = address(&service, one).replace("/1", "/424242");
            for path in [
                address(&service, one),
                missing,
                one.path.replace("{id}", "x"),
            ] {
                for media in ["application/json", JSON_API, "text/plain"] {
                    for body in [
                        "{}",
                        "{",
                        "[]",
                        "{\"data\":{\"type\":\"x\"}}",
                        "{\"title\":7,\"name\":[]}",
                    ] {
                        // The records are there for the next ones.
                        if one.method == "delete"
                            && !path.contains("424242")
                            && !path.ends_with('x')
                        {
                            continue;
                        }
                        for caller in callers(&service) {
                            let caller = caller.header("Content-Type", media).header(
                                "Accept",
                                if media == JSON_API {
                                    JSON_API
                                } else {
                                    "application/json"
                                },
                            );
                            let answer = caller.send(
                                &one.method.to_uppercase(),
                                &path,
                                Some(body.to_owned()),
                            );
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
    let described = of(&service, "/api");
    let admin = service.admin().header("Accept", "application/json");
    let show = described.operation("articles.show");
    let shown = admin.get("/api/articles/1");
    let names = described.resolved(&show.operation["responses"]["200"])["headers"].as_object();
    for name in names
        .expect("headers")
        .keys()
        .filter(|name| !name.starts_with("RateLimit"))
    {
        assert!(shown.header(name).is_some(), "{name}");
    }
    let tag = shown.header("etag").expect("a tag");
    let known = admin
        .clone()
        .header("If-None-Match", tag)
        .get("/api/articles/1");
    assert_eq!(fits(&described, show, known).status, 304);
    let update = described.operation("articles.update");
    let other = admin
        .clone()
        .header("If-Match", "\"other\"")
        .patch("/api/articles/1", json!({}));
    assert_eq!(fits(&described, update, other).status, 412);
    let store = described.operation("articles.store");
    let stored = admin.post("/api/articles", json!({"title": "Third"}));
    assert!(store.operation["responses"]["201"]["headers"]["Location"].is_object());
    assert_eq!(fits(&described, store, stored.clone()).status, 201);
    assert!(stored.header("location").is_some());
    let destroy = described.operation("articles.destroy");
    assert_eq!(
        fits(&described, destroy, admin.delete("/api/articles/3")).status,
        204
    );
}

#[test]
fn tokens_are_as_described() {
    let service = magazine();
    let described = of(&service, "/api");
    let issue = described.operation("token.issue");
    let admin = service.admin();
    let body = json!({"is_admin": true, "username": "admin", "password": "formwork", "device_name": "till", "abilities": ["a:b"]});
    assert_eq!(
        described.faults(described.body(issue, "application/json"), &body),
        [""; 0]
    );
    for accept in ["application/json", JSON_API] {
        let guest = service.guest().header("Accept", accept);
        let answer = fits(&described, issue, guest.post("/api/token", body.clone()));
        assert_eq!(answer.status, 201, "{answer}");
        let form = "is_admin=1&username=admin&password=formwork&device_name=till";
        let posted = guest
            .clone()
            .header("Content-Type", "application/x-www-form-urlencoded");
        let answer = fits(
            &described,
            issue,
            posted.send("POST", "/api/token", Some(form.to_owned())),
        );
        assert_eq!(answer.status, 201, "{answer}");
        for wrong in [
            json!({}),
            json!({"email": "x", "password": "x", "device_name": "x"}),
            json!([]),
        ] {
            fits(&described, issue, guest.post("/api/token", wrong));
        }
        let user = described.operation("token.user");
        for caller in [&admin, &service.customer()] {
            let answer = caller
                .clone()
                .header("Accept", accept)
                .get("/api/token/user");
            assert_eq!(fits(&described, user, answer).status, 200);
        }
        assert_eq!(
            fits(&described, user, guest.get("/api/token/user")).status,
            401
        );
    }
    let revoke = described.operation("token.revoke");
    assert_eq!(
        fits(&described, revoke, admin.delete("/api/token")).status,
        204
    );
    assert_eq!(
        fits(&described, revoke, admin.delete("/api/token")).status,
        401
    );
}
