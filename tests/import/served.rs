//! A database that exists, served: imported, poured, compiled, and asked over HTTP.

use formwork_tests::client::Client;
use formwork_tests::program::Program;
use serde_json::json;

use crate::{LEGACY, SHOP, django, import, legacy, names, on_sqlite, triggers};

#[test]
fn a_file_that_exists_is_a_service_in_two_commands() {
    let (database, project) = on_sqlite(SHOP);
    database.run(LEGACY);
    database.run(triggers::SQLITE);
    import(&project, &database, &[]).exits(0);
    database.run(&names::sql());
    let words = ["--ext", "words", "--tables", &names::tables()];
    import(&project, &database, &words).exits(0);
    database.run(django::DJANGO);
    let tables = django::tables();
    let tables = ["--prefix", "django_", "--tables", &tables];
    let args = [&["--ext", "django"], &tables[..]].concat();
    django::says(&import(&project, &database, &args).exits(0));
    project.run(&["generate"]).exits(0);
    project.run(&["generate", "--check"]).exits(0);
    assert!(
        !project.has("extensions/app/migrations"),
        "no table of the shop is migrated"
    );
    let program = Program::build(&project, "bistro").with("DATABASE_URL", &database.url());
    let served = program.start();
    assert_eq!(served.guest().get("/api/dishes").status, 401);
    ask(&served.admin());
    undeclared(&served.admin());
    rows_between_two_tables(&served.admin());
    legacy::ask(&served.admin(), &database);
    legacy::ask_for_upper_case_keys(&served.admin(), &[1]);
    triggers::ask(&served.admin());
    names::ask(&served.admin());
    django::ask(&served.admin());
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

/// Two dishes have one supplier: the rows between them are two objects, each with its own columns.
fn rows_between_two_tables(admin: &Client) {
    let path = "/api/dishes?sort=id&pageLimit=2&include=dish_suppliers";
    let accept = [("Accept", "application/vnd.api+json")];
    let document = admin.send("GET", path, &accept, None);
    assert_eq!(document.status, 200, "{document}");
    let linked = |at: usize| {
        let data = &document.json["data"][at]["relationships"]["dish_suppliers"]["data"];
        let linked = data.as_array().expect("a list").iter();
        linked.map(|one| one["id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(linked(0), ["7:1", "8:1"], "{document}");
    assert_eq!(linked(1), ["7:2"], "{document}");
    let included = document.json["included"].as_array().expect("objects");
    let rows = included.iter();
    let rows = rows.map(|one| json!([one["id"], one["attributes"]["grams"]]));
    assert_eq!(
        json!(rows.collect::<Vec<_>>()),
        json!([["7:1", 120], ["8:1", 30], ["7:2", 80]]),
        "{document}"
    );
}

/// A table that declares no types: its columns are what its rows hold.
fn undeclared(admin: &Client) {
    let list = admin.get("/api/looses?sort=-amount");
    assert_eq!(list.ids(), [2, 1], "{list}");
    let first = &list.records()[1];
    assert_eq!(
        (&first["name"], &first["amount"], first.get("mixed")),
        (&json!("a"), &json!(3.0), None),
        "{list}"
    );
    for (query, ids) in [
        ("filter[name]=a", [1]),
        ("filter[amount]=3", [1]),
        ("filter[amount][gt]=3", [2]),
        ("search=b", [2]),
    ] {
        let found = admin.get(&format!("/api/looses?{query}"));
        assert_eq!(found.ids(), ids, "{query}: {found}");
    }
    let stored = admin.post("/api/looses", &json!({ "name": "7", "amount": 5 }));
    assert_eq!(stored.status, 201, "{stored}");
    assert_eq!(
        stored.json["data"]["name"], "7",
        "it stays a text: {stored}"
    );
    let changed = admin.patch("/api/looses/3", &json!({ "name": "c", "amount": 0.25 }));
    assert_eq!(changed.status, 200, "{changed}");
    let shown = admin.get("/api/looses/3");
    let shown = &shown.json["data"];
    assert_eq!(
        (&shown["name"], &shown["amount"]),
        (&json!("c"), &json!(0.25)),
        "{shown}"
    );
    let found = admin.get("/api/looses?filter[amount][lt]=3");
    assert_eq!(found.ids(), [3], "{found}");
    let refused = admin.post("/api/looses", &json!({ "amount": "many" }));
    assert_eq!(refused.status, 422, "{refused}");
}
