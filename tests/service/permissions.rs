//! Administrators who are no super users: a permission for each resource of the restaurant, and their own
//! locations.

use formwork_tests::{client::Client, restaurant::shared};
use serde_json::json;

const RESOURCES: [&str; 8] = [
    "categories",
    "coupons",
    "customers",
    "locations",
    "menus",
    "orders",
    "reservations",
    "reviews",
];

/// Lists that everyone reads.
const OPEN: [&str; 3] = ["categories", "locations", "menus"];

/// A new administrator with these permissions.
fn administrator(name: &str, permissions: &str) -> Client {
    let email = format!("{name}@example.com");
    let mut create = vec![
        "user",
        "create",
        "--admin",
        "--username",
        name,
        "--email",
        &email,
    ];
    if !permissions.is_empty() {
        create.extend(["--permissions", permissions]);
    }
    let (done, _, errors) = shared().console(&create);
    assert!(done, "{errors}");
    let token = [
        "token",
        "--name",
        "permissions",
        "--email",
        &email,
        "--admin",
    ];
    let (done, text, errors) = shared().console(&token);
    assert!(done, "{errors}");
    let token = text
        .lines()
        .find_map(|line| line.strip_prefix("Access Token: "));
    shared().with_token(token.expect("a token"))
}

#[test]
fn each_resource_needs_a_permission_to_read_and_one_to_write() {
    let all = |group: &str| RESOURCES.map(|key| format!("{key}.{group}")).join(",");
    let none = administrator("graded-none", "");
    let reader = administrator("graded-reader", &all("read"));
    let writer = administrator("graded-writer", &all("write"));
    let empty = json!({});
    for key in RESOURCES {
        let list = format!("/api/{key}");
        let record = format!("{list}/1");
        let closed = if OPEN.contains(&key) { 200 } else { 403 };
        for (client, reads, stores, changes) in [
            (&none, closed, 403, 403),
            (&reader, 200, 403, 403),
            (&writer, closed, 422, 404),
        ] {
            let answer = client.get(&list);
            assert_eq!(answer.status, reads, "{list}: {answer}");
            let answer = client.post(&list, &empty);
            assert_eq!(answer.status, stores, "{list}: {answer}");
            let missing = format!("{list}/999999");
            let answer = client.send("PATCH", &missing, &[], Some(&empty));
            assert_eq!(answer.status, changes, "{missing}: {answer}");
            let answer = client.send("DELETE", &missing, &[], None);
            assert_eq!(answer.status, changes, "{missing}: {answer}");
        }
        assert_eq!(
            shared().admin().get(&record).status,
            reader.get(&record).status,
            "{record}"
        );
    }
    let refused = reader.get("/api/coupons/codes/none");
    assert_eq!(refused.status, 404, "{refused}");
    assert_eq!(none.get("/api/coupons/codes/none").status, 403);
}

#[test]
fn an_administrator_without_permissions_changes_no_account() {
    let none = administrator("graded-thief", "orders.*");
    let body = json!({
        "email": "mine@example.com", "password": "stolen-word", "password_confirm": "stolen-word",
    });
    let refused = none.send("PATCH", "/api/customers/1", &[], Some(&body));
    assert_eq!(refused.status, 403, "{refused}");
    let login = json!({
        "email": "alice@example.com", "password": "formwork", "device_name": "x",
    });
    assert_eq!(shared().guest().post("/api/token", &login).status, 201);
    let included = none.get("/api/orders?include=customer");
    assert_eq!(included.status, 403, "{included}");
    assert_eq!(none.get("/api/orders").status, 200);
}

#[test]
fn an_administrator_of_a_location_changes_that_location_alone() {
    let keeper = administrator("graded-keeper", "locations.*");
    let email = "graded-keeper@example.com";
    let assign = ["user", "locations", "--email", email, "--ids", "1"];
    let (done, _, errors) = shared().console(&assign);
    assert!(done, "{errors}");
    let patch = |id: i64| {
        let path = format!("/api/locations/{id}");
        let telephone = json!({ "location_telephone": "020 7946 0099" });
        keeper.send("PATCH", &path, &[], Some(&telephone)).status
    };
    assert_eq!((patch(1), patch(2)), (200, 403));
    assert_eq!(keeper.get("/api/locations/2").status, 200);
    assert_eq!(
        keeper.send("DELETE", "/api/locations/2", &[], None).status,
        403
    );
    assert_eq!(keeper.post("/api/locations", &json!({})).status, 403);
}
