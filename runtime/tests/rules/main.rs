//! The rule words of a manifest over real HTTP: docs/guide/rules.md.
//!
//! Each word has values that keep it and values that break it, when a record is stored and when it
//! is updated, in both representations; each message names the attribute.

#[path = "../databases/mod.rs"]
mod databases;
#[macro_use]
#[path = "../databases/model.rs"]
mod model;
#[macro_use]
#[path = "../databases/parts.rs"]
mod parts;

mod dates;
mod desk;
mod locked;
mod members;
mod presence;
mod words;

use formwork::{
    config::Config,
    prelude::*,
    testing::{Answer, Service},
};

const JSON_API: &str = "application/vnd.api+json";

/// The desk with two forms on it; updates change the first.
fn desk() -> Service {
    let service = Service::with_config(Config::default(), vec![Box::new(desk::Office)]);
    for title in ["first", "kept"] {
        let stored = service.guest().post("/api/forms", json!({"title": title}));
        assert_eq!(stored.status, 201, "{stored}");
    }
    service
}

/// A method, and whether the body is a JSON:API document.
type Way = (&'static str, bool);

/// Store and both kinds of update, in both representations.
const WAYS: [Way; 6] = [
    ("POST", false),
    ("PUT", false),
    ("PATCH", false),
    ("POST", true),
    ("PUT", true),
    ("PATCH", true),
];

/// Sends these members.
fn send(service: &Service, (method, is_document): Way, members: &Json) -> Answer {
    let is_stored = method == "POST";
    let path = if is_stored {
        "/api/forms"
    } else {
        "/api/forms/1"
    };
    if !is_document {
        return service
            .guest()
            .send(method, path, Some(members.to_string()));
    }
    let mut data = json!({"type": "forms", "attributes": members});
    if !is_stored {
        data["id"] = json!("1");
    }
    let client = service.guest().header("Accept", JSON_API);
    let client = client.header("Content-Type", JSON_API);
    client.send(method, path, Some(json!({"data": data}).to_string()))
}

/// Returns the messages on fields, as `field: message`, in order.
fn messages(answer: &Answer) -> Vec<String> {
    let text = |value: &Json| value.as_str().unwrap_or("?").to_owned();
    match &answer.json["errors"] {
        Json::Object(fields) => {
            let all = fields.iter().flat_map(|(field, messages)| {
                let messages = messages.as_array().into_iter().flatten();
                messages.map(move |message| format!("{field}: {}", text(message)))
            });
            all.collect()
        }
        Json::Array(errors) => {
            let label =
                |it: &Json| format!("{}: {}", text(&it["meta"]["field"]), text(&it["detail"]));
            errors.iter().map(label).collect()
        }
        _ => Vec::new(),
    }
}

/// Checks that these members, with those that every form needs, get these messages.
fn check<S: AsRef<str>>(service: &Service, way: Way, members: &Json, expected: &[S]) {
    let mut members = members.clone();
    if members.get("title").is_none() {
        members["title"] = json!("a form");
    }
    let answer = send(service, way, &members);
    let expected: Vec<&str> = expected.iter().map(AsRef::as_ref).collect();
    let status = match (expected.is_empty(), way.0) {
        (false, _) => 422,
        (true, "POST") => 201,
        (true, _) => 200,
    };
    assert_eq!(answer.status, status, "{way:?} {members}: {answer}");
    assert_eq!(messages(&answer), expected, "{way:?} {members}");
}

/// Checks cases in all ways: each is a line of JSON, followed by indented lines with its messages.
fn check_all(cases: &str) {
    let service = desk();
    for (members, expected) in parse_cases(cases) {
        for way in WAYS {
            check(&service, way, &members, &expected);
        }
    }
}

fn parse_cases(text: &str) -> Vec<(Json, Vec<&str>)> {
    let mut cases: Vec<(Json, Vec<&str>)> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match (line.strip_prefix("    "), cases.last_mut()) {
            (Some(message), Some((_, messages))) => messages.push(message),
            _ => cases.push((line.parse().expect(line), Vec::new())),
        }
    }
    cases
}
