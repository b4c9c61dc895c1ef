//! Enums and arrays of PostgreSQL, asked over HTTP.

use formwork_tests::client::Client;
use serde_json::{Value, json};

use crate::postgres_served::{ANCHOR, data, refused};

/// Values of the database's own enum types.
pub fn enums(admin: &Client) {
    let named = |query: &str| -> Vec<String> {
        let houses = data(&admin.get(&format!("/api/houses?{query}")), 200);
        let records = houses.as_array().expect("a list").iter();
        records
            .map(|one| one["name"].as_str().unwrap_or_default().to_owned())
            .collect()
    };
    assert_eq!(named("filter[feeling]=loud"), ["Bell"]);
    assert_eq!(
        named("filter[feeling][in]=calm,loud&sort=-feeling"),
        ["Bell", "Anchor"]
    );
    assert_eq!(named("filter[feeling][like]=%25al%25"), ["Anchor"]);
    assert_eq!(named("filter[feeling][gt]=calm"), ["Bell"]);
    let unlisted = admin.get("/api/houses?filter[feeling]=merry");
    assert_eq!(unlisted.status, 400, "{unlisted}");
    let unlisted = admin.get("/api/open_houses?filter[feeling]=merry");
    assert_eq!(unlisted.status, 400, "{unlisted}");
    let path = format!("/api/houses/{ANCHOR}");
    let changed = admin.patch(&path, &json!({ "feeling": "so so" }));
    assert_eq!(data(&changed, 200)["feeling"], "so so", "{changed}");
    assert_eq!(
        data(&admin.patch(&path, &json!({ "feeling": null })), 200)["feeling"],
        Value::Null
    );
    refused(
        admin,
        "/api/houses",
        &json!({ "name": "x", "feeling": "merry" }),
        "feeling",
    );
}

/// The database's arrays are lists.
pub fn arrays(admin: &Client) {
    let path = format!("/api/houses/{ANCHOR}");
    let house = data(&admin.get(&path), 200);
    assert_eq!(
        house["words"],
        json!(["old", null, "by the sea"]),
        "{house}"
    );
    assert_eq!(
        (&house["sizes"], &house["moods"]),
        (&json!([1, 2]), &json!(["calm", "loud"]))
    );
    let body = json!({ "words": ["a \"b\"", "{c}", "ä"], "sizes": [7], "moods": [] });
    let house = data(&admin.patch(&path, &body), 200);
    assert_eq!(house["words"], body["words"], "{house}");
    assert_eq!(house["sizes"], json!([7]), "{house}");
    assert_eq!(
        house["moods"],
        json!(["calm", "loud"]),
        "read only: {house}"
    );
    let house = data(
        &admin.patch(&path, &json!({ "words": null, "sizes": [] })),
        200,
    );
    assert_eq!(
        (&house["words"], &house["sizes"]),
        (&Value::Null, &json!([])),
        "{house}"
    );
    for body in [
        json!({ "words": "a" }),
        json!({ "sizes": [1.5] }),
        json!({ "sizes": ["x"] }),
    ] {
        let answer = admin.patch(&path, &body);
        assert_eq!(answer.status, 422, "{body}: {answer}");
    }
}
