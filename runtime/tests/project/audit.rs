//! Hooks see the record as it was, and what a change changes (docs/guide/custom-logic.md).

use formwork::{data::value::Value, prelude::*, testing::Service};

use super::{start, workshop};

/// The entries of the audit trail with this action.
fn audits(service: &Service, action: &str) -> Vec<Json> {
    let ctx = service.context();
    let sql = "SELECT entry FROM audits ORDER BY id";
    let rows = service.block_on(ctx.db().rows(sql, [])).expect("audits");
    let entries = rows.iter().map(|row| match &row[0] {
        Value::Text(entry) => serde_json::from_str::<Json>(entry).expect("JSON"),
        other => panic!("{other:?}"),
    });
    entries.filter(|entry| entry["action"] == action).collect()
}

fn bolt(service: &Service) {
    let body = json!({"name": "Bolt", "price": "1.50", "labels": [2, 4]});
    let stored = service.admin().post("/api/parts", body);
    assert_eq!(stored.status, 201, "{stored}");
}

#[test]
fn an_audit_trail_has_old_and_new_values_of_columns_and_relations() {
    let service = start(workshop::service());
    bolt(&service);
    let created = &audits(&service, "create")[0];
    assert_eq!(
        created["columns"],
        json!([
            {"column": "id", "old": null, "new": 1},
            {"column": "name", "old": null, "new": "Bolt"},
            {"column": "price", "old": null, "new": "1.50"},
            {"column": "deleted", "old": null, "new": false},
        ]),
        "hidden columns are left out"
    );
    let labels = |attached: Json, detached: Json| json!([{"relation": "labels", "attached": attached, "detached": detached}]);
    assert_eq!(created["relations"], labels(json!([2, 4]), json!([])));
    assert!(created["caller"] == true && created["request"].as_u64() > Some(8));

    let body = json!({"name": "As before", "price": "2.00", "labels": [4, 6]});
    let updated = service.admin().patch("/api/parts/1", body);
    assert_eq!(updated.json["data"]["name"], "Bolt again", "{updated}");
    let changed = &audits(&service, "update")[0];
    assert_eq!(
        changed["columns"],
        json!([
            {"column": "name", "old": "Bolt", "new": "Bolt again"},
            {"column": "price", "old": "1.50", "new": "2.00"},
        ])
    );
    assert_eq!(changed["relations"], labels(json!([6]), json!([2])));

    service
        .admin()
        .patch("/api/parts/1", json!({"labels": [6, 4]}));
    let unchanged = &audits(&service, "update")[1];
    assert!(unchanged["columns"] == json!([]) && unchanged["relations"] == json!([]));
    let counts: Vec<Json> = audits(&service, "saved");
    let counts: Vec<&Json> = counts.iter().map(|it| &it["changes"]).collect();
    assert_eq!(
        counts,
        [5, 3, 0],
        "hooks after the commit see the same, without `updated_at`"
    );

    service
        .admin()
        .patch("/api/parts/1", json!({"note": "oiled"}));
    let noted = json!([{"relation": "notes", "attached": ["oiled"], "detached": []}]);
    let own = &audits(&service, "update")[2]["relations"];
    assert_eq!(*own, noted, "links that `write_relations` writes itself");

    service.admin().delete("/api/parts/1");
    let deleted = &audits(&service, "delete")[0];
    let name = json!({"column": "name", "old": "Bolt again", "new": null});
    assert_eq!(deleted["columns"][1], name);
}

#[test]
fn outside_of_a_change_there_is_no_original() {
    let service = start(workshop::service());
    bolt(&service);
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
    let stored = client.post("/api/parts", json!({"name": "Sold", "price": "9.00"}));
    assert_eq!(stored.status, 201, "{stored}");
    let refused = client.patch("/api/parts/1", json!({"name": "Bolt"}));
    assert_eq!(refused.status, 422, "{refused}");
    assert_eq!(refused.json["errors"]["name"][0], "A sold part stays sold.");
    let same = client.patch("/api/parts/1", json!({"price": "8.00"}));
    assert_eq!(same.status, 202, "{same}");
}

#[test]
fn soft_deletion_and_overridden_actions_keep_if_match_and_hooks() {
    let service = start(workshop::service());
    bolt(&service);
    let client = service.guest();
    let shown = client.get("/api/parts/1");
    let tag = shown.header("etag").expect("a tag").to_owned();
    let stale = || service.guest().header("If-Match", "\"0-0\"");
    assert_eq!(stale().delete("/api/parts/1").status, 412);
    let body = json!({"name": "Nut"});
    assert_eq!(stale().patch("/api/parts/1", body.clone()).status, 412);
    assert!(audits(&service, "delete").is_empty() && audits(&service, "update").is_empty());

    let guarded = service.guest().header("If-Match", &tag);
    assert_eq!(guarded.patch("/api/parts/1", body).status, 202);
    assert_eq!(guarded.delete("/api/parts/1").status, 412, "it has changed");
    let tag = client
        .get("/api/parts/1")
        .header("etag")
        .expect("a tag")
        .to_owned();
    let deleted = service
        .guest()
        .header("If-Match", &tag)
        .delete("/api/parts/1");
    assert_eq!(deleted.status, 205, "{deleted}");
    assert_eq!(audits(&service, "delete").len(), 1);
    assert_eq!(client.get("/api/parts/1").status, 404);
    let rows = |sql: &'static str| {
        let ctx = service.context();
        service
            .block_on(ctx.db().rows(sql, []))
            .expect("rows")
            .len()
    };
    assert_eq!(
        rows("SELECT 1 FROM parts WHERE deleted"),
        1,
        "the row is there"
    );
    assert_eq!(rows("SELECT 1 FROM part_labels"), 2, "and its labels");

    client.post("/api/parts", json!({"name": "Scrap", "price": "1.00"}));
    assert_eq!(client.delete("/api/parts/2").status, 205);
    assert_eq!(
        rows("SELECT 1 FROM parts WHERE id = 2"),
        0,
        "the default deletes"
    );
    client.post("/api/parts", json!({"name": "Sold", "price": "1.00"}));
    assert_eq!(
        client.delete("/api/parts/3").status,
        409,
        "`before_delete` refuses"
    );
}

#[test]
fn a_link_to_no_administrator_is_refused() {
    let service = start(workshop::service());
    let client = service.admin();
    let body = json!({"name": "Bolt", "price": "1.00", "assignee_id": 77});
    let refused = client.post("/api/parts", body);
    assert_eq!(refused.status, 422, "{refused}");
    assert_eq!(
        refused.json["errors"]["assignee_id"][0],
        "The selected assignee id is invalid."
    );
    let body = json!({"name": "Bolt", "price": "1.00", "assignee_id": 1});
    let stored = client.post("/api/parts", body);
    assert_eq!(stored.status, 201, "{stored}");
    let refused = client.patch("/api/parts/1", json!({"assignee_id": 77}));
    assert_eq!(refused.status, 422, "{refused}");
    assert_eq!(
        client
            .patch("/api/parts/1", json!({"assignee_id": null}))
            .status,
        202
    );
}
