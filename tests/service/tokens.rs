//! Tokens over HTTP and by console (docs/contract.md, "Tokens").

use formwork_tests::client::Answer;
use formwork_tests::restaurant::{Restaurant, shared};
use serde_json::{Value, json};

fn login(restaurant: &Restaurant, body: &Value) -> Answer {
    restaurant.guest().post("/api/token", body)
}

/// A new token of the administrator with these abilities.
fn token(restaurant: &Restaurant, abilities: &[&str]) -> String {
    let body = json!({
        "is_admin": 1, "username": "admin", "password": "formwork", "device_name": "tests",
        "abilities": abilities,
    });
    let answer = login(restaurant, &body);
    assert_eq!(answer.status, 201, "{answer}");
    answer.json["token"].as_str().expect("a token").to_owned()
}

#[test]
fn a_login_answers_201_with_status_code_and_token() {
    let restaurant = shared();
    let customer =
        json!({ "email": "alice@example.com", "password": "formwork", "device_name": "phone" });
    let answer = login(restaurant, &customer);
    assert_eq!(answer.status, 201, "{answer}");
    assert_eq!(answer.json["status_code"], 201);
    let (id, secret) = answer.json["token"]
        .as_str()
        .and_then(|token| token.split_once('|'))
        .expect("id|secret");
    assert!(id.parse::<i64>().is_ok(), "{answer}");
    assert_eq!(secret.len(), 40, "{answer}");
    assert!(
        secret.bytes().all(|byte| byte.is_ascii_alphanumeric()),
        "{answer}"
    );
}

#[test]
fn each_form_of_the_request_names_its_account() {
    let restaurant = shared();
    let with = |fields: Value| {
        let mut body = json!({ "password": "formwork", "device_name": "tests" });
        body.as_object_mut()
            .expect("an object")
            .extend(fields.as_object().expect("an object").clone());
        let answer = login(restaurant, &body);
        if answer.status != 201 {
            return (answer.status, Value::Null);
        }
        let client = restaurant.with_token(answer.json["token"].as_str().expect("a token"));
        (
            201,
            client.get("/api/token/user").json["user"]["email"].clone(),
        )
    };
    let admin = || (201, json!("admin@example.com"));
    assert_eq!(with(json!({ "is_admin": 1, "username": "admin" })), admin());
    assert_eq!(
        with(json!({ "is_admin": true, "email": "admin@example.com" })),
        admin()
    );
    assert_eq!(
        with(json!({ "is_admin": 1, "username": "admin", "email": "admin@example.com" })),
        admin()
    );
    assert_eq!(
        with(json!({ "username": "admin" })),
        admin(),
        "the earlier form"
    );
    assert_eq!(
        with(json!({ "is_admin": 0, "email": "bob@example.com" })),
        (201, json!("bob@example.com"))
    );
    assert_eq!(
        with(json!({ "is_admin": 1 })).0,
        422,
        "one of username and email is needed"
    );
    assert_eq!(
        with(json!({ "is_admin": 1, "username": "admin", "email": "alice@example.com" })).0,
        422
    );
    assert_eq!(with(json!({})).0, 422, "a customer's email is needed");
}

#[test]
fn a_login_may_come_as_a_form() {
    let restaurant = shared();
    let form =
        "is_admin=1&username=admin&password=formwork&device_name=form&abilities[]=menus:read";
    let headers = [("Content-Type", "application/x-www-form-urlencoded")];
    let answer = restaurant
        .guest()
        .send_text("POST", "/api/token", &headers, form);
    assert_eq!(answer.status, 201, "{answer}");
    let client = restaurant.with_token(answer.json["token"].as_str().expect("a token"));
    assert_eq!(client.get("/api/menus").status, 200);
    assert_eq!(client.get("/api/customers").status, 403);
}

#[test]
fn wrong_and_unknown_credentials_get_the_same_answer() {
    let restaurant = Restaurant::start();
    let ask = |email: &str| {
        login(
            &restaurant,
            &json!({ "email": email, "password": "wrong", "device_name": "tests" }),
        )
    };
    let (known, unknown) = (ask("alice@example.com"), ask("nobody@example.com"));
    assert_eq!(known.status, 422, "{known}");
    assert_eq!(known.json, unknown.json);
    assert!(known.json["errors"]["email"].is_array(), "{known}");
}

