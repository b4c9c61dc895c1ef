//! Query strings over real HTTP: docs/contract.md, "Query parameters", every sentence.

#[path = "../databases/mod.rs"]
mod databases;
mod filters;
mod foreign_pages;
mod museum;
mod paging;
mod parameters;
mod search;
mod search_cost;
mod sort;
mod unique_keys;
mod values;

use formwork::testing::Service;
use serde_json::{Value as Json, json};

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

/// The ids of a list of things.
fn ids(service: &Service, query: &str) -> Vec<i64> {
    let list = service.guest().get(&format!("/api/things?{query}"));
    assert_eq!(list.status, 200, "{query}: {list}");
    let rows = list.json["data"].as_array().expect("a list").iter();
    rows.filter_map(|row| row["id"].as_i64()).collect()
}

/// The message of a list that is refused.
fn refused(service: &Service, query: &str) -> String {
    let answer = service.guest().get(&format!("/api/things?{query}"));
    assert_eq!(answer.status, 400, "{query}: {answer}");
    let document = service.guest().header("Accept", "application/vnd.api+json");
    let document = document.get(&format!("/api/things?{query}"));
    assert_eq!(document.status, 400, "{query}: {document}");
    let error = &document.json["errors"][0];
    let parameter = error["source"]["parameter"].as_str();
    let parameter = parameter.unwrap_or_else(|| panic!("{query}: {document}"));
    let message = answer.json["message"].as_str().unwrap_or_default();
    assert!(message.contains(&format!("`{parameter}`")), "{message}");
    assert_eq!(answer.json.get("errors"), None::<&Json>, "{answer}");
    format!("{parameter}: {message}")
}
