//! Tokens, and when they are valid.

use axum::http::{HeaderMap, HeaderValue, header::AUTHORIZATION};
use chrono::TimeDelta;
use formwork_data::value::Value;
use serde_json::json;

use super::{super::*, House, now};

#[tokio::test]
async fn a_deleted_account_loses_its_tokens() {
    let house = House::new().await;
    house
        .account(AccountKind::Admin, "admin@example.com", Some("admin"))
        .await;
    house
        .account(AccountKind::Customer, "alice@example.com", None)
        .await;
    let token = house.token(json!({"username": "admin"})).await;
    house.run("DELETE FROM admin_users").await;
    // A customer has the same key: the kind of account is part of the token.
    assert!(house.caller(&token).await.is_err());
}

#[tokio::test]
async fn the_check_is_one_statement_and_remembers_its_use_beside_it() {
    let house = House::new().await;
    house
        .account(AccountKind::Customer, "alice@example.com", None)
        .await;
    let token = house.token(json!({"email": "alice@example.com"})).await;
    let db = house.db.for_request();
    let mut headers = HeaderMap::new();
    headers.insert(
        AUTHORIZATION,
        HeaderValue::from_str(&format!("Bearer {token}")).expect("header"),
    );
    house
        .auth
        .caller(&db, &headers, now())
        .await
        .expect("valid");
    assert_eq!(db.statements(), 1);
    let mut used = Value::Null;
    for _ in 0..100 {
        used = house.one("SELECT last_used_at FROM api_tokens").await;
        if !used.is_null() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert!(
        used.as_str()
            .is_some_and(|used| used.starts_with("2027-01-15")),
        "{used:?}"
    );
    let soon = now() + TimeDelta::seconds(30);
    house.auth.caller(&db, &headers, soon).await.expect("valid");
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    assert_eq!(
        house.one("SELECT last_used_at FROM api_tokens").await,
        used,
        "within the minute"
    );
}