#[test]
fn every_mistake_of_a_login_is_named_at_once() {
    let answer = login(shared(), &json!({ "abilities": ["menus read"] }));
    assert_eq!(answer.status, 422, "{answer}");
    for field in ["email", "password", "device_name"] {
        assert!(answer.json["errors"][field].is_array(), "{field}: {answer}");
    }
    assert!(answer.body.contains("abilities"), "{answer}");
}

#[test]
fn the_sixth_failed_login_of_a_minute_is_refused() {
    let restaurant = Restaurant::start();
    let wrong =
        json!({ "email": "alice@example.com", "password": "wrong", "device_name": "tests" });
    for _ in 0..5 {
        assert_eq!(login(&restaurant, &wrong).status, 422);
    }
    let answer = login(&restaurant, &wrong);
    assert_eq!(answer.status, 429, "{answer}");
    let wait: u32 = answer
        .header("retry-after")
        .and_then(|text| text.parse().ok())
        .expect("Retry-After");
    assert!((1..=60).contains(&wait), "{wait}");
    let other =
        json!({ "email": "bob@example.com", "password": "formwork", "device_name": "tests" });
    assert_eq!(
        login(&restaurant, &other).status,
        201,
        "another account is not locked"
    );
}

#[test]
fn a_token_allows_the_actions_of_its_abilities() {
    let restaurant = shared();
    let menu = json!({ "menu_description": "Changed" });
    let table = [
        ("*", 200, 200, 200),
        ("menus:*", 200, 200, 403),
        ("menus.*", 200, 200, 403),
        ("menus:read", 200, 403, 403),
        ("menus:write", 403, 200, 403),
        ("menus.update", 403, 200, 403),
        ("orders:*", 403, 403, 200),
    ];
    for (ability, index, update, orders) in table {
        let client = restaurant.with_token(&token(restaurant, &[ability]));
        assert_eq!(
            client.get("/api/menus").status,
            index,
            "index with {ability}"
        );
        assert_eq!(
            client.patch("/api/menus/1", &menu).status,
            update,
            "update with {ability}"
        );
        assert_eq!(
            client.get("/api/orders").status,
            orders,
            "orders with {ability}"
        );
    }
}

#[test]
fn an_include_needs_the_ability_of_the_included_resource() {
    let restaurant = shared();
    let client = restaurant.with_token(&token(restaurant, &["menus:*"]));
    let answer = client.get("/api/menus?include=categories");
    assert_eq!(answer.status, 403, "{answer}");
    assert!(answer.body.contains("categories"), "{answer}");
}

#[test]
fn a_revoked_token_is_unknown_on_every_route() {
    let restaurant = shared();
    let client = restaurant.with_token(&token(restaurant, &["*"]));
    assert_eq!(client.get("/api/token/user").status, 200);
    assert_eq!(client.delete("/api/token").status, 204);
    for path in ["/api/token/user", "/api/orders", "/api/menus"] {
        assert_eq!(client.get(path).status, 401, "{path}");
    }
}

#[test]
fn a_wrong_token_is_401_also_on_routes_open_to_everyone() {
    let restaurant = shared();
    for wrong in [
        "",
        "x",
        "1|",
        "1|aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "999999|a",
        "a|b|c",
    ] {
        let answer = restaurant.with_token(wrong).get("/api/menus");
        assert_eq!(answer.status, 401, "{wrong:?}: {answer}");
    }
    let headers = [("Authorization", "Basic YWRtaW46Zm9ybXdvcms=")];
    assert_eq!(
        restaurant
            .guest()
            .send("GET", "/api/orders", &headers, None)
            .status,
        401
    );
}

