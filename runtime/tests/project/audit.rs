//! Hooks see the record as it was, and what a change changes (docs/guide/custom-logic.md).

use formwork::{prelude::*, testing::Service};

use super::{create, start, workshop};

/// Returns the entries of the audit trail with this action.
fn audits(service: &Service, action: &str) -> Vec<Json> {
    let rows = rows(service, "SELECT entry FROM audits ORDER BY id");
    let entries = rows.iter().map(|row| match &row[0] {
        Value::Text(entry) => serde_json::from_str::<Json>(entry).expect("JSON"),
        other => panic!("{other:?}"),
    });
    entries.filter(|entry| entry["action"] == action).collect()
}

fn rows(service: &Service, sql: &'static str) -> Vec<Vec<Value>> {
    let rows = service.app().db().rows(sql, []);
    service.block_on(rows).expect("rows")
}

/// A workshop with one part.
fn with_bolt() -> Service {
    let service = start(workshop::service());
    let body = json!({"name": "Bolt", "price": "1.50", "labels": [2, 4]});
    create(&service.admin(), "/api/parts", body);
    service
}

#[test]
fn an_audit_trail_has_old_and_new_values_of_columns_and_relations() {
    let service = with_bolt();
    let created = &audits(&service, "create")[0];
    // Hidden columns are left out.
    let columns = json!([
        {"column": "id", "old": null, "new": 1},
        {"column": "name", "old": null, "new": "Bolt"},
        {"column": "price", "old": null, "new": "1.50"},
        {"column": "deleted", "old": null, "new": false},
    ]);
    assert_eq!(created["columns"], columns);
    let labels = |attached: &[i64], detached: &[i64]| json!([{"relation": "labels", "attached": attached, "detached": detached}]);
    assert_eq!(created["relations"], labels(&[2, 4], &[]));
    assert!(created["caller"] == true && created["request"].as_u64() > Some(8));

    let patch = |body: Json| service.admin().patch("/api/parts/1", body);
    let body = json!({"name": "As before", "price": "2.00", "labels": [4, 6]});
    let updated = patch(body);
    assert_eq!(updated.json["data"]["name"], "Bolt again", "{updated}");
    let changed = &audits(&service, "update")[0];
    let columns = json!([
        {"column": "name", "old": "Bolt", "new": "Bolt again"},
        {"column": "price", "old": "1.50", "new": "2.00"},
    ]);
    assert_eq!(changed["columns"], columns);
    assert_eq!(changed["relations"], labels(&[6], &[2]));

    patch(json!({"labels": [6, 4]}));
    let unchanged = &audits(&service, "update")[1];
    assert!(unchanged["columns"] == json!([]) && unchanged["relations"] == json!([]));
    // Hooks after the commit see the same, without `updated_at`.
    let counts: Vec<Json> = audits(&service, "saved");
    let counts: Vec<&Json> = counts.iter().map(|it| &it["changes"]).collect();
    assert_eq!(counts, [5, 3, 0]);

    // `write_relations` writes these links itself.
    patch(json!({"note": "oiled"}));
    let noted = json!([{"relation": "notes", "attached": ["oiled"], "detached": []}]);
    assert_eq!(audits(&service, "update")[2]["relations"], noted);

    service.admin().delete("/api/parts/1");
    let deleted = &audits(&service, "delete")[0];
    let name = json!({"column": "name", "old": "Bolt again", "new": null});
    assert_eq!(deleted["columns"][1], name);
}

#[test]
fn outside_of_a_change_there_is_no_original() {
    let service = with_bolt();
    let ctx = service.context();
    let original = ctx.original::<workshop::Part>();
    assert!(original.is_none(), "outside of a change there is none");
    assert!(ctx.changed_relations().is_empty());
    let part = workshop::Part::default();
    assert!(ctx.changed_columns(&part).expect("columns").is_empty());
}

#[test]
fn a_hook_compares_with_the_original() {
    let service = start(workshop::service());
    let client = service.guest();
    create(
        &client,
        "/api/parts",
        json!({"name": "Sold", "price": "9.00"}),
    );
    let refused = client.patch("/api/parts/1", json!({"name": "Bolt"}));
    assert_eq!(refused.status, 422, "{refused}");
    assert_eq!(refused.json["errors"]["name"][0], "A sold part stays sold.");
    let same = client.patch("/api/parts/1", json!({"price": "8.00"}));
    assert_eq!(same.status, 202, "{same}");
}

#[test]
fn soft_deletion_and_overridden_actions_keep_if_match_and_hooks() {
    let service = with_bolt();
    let client = service.guest();
    let with_tag = |tag: &str| service.guest().header("If-Match", tag);
    let current = || {
        let shown = service.guest().get("/api/parts/1");
        with_tag(shown.header("etag").expect("a tag"))
    };
    let (body, stale) = (json!({"name": "Nut"}), with_tag("\"0-0\""));
    assert_eq!(stale.delete("/api/parts/1").status, 412);
    assert_eq!(stale.patch("/api/parts/1", body.clone()).status, 412);
    assert!(audits(&service, "delete").is_empty() && audits(&service, "update").is_empty());

    let guarded = current();
    assert_eq!(guarded.patch("/api/parts/1", body).status, 202);
    assert_eq!(guarded.delete("/api/parts/1").status, 412, "it has changed");
    let deleted = current().delete("/api/parts/1");
    assert_eq!(deleted.status, 205, "{deleted}");
    assert_eq!(audits(&service, "delete").len(), 1);
    assert_eq!(client.get("/api/parts/1").status, 404);
    let count = |sql| rows(&service, sql).len();
    // The row and its labels stay.
    assert_eq!(count("SELECT 1 FROM parts WHERE deleted"), 1);
    assert_eq!(count("SELECT 1 FROM part_labels"), 2);

    client.post("/api/parts", json!({"name": "Scrap", "price": "1.00"}));
    assert_eq!(client.delete("/api/parts/2").status, 205);
    // The default deletes.
    assert_eq!(count("SELECT 1 FROM parts WHERE id = 2"), 0);
    client.post("/api/parts", json!({"name": "Sold", "price": "1.00"}));
    let refused = client.delete("/api/parts/3");
    assert_eq!(refused.status, 409, "`before_delete` refuses: {refused}");
}

#[test]
fn a_link_to_no_administrator_is_refused() {
    let service = start(workshop::service());
    let client = service.admin();
    let bolt = |assignee: i64| json!({"name": "Bolt", "price": "1.00", "assignee_id": assignee});
    let refused = client.post("/api/parts", bolt(77));
    assert_eq!(refused.status, 422, "{refused}");
    let message = &refused.json["errors"]["assignee_id"][0];
    assert_eq!(message, "The selected assignee id is invalid.");
    create(&client, "/api/parts", bolt(1));
    for (assignee, status) in [(json!(77), 422), (json!(null), 202)] {
        let updated = client.patch("/api/parts/1", json!({"assignee_id": assignee}));
        assert_eq!(updated.status, status, "{updated}");
    }
}
