//! A database that exists, served: imported, poured, compiled, and asked over HTTP.

use formwork_tests::client::Client;
use serde_json::json;

use crate::database;
use crate::legacy::{self, LEGACY};
use crate::service::Served;
use crate::sqlite::shop;

#[test]
fn a_file_that_exists_is_a_service_in_two_commands() {
    let (project, url, folder) = shop();
    database::sqlite(&folder.path().join("shop.db"), LEGACY);
    project.run(&["import", "--database-url", &url]).exits(0);
    project.run(&["generate"]).exits(0);
    project.run(&["generate", "--check"]).exits(0);
    assert!(
        !project.has("extensions/app/migrations"),
        "no table of the shop is migrated"
    );
    let served = Served::start(&project, "bistro", &url);
    assert_eq!(served.guest().get("/api/dishes").status, 401);
    ask(&served.admin());
    legacy::ask(&served.admin(), &url);
}

fn ask(admin: &Client) {
    let dishes = admin.get("/api/dishes?filter[category_id]=1&include=category,tags,comments");
    assert_eq!(dishes.status, 200, "{dishes}");
    assert_eq!(dishes.ids(), [1], "{dishes}");
    let ramen = &dishes.records()[0];
    assert_eq!(
        (&ramen["title"], &ramen["price"]),
        (&json!("Ramen"), &json!("9.50")),
        "{dishes}"
    );
    assert_eq!(ramen["category"]["name"], "Soups", "{dishes}");
    assert_eq!(ramen["tags"][0]["label"], "hot", "{dishes}");
    assert_eq!(ramen["comments"][0]["body"], "fine", "{dishes}");
    assert_eq!(
        admin.get("/api/open_dishes/2").json["data"]["title"],
        "Steak"
    );
    let body = json!({ "title": "Pho", "price": "8.25", "category_id": 1, "tags": [1, 2] });
    let stored = admin.post("/api/dishes", &body);
    assert_eq!(stored.status, 201, "{stored}");
    assert_eq!(
        stored.json["data"]["state"], "open",
        "the database's default: {stored}"
    );
    let refused = |body: serde_json::Value, path: &str, column: &str| {
        let answer = admin.post(path, &body);
        assert_eq!(answer.status, 422, "{answer}");
        assert!(
            answer.json["errors"][column].is_array(),
            "{column}: {answer}"
        );
    };
    refused(
        json!({ "price": "1" , "category_id": 1 }),
        "/api/dishes",
        "title",
    );
    refused(
        json!({ "title": "x", "price": "1", "category_id": 99 }),
        "/api/dishes",
        "category_id",
    );
    refused(
        json!({ "title": "x", "price": "-1", "category_id": 1 }),
        "/api/dishes",
        "price",
    );
    refused(
        json!({ "title": "x", "price": "1", "category_id": 1, "state": "gone" }),
        "/api/dishes",
        "state",
    );
    refused(json!({ "name": "Soups" }), "/api/categories", "name");
    assert_eq!(admin.post("/api/open_dishes", &json!({})).status, 405);
    let customer = admin.post(
        "/api/customers",
        &json!({ "email": "a@example.com", "password": "x" }),
    );
    assert_eq!(customer.status, 201, "{customer}");
    assert!(
        customer.json["data"].get("password").is_none(),
        "{customer}"
    );
}
