//! Accounts, and who may log in to them.

use axum::http::HeaderMap;
use formwork_data::value::Value;
use serde_json::json;

use super::{
    super::{
        customers::{Login, text_columns},
        *,
    },
    House, PASSWORD, now, refused,
};

#[tokio::test]
async fn administrators_log_in_by_either_name_and_both_must_agree() {
    let house = House::new().await;
    house
        .account(AccountKind::Admin, "admin@example.com", Some("admin"))
        .await;
    house
        .account(AccountKind::Admin, "other@example.com", Some("other"))
        .await;
    house
        .token(json!({"is_admin": "1", "email": "admin@example.com"}))
        .await;
    house.token(json!({"username": "admin"})).await;
    house
        .token(json!({"is_admin": 1, "username": "admin", "email": "admin@example.com"}))
        .await;
    let mixed = json!({"is_admin": 1, "username": "admin", "email": "other@example.com"});
    assert!(refused(house.login(mixed).await)["email"].is_array());
}

#[tokio::test]
async fn every_failed_login_is_the_same_answer() {
    let house = House::new().await;
    house
        .account(AccountKind::Customer, "alice@example.com", None)
        .await;
    house
        .account(AccountKind::Customer, "idle@example.com", None)
        .await;
    house
        .run("UPDATE api_customers SET is_activated = 0 WHERE email = 'idle@example.com'")
        .await;
    let expected = json!({"email": ["The provided credentials are incorrect."]});
    let began = std::time::Instant::now();
    for login in [
        json!({"email": "alice@example.com", "password": "wrong"}),
        json!({"email": "nobody@example.com"}),
        json!({"email": "idle@example.com"}),
        json!({"is_admin": 1, "email": "alice@example.com"}),
    ] {
        assert_eq!(
            refused(house.login(login.clone()).await),
            expected,
            "{login}"
        );
    }
    assert!(
        began.elapsed() >= credentials::FLOOR * 4,
        "no refusal is quicker than another"
    );
    let unknown = refused(house.login(json!({"username": "nobody"})).await);
    assert_eq!(
        unknown,
        json!({"username": ["The provided credentials are incorrect."]})
    );
}

#[tokio::test]
async fn five_failures_a_minute_are_enough() {
    let house = House::new().await;
    house
        .account(AccountKind::Customer, "alice@example.com", None)
        .await;
    for _ in 0..5 {
        refused(
            house
                .login(json!({"email": "alice@example.com", "password": "wrong"}))
                .await,
        );
    }
    let sixth = house.login(json!({"email": "Alice@example.com"})).await;
    assert!(
        matches!(sixth, Err(Error::TooManyRequests { retry_after: 60 })),
        "{sixth:?}"
    );
}

#[tokio::test]
async fn older_hashes_are_upgraded_at_login() {
    let house = House::new().await;
    house
        .account(AccountKind::Customer, "alice@example.com", None)
        .await;
    let old = bcrypt::hash(PASSWORD, 4)
        .expect("bcrypt")
        .replacen("$2b$", "$2y$", 1);
    let set = "UPDATE api_customers SET password = ?";
    house
        .db
        .execute(set, [Value::from(old)])
        .await
        .expect("set");
    house.token(json!({"email": "alice@example.com"})).await;
    let hash = house.one("SELECT password FROM api_customers").await;
    assert!(
        hash.as_str()
            .is_some_and(|hash| hash.starts_with("$argon2id$")),
        "{hash:?}"
    );
    house.token(json!({"email": "alice@example.com"})).await;
    assert!(
        !house
            .one("SELECT last_login FROM api_customers")
            .await
            .is_null()
    );
}

#[tokio::test]
async fn nobody_gets_an_account_twice_or_a_guest_a_user() {
    let house = House::new().await;
    house
        .account(AccountKind::Admin, "admin@example.com", Some("admin"))
        .await;
    let twin = NewAccount {
        kind: AccountKind::Admin,
        email: "ADMIN@example.com".to_owned(),
        username: Some("Admin".to_owned()),
        name: None,
        password: PASSWORD.to_owned(),
    };
    assert!(
        twin.insert(&house.db, house.auth.customers(), now())
            .await
            .is_err()
    );
    assert!(house.auth.user(&Caller::Guest).is_err());
    assert_eq!(
        house
            .auth
            .caller(&house.db, &HeaderMap::new(), now())
            .await
            .expect("guest"),
        Caller::Guest
    );
}

