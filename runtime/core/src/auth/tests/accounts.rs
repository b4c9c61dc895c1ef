//! Accounts, and who may log in to them.

use axum::http::HeaderMap;
use formwork_data::{migration::Migration, value::Value};
use serde_json::json;

use super::{
    super::{
        customers::{AccountTable, LoginRow, text_columns},
        *,
    },
    House, PASSWORD, now, refused,
};
use crate::config::Config;

#[tokio::test]
async fn an_email_has_one_account_and_guests_have_none() {
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

/// A project's customers; the second migration replaces the column of the index.
const PROJECT: &[Migration] = &[
    Migration {
        version: 20260101000000,
        name: "create_customers",
        sql: &[(
            "sqlite",
            "CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT NOT NULL, password TEXT);
             CREATE UNIQUE INDEX customers_email_unique ON customers (email)",
        )],
    },
    Migration {
        version: 20260101000001,
        name: "change_email",
        sql: &[(
            "sqlite",
            "DROP INDEX customers_email_unique;
             ALTER TABLE customers DROP COLUMN email;
             ALTER TABLE customers ADD COLUMN email VARCHAR(96)",
        )],
    },
];

#[tokio::test]
async fn a_login_reads_no_other_rows_of_a_projects_customers() {
    let house = House::new().await;
    let columns = text_columns(["email", "password"]);
    let customers = CustomerTable::new("customers", "id", &columns).expect("table");
    let auth = Auth::new(
        &Config::default().auth,
        customers.clone(),
        house.db.dialect(),
    );
    let table = AccountTable::of(AccountKind::Customer, &customers);
    let find = table.find_statement(&house.db, ["email"].into_iter());
    let find = find.await.expect("a statement");
    for applied in [&PROJECT[..1], PROJECT, PROJECT] {
        let migrations: [(_, &'static [Migration]); 1] = [("shop", applied)];
        auth.migrate(&house.db, &migrations).await.expect("applied");
        let plan = house.db.rows(
            format!("EXPLAIN QUERY PLAN {find}"),
            ["a@b", "a@b"].map(Value::from),
        );
        let plan = format!("{:?}", plan.await.expect("a plan"));
        assert!(
            plan.contains("USING INDEX formwork_login_customers"),
            "{plan}"
        );
        assert!(!plan.contains("SCAN"), "{plan}");
    }
}

#[tokio::test]
async fn a_new_customer_has_a_value_in_every_required_column() {
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
    let (_, filled) = account
        .insert_and_list(&house.db, &customers, now())
        .await
        .expect("account");
    let filled: Vec<_> = filled
        .iter()
        .map(|it| {
            (
                it.column.as_str(),
                it.value.to_string(),
                it.parent.as_deref(),
            )
        })
        .collect();
    let group = ("group_id", "5".to_owned(), Some("groups"));
    assert!(filled.contains(&group), "{filled:?}");
    let last_name = ("last_name", String::new(), None);
    assert!(filled.contains(&last_name), "{filled:?}");
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
    let upgraded = |login: LoginRow| {
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
