//! The rule words of a manifest over real HTTP: docs/guide/rules.md.
//!
//! Each word has values that keep it and values that break it, when a record is stored and when it
//! is updated, in both renderings; what is said names the attribute.

#[path = "../databases/mod.rs"]
mod databases;
mod dates;
mod desk;
mod locked;
mod members;
mod presence;
mod rows;
mod words;

use formwork::{
    config::Config,
    prelude::*,
    testing::{Answer, Service},
};

const JSON_API: &str = "application/vnd.api+json";

/// The desk with two forms on it; the first is the one that is updated.
fn desk() -> Service {
    let service = Service::with_config(Config::default(), vec![Box::new(desk::Office)]);
    for title in ["first", "kept"] {
        let stored = service.guest().post("/api/forms", json!({"title": title}));
        assert_eq!(stored.status, 201, "{stored}");
    }
    service
}

/// How a body is sent.
#[derive(Debug, Clone, Copy)]
struct Way {
    method: &'static str,
    document: bool,
}

/// Store and both kinds of update, in both renderings.
const WAYS: [Way; 6] = {
    const fn way(method: &'static str, document: bool) -> Way {
        Way { method, document }
    }
    [
        way("POST", false),
        way("PUT", false),
        way("PATCH", false),
        way("POST", true),
        way("PUT", true),
        way("PATCH", true),
    ]
};

/// Sends these members.
fn send(service: &Service, way: Way, members: &Json) -> Answer {
    let stores = way.method == "POST";
    let path = if stores { "/api/forms" } else { "/api/forms/1" };
    if !way.document {
        return service
            .guest()
            .send(way.method, path, Some(members.to_string()));
    }
    let mut data = json!({"type": "forms", "attributes": members});
    if !stores {
        data["id"] = json!("1");
    }
    let client = service.guest().header("Accept", JSON_API);
    let client = client.header("Content-Type", JSON_API);
    client.send(way.method, path, Some(json!({"data": data}).to_string()))
}

/// The messages on fields, as `field: message`, in order.
fn said(answer: &Answer) -> Vec<String> {
    let mut said = Vec::new();
    for (field, messages) in answer.json["errors"].as_object().into_iter().flatten() {
        for message in messages.as_array().into_iter().flatten() {
            said.push(format!("{field}: {}", message.as_str().unwrap_or("?")));
        }
    }
    for error in answer.json["errors"].as_array().into_iter().flatten() {
        let text = |value: &Json| value.as_str().unwrap_or("?").to_owned();
        said.push(format!(
            "{}: {}",
            text(&error["meta"]["field"]),
            text(&error["detail"])
        ));
    }
    said
}

/// Whether these members are taken, with what every form needs, or this is said of them.
fn check(service: &Service, way: Way, members: &Json, expected: &[String]) {
    let mut members = members.clone();
    if members.get("title").is_none() {
        members["title"] = json!("a form");
    }
    let answer = send(service, way, &members);
    let status = match (expected.is_empty(), way.method) {
        (false, _) => 422,
        (true, "POST") => 201,
        (true, _) => 200,
    };
    assert_eq!(answer.status, status, "{way:?} {members}: {answer}");
    assert_eq!(said(&answer), expected, "{way:?} {members}");
}