#[test]
fn the_token_of_an_inactive_account_is_refused() {
    let restaurant = Restaurant::start();
    assert_eq!(restaurant.bob().get("/api/orders").status, 200);
    let bob = restaurant.bob().get("/api/token/user").json["user"]["id"]
        .as_i64()
        .expect("an id");
    let answer = restaurant.admin().patch(
        &format!("/api/customers/{bob}"),
        &json!({ "status": false }),
    );
    assert_eq!(answer.status, 200, "{answer}");
    assert_eq!(restaurant.bob().get("/api/orders").status, 401);
    assert_eq!(restaurant.bob().get("/api/menus").status, 401);
}

#[test]
fn the_console_issues_lists_and_revokes() {
    let restaurant = Restaurant::start();
    let args = [
        "token",
        "--name",
        "till",
        "--email",
        "admin@example.com",
        "--admin",
        "--abilities",
        "orders:*",
    ];
    let (done, text, errors) = restaurant.console(&args);
    assert!(done, "{errors}");
    let token = text
        .lines()
        .find_map(|line| line.strip_prefix("Access Token: "))
        .expect("a token")
        .to_owned();
    let client = restaurant.with_token(&token);
    assert_eq!(client.get("/api/orders").status, 200);
    assert_eq!(client.get("/api/customers").status, 403);
    let (id, secret) = token.split_once('|').expect("id|secret");
    let (_, list, _) = restaurant.console(&["token", "list"]);
    assert!(list.contains("till") && !list.contains(secret), "{list}");
    let (done, _, errors) = restaurant.console(&["token", "revoke", id]);
    assert!(done, "{errors}");
    assert_eq!(client.get("/api/orders").status, 401);
    let (done, _, errors) =
        restaurant.console(&["token", "--name", "x", "--email", "nobody@example.com"]);
    assert!(!done && errors.contains("nobody@example.com"), "{errors}");
}

#[test]
fn secrets_stand_in_no_log() {
    let restaurant = Restaurant::start();
    let body = json!({ "email": "alice@example.com", "password": "formwork-secret", "device_name": "tests" });
    login(&restaurant, &body);
    let token = token(&restaurant, &["*"]);
    restaurant.with_token(&token).get("/api/orders");
    let secret = token.split_once('|').expect("id|secret").1;
    // What comes last is there: so is what came before.
    restaurant.logged(0, |line| line.contains("/api/orders"));
    let lines = restaurant.log();
    let refused = lines.iter().filter_map(|line| {
        let line: Value = serde_json::from_str(line).ok()?;
        (line["message"] == "a login was refused").then_some(line)
    });
    let refused: Vec<Value> = refused.collect();
    assert_eq!(refused.len(), 1, "{lines:?}");
    for (member, value) in [
        ("level", "WARN"),
        ("client", "127.0.0.1"),
        ("place", "token"),
        ("kind", "customer"),
        ("account", "alice@example.com"),
        ("reason", "wrong password"),
    ] {
        assert_eq!(refused[0][member], value, "{member}");
    }
    let log = lines.join("\n");
    assert!(
        !log.contains(secret) && !log.contains("formwork-secret"),
        "{log}"
    );
}

#[test]
fn a_changed_password_revokes_the_other_tokens_of_the_account() {
    let restaurant = shared();
    let mut body = crate::payloads::store("customers", 0);
    body["is_activated"] = json!(true);
    let stored = restaurant.admin().post("/api/customers", &body);
    assert_eq!(stored.status, 201, "{stored}");
    let path = format!("/api/customers/{}", stored.json["data"]["id"]);
    let login = json!({
        "email": body["email"], "password": "a long secret", "device_name": "tests",
    });
    let token = || {
        let issued = restaurant.guest().post("/api/token", &login);
        let token = issued.json["token"].as_str();
        token.unwrap_or_else(|| panic!("{issued}")).to_owned()
    };
    let [own, other] = [token(), token()].map(|token| restaurant.with_token(&token));
    let change = json!({
        "password": "another secret", "password_confirm": "another secret",
        "current_password": "a long secret",
    });
    let changed = own.patch(&path, &change);
    assert_eq!(changed.status, 200, "{changed}");
    assert_eq!(own.get("/api/token/user").status, 200);
    assert_eq!(other.get("/api/token/user").status, 401);
}
