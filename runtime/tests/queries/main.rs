//! Query strings over real HTTP: docs/contract.md, "Query parameters", every sentence.
//!
//! Results are literals and snapshots, which each database has to match: SQLite, PostgreSQL and MariaDB
//! give the same answers to the same requests (docs/guide/queries.md).

#[path = "../databases/mod.rs"]
mod databases;
#[macro_use]
#[path = "../databases/model.rs"]
mod model;
#[macro_use]
#[path = "../databases/parts.rs"]
mod parts;

mod filters;
mod foreign_pages;
mod museum;
mod paging;
mod parameters;
mod samples;
mod search;
mod search_cost;
mod shelf;
mod sort;
mod texts;
mod unique_keys;
mod values;

use formwork::{
    prelude::*,
    testing::{Answer, Service},
};

const MEDIA: [&str; 2] = ["application/json", "application/vnd.api+json"];

/// The number of cases of a property: `FORMWORK_TEST_CASES`, or a few.
fn cases() -> u32 {
    let cases = std::env::var("FORMWORK_TEST_CASES");
    cases.map_or(8, |cases| cases.parse().expect("a number of cases"))
}

/// The museum, with five things in it.
fn museum() -> Service {
    let service = Service::start(vec![Box::new(museum::Museum)]);
    let things = [
        json!({"title": "Amphora", "floor": 1, "visits": 9_000_000_000_i64, "weight": 2.5,
            "price": "10.50", "native": "1.250", "open": true, "made_on": "0400-05-01",
            "shown_at": "09:30", "found_at": "1954-03-01T12:00:00Z",
            "code": "0192f0c1-2b3c-7d4e-8f50-000000000001", "extra": {"clay": true}}),
        json!({"title": "Bust of a man", "floor": 2, "visits": 5, "weight": 80.25,
            "price": "99.99", "native": "2", "open": false, "made_on": "1700-01-01",
            "shown_at": "10:00:30", "found_at": "2001-12-31T23:59:59+02:00",
            "code": "0192f0c1-2b3c-7d4e-8f50-000000000002"}),
        json!({"title": "Coin 50%", "floor": 1, "visits": 5, "weight": 0.01,
            "price": "0.05", "native": "0.004", "open": true, "made_on": "0001-01-01",
            "shown_at": "23:59:59", "found_at": "2020-02-29T00:00:00Z",
            "code": "0192f0c1-2b3c-7d4e-8f50-000000000003"}),
        json!({"title": "Dress of Ännchen_B", "floor": -1, "visits": 0, "price": "99.99",
            "open": true}),
        json!({"title": "amphora, small", "floor": 2, "visits": 7, "price": "3", "open": true}),
    ];
    for thing in things {
        let stored = service.admin().post("/api/things", thing);
        assert_eq!(stored.status, 201, "{stored}");
    }
    service
}

/// Returns the ids of a list.
fn keys(list: &Answer) -> Vec<i64> {
    assert_eq!(list.status, 200, "{list}");
    let rows = list.json["data"].as_array().expect("a list").iter();
    rows.filter_map(|row| row["id"].as_i64()).collect()
}

/// Returns the ids of a list of things.
fn ids(service: &Service, query: &str) -> Vec<i64> {
    keys(&service.guest().get(&format!("/api/things?{query}")))
}

/// Returns a line for each query, with the ids of the list at `path(query)`.
fn list_all<Q: AsRef<str>>(
    service: &Service,
    queries: impl IntoIterator<Item = Q>,
    path: impl Fn(&str) -> String,
) -> String {
    let line = |query: Q| {
        let query = query.as_ref();
        let list = service.guest().get(&path(query));
        format!("{query}: {:?}\n", keys(&list))
    };
    queries.into_iter().map(line).collect()
}

fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// Returns the message of a list that is rejected.
fn rejection(service: &Service, query: &str) -> String {
    let [answer, document] = MEDIA.map(|accept| {
        let client = service.guest().header("Accept", accept);
        client.get(&format!("/api/things?{query}"))
    });
    assert_eq!(answer.status, 400, "{query}: {answer}");
    assert_eq!(document.status, 400, "{query}: {document}");
    let parameter = document.json["errors"][0]["source"]["parameter"].as_str();
    let parameter = parameter.unwrap_or_else(|| panic!("{query}: {document}"));
    let message = answer.json["message"].as_str().unwrap_or_default();
    assert!(message.contains(&format!("`{parameter}`")), "{message}");
    assert_eq!(answer.json.get("errors"), None::<&Json>, "{answer}");
    format!("{parameter}: {message}")
}

/// Checks that lists with each of these queries, which spaces separate, are rejected.
fn reject_all(service: &Service, queries: &str) {
    for query in queries.split_whitespace() {
        rejection(service, query);
    }
}
