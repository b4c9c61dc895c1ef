//! What tokens are, and when they are good.

use axum::http::{HeaderMap, HeaderValue, header::AUTHORIZATION};
use chrono::TimeDelta;
use formwork_data::value::Value;
use serde_json::json;

use super::{super::*, House, now};
use crate::action::Action;

#[tokio::test]
async fn both_kinds_of_account_get_tokens_that_name_them() {
    let house = House::new().await;
    let admin = house
        .account(AccountKind::Admin, "admin@example.com", Some("admin"))
        .await;
    let alice = house
        .account(AccountKind::Customer, "alice@example.com", None)
        .await;
    let token = house
        .token(json!({"is_admin": 1, "username": "Admin"}))
        .await;
    let (_, secret) = token.split_once('|').expect("bar");
    assert_eq!(secret.len(), 40);
    let caller = house.caller(&token).await.expect("valid");
    let Caller::Admin(account) = &caller else {
        panic!("{caller:?}")
    };
    assert_eq!(
        (account.id, account.username.as_deref()),
        (admin, Some("admin"))
    );
    assert!(account.has_permission("Ext.Api.Manage"));
    let seen = house.auth.user(&caller).expect("user");
    assert_eq!(
        (&seen["user"]["id"], &seen["user"]["email"]),
        (&json!(admin), &json!("admin@example.com"))
    );

    let token = house
        .token(json!({"email": "ALICE@example.com", "abilities": ["menus.read"]}))
        .await;
    let caller = house.caller(&token).await.expect("valid");
    assert_eq!(caller.customer_id(), Some(alice));
    let abilities = &caller.account().expect("account").abilities;
    assert!(abilities.cover(&["menus:*"], Action::Index));
    assert!(!abilities.cover(&["menus:*"], Action::Store));
}

#[tokio::test]
async fn tokens_that_are_no_good_are_401() {
    let house = House::new().await;
    house
        .account(AccountKind::Customer, "alice@example.com", None)
        .await;
    let token = house.token(json!({"email": "alice@example.com"})).await;
    let (id, secret) = token.split_once('|').expect("bar");
    for wrong in [
        "",
        "x",
        "999|x",
        secret,
        &format!("{id}|{secret}x"),
        &format!("0{id}|"),
    ] {
        let outcome = house.caller(wrong).await;
        assert!(
            matches!(outcome, Err(Error::Unauthenticated(_))),
            "{wrong}: {outcome:?}"
        );
    }
    house.run("UPDATE api_customers SET is_activated = 0").await;
    assert!(house.caller(&token).await.is_err(), "inactive");
    house.run("UPDATE api_customers SET is_activated = 1").await;
    let caller = house.caller(&token).await.expect("active again");
    house
        .run("UPDATE api_tokens SET expires_at = '2020-01-01T00:00:00.000000Z'")
        .await;
    assert!(house.caller(&token).await.is_err(), "expired");
    house.run("UPDATE api_tokens SET expires_at = NULL").await;
    house
        .auth
        .revoke(&house.db, &caller)
        .await
        .expect("revoked");
    assert!(house.caller(&token).await.is_err(), "revoked");
}

#[tokio::test]
async fn an_account_that_is_gone_takes_its_tokens_along() {
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

#[tokio::test]
async fn secrets_are_not_stored() {
    let house = House::new().await;
    house
        .account(AccountKind::Customer, "alice@example.com", None)
        .await;
    let token = house.token(json!({"email": "alice@example.com"})).await;
    let (_, secret) = token.split_once('|').expect("bar");
    let stored = house.one("SELECT secret FROM api_tokens").await;
    assert!(
        stored
            .as_str()
            .is_some_and(|stored| stored.len() == 64 && stored != secret)
    );
    let listed = TokenRecord::all(&house.db).await.expect("tokens");
    assert_eq!((listed.len(), listed[0].name.as_str()), (1, "till"));
    assert!(!format!("{listed:?}").contains(secret));
}