#[tokio::test]
async fn customers_of_a_project_get_what_their_table_needs() {
    let house = House::new().await;
    for statement in [
        "CREATE TABLE groups (group_id INTEGER PRIMARY KEY, title TEXT NOT NULL)",
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, \
         last_name TEXT NOT NULL, email TEXT NOT NULL, password TEXT, status INTEGER NOT NULL, \
         points INTEGER NOT NULL DEFAULT 7, notes TEXT, \
         group_id INTEGER NOT NULL DEFAULT 1 REFERENCES groups (group_id), \
         created_at TEXT NOT NULL)",
    ] {
        house.db.execute(statement, []).await.expect(statement);
    }
    let columns = text_columns(["first_name", "last_name", "email", "password", "status"]);
    let customers = CustomerTable::new("customers", "id", &columns).expect("table");
    let account = NewAccount {
        kind: AccountKind::Customer,
        email: "alice@example.com".to_owned(),
        username: None,
        name: None,
        password: PASSWORD.to_owned(),
    };
    let lacking = account
        .insert(&house.db, &customers, now())
        .await
        .expect_err("no group");
    assert!(
        lacking.to_string().contains("needs a row of groups"),
        "{lacking}"
    );
    house.run("INSERT INTO groups VALUES (5, 'Guests')").await;
    account
        .insert(&house.db, &customers, now())
        .await
        .expect("account");
    let sql = "SELECT first_name, last_name, status, points, notes, group_id FROM customers";
    let row = house.db.rows(sql, []).await.expect("row").remove(0);
    let expected = [
        Value::from("alice"),
        Value::from(""),
        Value::Int(1),
        Value::Int(7),
        Value::Null,
        Value::Int(5),
    ];
    assert_eq!(row, expected);
}

#[tokio::test]
async fn a_login_does_not_bring_an_older_password_back() {
    let house = House::new().await;
    house.account(AccountKind::Customer, "a@b.c", None).await;
    let table = AccountTable::of(AccountKind::Customer, house.auth.customers());
    let found = || async {
        let found = table.find(&house.db, &[("email", "a@b.c")]).await;
        found.expect("a statement").expect("an account")
    };
    let seen = found().await;
    // While the login's password was hashed anew, another one was set.
    let set = "UPDATE \"api_customers\" SET \"password\" = 'changed'";
    house.db.execute(set, []).await.expect("an update");
    let upgraded = |login: Login| {
        let (db, table) = (&house.db, &table);
        async move {
            let hash = Some("upgraded".to_owned());
            let done = table.logged_in(db, &login, hash, now()).await;
            done.expect("an update");
        }
    };
    upgraded(seen).await;
    assert_eq!(found().await.password.as_deref(), Some("changed"));
    upgraded(found().await).await;
    assert_eq!(found().await.password.as_deref(), Some("upgraded"));
}

#[tokio::test]
async fn an_account_is_not_tried_twice_as_often_by_two_names() {
    let house = House::new().await;
    let email = "admin@example.com";
    house
        .account(AccountKind::Admin, email, Some("admin"))
        .await;
    let attempt = |field: &str, login: &str, password: &str| {
        let login = json!({field: login, "is_admin": 1, "password": password});
        house.login(login)
    };
    // The first five are wrong, the others right: too late.
    for at in 0..8 {
        let password = if at < 5 { "wrong" } else { PASSWORD };
        let (field, login) = [("username", "admin"), ("email", email)][at % 2];
        let told = refused(attempt(field, login, password).await);
        let expected = json!({field: ["The provided credentials are incorrect."]});
        assert_eq!(told, expected, "{at}");
    }
}

#[tokio::test]
async fn an_administrator_s_username_is_no_other_address() {
    let house = House::new().await;
    let customers = CustomerTable::minimal();
    let account = |username: Option<&str>| NewAccount {
        kind: AccountKind::Admin,
        email: "ann@example.com".to_owned(),
        username: username.map(str::to_owned),
        name: None,
        password: PASSWORD.to_owned(),
    };
    for address in ["tom@example.com", "ann@", "@"] {
        let account = account(Some(address));
        let made = account.insert(&house.db, &customers, now()).await;
        let errors = refused(made.map(Json::from));
        assert_eq!(
            errors["username"],
            json!(["The username must not contain @: that is an e-mail address."])
        );
    }
    let made = account(None).insert(&house.db, &customers, now()).await;
    made.expect("the address is the username");
}
