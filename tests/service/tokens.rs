//! Tokens by console, and of an account whose password changes (docs/contract.md, "Tokens").

use formwork_tests::restaurant::shared;
use serde_json::json;

#[test]
fn the_console_issues_lists_and_revokes() {
    let restaurant = shared();
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
