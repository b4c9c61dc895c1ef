//! Constraints of PostgreSQL that are checked at the end of a transaction, numbers that are rounded, lengths of texts.

use formwork_tests::client::Client;
use serde_json::{Value, json};

use crate::postgres_served::{data, refused};

const BRANCHES: &str = "/api/branches";

/// Constraints that are `DEFERRABLE INITIALLY DEFERRED`: those that rules express, and those that only the COMMIT refuses.
pub fn deferred(admin: &Client) {
    let branch = |code: &str, label: &str| json!({ "code": code, "label": label, "parent_id": 1 });
    let stored = data(&admin.post(BRANCHES, &branch("north", "North")), 201);
    let path = format!("{BRANCHES}/{}", stored["id"]);
    refused(admin, BRANCHES, &branch("main", "East"), "code");
    let orphan = json!({ "code": "east", "label": "East", "parent_id": 99 });
    refused(admin, BRANCHES, &orphan, "parent_id");
    // Of several columns the first is named.
    refused(admin, BRANCHES, &branch("east", "North"), "region");
    let taken = admin.patch(&path, &json!({ "label": "Main" }));
    assert_eq!(taken.status, 422, "{taken}");
    assert!(taken.json["errors"]["region"].is_array(), "{taken}");
    let desk = |spot: i64| json!({ "spot": spot, "region": 1 });
    let lost = admin.post("/api/desks", &desk(99));
    assert_eq!(lost.status, 422, "{lost}");
    assert!(lost.json["errors"].is_object(), "{lost}");
    data(&admin.post("/api/desks", &desk(1)), 201);
    assert_eq!(admin.delete(&format!("{BRANCHES}/1")).status, 409);
    let kept = admin.get(&format!("{BRANCHES}?sort=id&include=parent"));
    assert_eq!(kept.ids(), [1, 2], "{kept}");
    assert_eq!(kept.records()[1]["parent"]["code"], "main", "{kept}");
    assert_eq!(admin.get("/api/desks").records().len(), 1);
    assert_eq!(admin.delete(&path).status, 204);
}

/// A scale below 0 rounds in front of the point, one above the precision keeps zeros behind it.
pub fn numbers(admin: &Client) {
    let main = data(&admin.get(&format!("{BRANCHES}/1")), 200);
    let numbers = (&main["budget"], &main["rate"]);
    assert_eq!(numbers, (&json!("990"), &json!("0.00123")), "{main}");
    let change = |body: &Value| admin.patch(&format!("{BRANCHES}/1"), body);
    let sent = json!({ "budget": "985", "rate": "0.00999" });
    let main = data(&change(&sent), 200);
    let numbers = (&main["budget"], &main["rate"]);
    assert_eq!(numbers, (&json!("990"), &json!("0.00999")), "{main}");
    for (column, value) in [("budget", "995"), ("budget", "1000"), ("rate", "0.01")] {
        let answer = change(&json!({ column: value }));
        assert_eq!(answer.status, 422, "{answer}");
        assert!(answer.json["errors"].is_object(), "{answer}");
    }
    let found = admin.get(&format!(
        "{BRANCHES}?filter[budget]=990&filter[rate]=0.00999"
    ));
    assert_eq!(found.ids(), [1], "{found}");
}

/// The check of a text's length, which counts characters.
pub fn lengths(admin: &Client) {
    let change = |motto: &str| admin.patch(&format!("{BRANCHES}/1"), &json!({ "motto": motto }));
    assert_eq!(data(&change("größer ä"), 200)["motto"], "größer ä");
    for motto in ["größer ä!", "x"] {
        let answer = change(motto);
        assert_eq!(answer.status, 422, "{answer}");
        assert!(answer.json["errors"]["motto"].is_array(), "{answer}");
    }
}
