//! Statements are what costs: how many each answer takes (ARCHITECTURE.md, "The runtime").

use axum::{
    body::Body,
    http::{Request, header},
};
use formwork::{app::Statements, auth::AccountKind, prelude::*, testing::Service};
use tower::ServiceExt;

use super::kitchen;

fn statements(service: &Service, token: &str, request: (&str, &str), body: &str) -> u64 {
    let (method, path) = request;
    let mut builder = Request::builder().method(method).uri(path);
    if !token.is_empty() {
        builder = builder.header(header::AUTHORIZATION, format!("Bearer {token}"));
    }
    if !body.is_empty() {
        builder = builder.header(header::CONTENT_TYPE, "application/json");
    }
    let request = builder
        .body(Body::from(body.to_owned()))
        .expect("a request");
    let answer = service
        .block_on(service.app().router().oneshot(request))
        .expect("an answer");
    assert!(answer.status().is_success(), "{path}: {}", answer.status());
    answer.extensions().get::<Statements>().expect("a count").0
}

#[test]
fn reading_costs_one_and_one_more_for_token_and_relation() {
    let service = kitchen();
    let id = service.account(AccountKind::Admin, "chef@example.com");
    let token = service.token(AccountKind::Admin, id, &["*"]);
    let count = |token: &str, path: &str| statements(&service, token, ("GET", path), "");
    service
        .admin()
        .post("/api/dishes", json!({"title": "Soup"}));
    service
        .admin()
        .post("/api/notes", json!({"dish_id": 1, "text": "good"}));
    assert_eq!(count("", "/api/dishes"), 1, "page and count together");
    assert_eq!(count("", "/api/dishes?sort=-price&search=soup"), 1);
    assert_eq!(count("", "/api/dishes?search=so+up"), 1, "two words");
    assert_eq!(
        count("", "/api/dishes?page=9"),
        2,
        "an empty page is counted"
    );
    assert_eq!(count("", "/api/dishes/1"), 1);
    // The first use of a token is written down, at most once a minute.
    count(&token, "/api/dishes");
    assert_eq!(count(&token, "/api/dishes"), 2, "the token is one");
    assert_eq!(count(&token, "/api/dishes?include=notes,tags"), 4);
    assert_eq!(count(&token, "/api/dishes?include=notes.dish"), 4);
}

#[test]
fn an_update_that_changes_nothing_writes_nothing() {
    let service = kitchen();
    let id = service.account(AccountKind::Admin, "chef@example.com");
    let token = service.token(AccountKind::Admin, id, &["*"]);
    service
        .admin()
        .post("/api/dishes", json!({"title": "Soup"}));
    statements(&service, &token, ("GET", "/api/dishes"), "");
    let patch = |body: &str| statements(&service, &token, ("PATCH", "/api/dishes/1"), body);
    let (changed, same) = (patch(r#"{"portions": 5}"#), patch(r#"{"portions": 5}"#));
    assert_eq!(changed, same + 1);
    // Token, row, BEGIN, the row as it is inside the transaction, change, what became of it.
    assert_eq!(changed, 6);
}
