//! Store, update, destroy, and the forms for them.

use formwork::{prelude::*, testing::Service};

use super::{
    kitchen,
    kitchen::{Dish, Tag},
};

fn tag(service: &Service, name: &str) -> i64 {
    let mut tag = Tag {
        tag_id: 0,
        name: name.to_owned(),
    };
    service
        .block_on(async { tag.insert(&service.context()).await })
        .expect("a tag");
    tag.tag_id
}

#[test]
fn a_record_is_stored_shown_changed_and_deleted() {
    let service = kitchen();
    let admin = service.admin();
    let body = json!({"title": "  Soup ", "price": 4.5, "portions": "2", "served_from": "09:30"});
    let stored = admin.post("/api/dishes", body);
    assert_eq!(stored.status, 201, "{stored}");
    assert_eq!(stored.header("location"), Some("/api/dishes/1"));
    let dish = &stored.json["data"];
    assert_eq!(
        dish["links"],
        json!([{"rel": "self", "uri": "/api/dishes/1"}])
    );
    assert_eq!(
        (&dish["id"], &dish["name"], &dish["price"]),
        (&json!(1), &json!("Soup"), &json!("4.5000"))
    );
    assert_eq!(
        (&dish["portions"], &dish["served_from"]),
        (&json!(2), &json!("09:30:00"))
    );
    assert_eq!((&dish["active"], dish.get("secret")), (&json!(true), None));

    let shown = service.guest().get("/api/dishes/1");
    assert_eq!(
        (shown.status, &shown.json),
        (200, &stored.json),
        "what is stored is what is shown"
    );

    let changed = admin.patch("/api/dishes/1", json!({"price": "5.25"}));
    assert_eq!(changed.status, 200, "{changed}");
    assert_eq!(changed.json["data"]["price"], "5.2500");
    assert_eq!(changed.json["data"]["title"], "Soup");

    assert_eq!(admin.delete("/api/dishes/1").status, 204);
    assert_eq!(admin.delete("/api/dishes/1").status, 404);
    assert_eq!(service.guest().get("/api/dishes/1").status, 404);
}

#[test]
fn all_broken_rules_are_reported_at_once() {
    let service = kitchen();
    let body = json!({"title": "x", "price": -1, "portions": "many", "tags": [1, "a"]});
    let answer = service.admin().post("/api/dishes", body);
    assert_eq!(answer.status, 422, "{answer}");
    assert_eq!(
        answer.json["errors"],
        json!({
            "portions": ["The portions field must be an integer."],
            "price": ["The price field must be at least 0."],
            "tags.1": ["The tags.1 field must be an integer."],
            "title": ["The title field must be between 2 and 64 characters."],
        })
    );
    assert_eq!(answer.json["status_code"], 422);
    let own = service
        .admin()
        .post("/api/dishes", json!({"title": "Nothing"}));
    assert_eq!(
        own.json["errors"],
        json!({"title": ["Nothing is no dish."]})
    );
}

#[test]
fn put_requires_the_required_attributes_and_patch_does_not() {
    let service = kitchen();
    let admin = service.admin();
    admin.post("/api/dishes", json!({"title": "Soup"}));
    assert_eq!(
        admin.put("/api/dishes/1", json!({"portions": 3})).status,
        422
    );
    assert_eq!(
        admin.patch("/api/dishes/1", json!({"portions": 3})).status,
        200
    );
    let nulls = admin.patch(
        "/api/dishes/1",
        json!({"portions": null, "slug": "", "price": null}),
    );
    assert_eq!(
        nulls.json["data"]["portions"], 1,
        "null takes the default: {nulls}"
    );
    assert_eq!(nulls.json["data"]["price"], "4.9900");
    assert_eq!(nulls.json["data"]["slug"], Json::Null);
    assert_eq!(
        admin.patch("/api/dishes/1", json!({"title": null})).status,
        422
    );
}

#[test]
fn a_duplicate_of_a_unique_value_is_refused() {
    let service = kitchen();
    let admin = service.admin();
    admin.post("/api/dishes", json!({"title": "Soup", "slug": "soup"}));
    let twin = admin.post("/api/dishes", json!({"title": "Soup", "slug": "soup"}));
    assert_eq!(twin.status, 422, "{twin}");
    assert_eq!(
        twin.json["errors"]["slug"],
        json!(["The slug has already been taken."])
    );
    let same = admin.put("/api/dishes/1", json!({"title": "Soup", "slug": "soup"}));
    assert_eq!(same.status, 200, "the record itself does not count: {same}");
}

#[test]
fn relations_take_the_ids_of_the_body() {
    let service = kitchen();
    let admin = service.admin();
    let (hot, cold) = (tag(&service, "hot"), tag(&service, "cold"));
    let stored = admin.post(
        "/api/dishes?include=tags",
        json!({"title": "Soup", "tags": [hot, cold]}),
    );
    assert_eq!(
        stored.json["data"]["tags"].as_array().map(Vec::len),
        Some(2),
        "{stored}"
    );
    let changed = admin.patch("/api/dishes/1?include=tags", json!({"tags": [cold]}));
    assert_eq!(
        changed.json["data"]["tags"],
        json!([{"id": cold, "name": "cold"}])
    );
    let untouched = admin.patch("/api/dishes/1?include=tags", json!({"portions": 2}));
    assert_eq!(
        untouched.json["data"]["tags"].as_array().map(Vec::len),
        Some(1)
    );
    let unknown = admin.patch("/api/dishes/1", json!({"tags": [99], "title": "Changed"}));
    assert_eq!(unknown.status, 422, "{unknown}");
    assert!(unknown.json["errors"]["tags"].is_array());
    let shown = admin.get("/api/dishes/1");
    assert_eq!(
        shown.json["data"]["title"], "Soup",
        "one transaction: nothing was changed"
    );
    assert_eq!(
        admin.delete("/api/dishes/1").status,
        204,
        "its pivots go with it"
    );
}

#[test]
fn changes_refused_by_a_hook_are_not_written() {
    let service = kitchen();
    let admin = service.admin();
    let refused = admin.post("/api/dishes", json!({"title": "Poison"}));
    assert_eq!(
        (refused.status, &refused.json["message"]),
        (409, &json!("Nobody cooks that."))
    );
    assert_eq!(
        admin.post("/api/dishes", json!({"title": "Broken"})).status,
        500
    );
    let ctx = service.context();
    let (dishes, tags) = service.block_on(async {
        (
            Dish::unscoped().count(&ctx).await,
            Tag::unscoped().count(&ctx).await,
        )
    });
    assert_eq!(
        (dishes.ok(), tags.ok()),
        (Some(0), Some(0)),
        "the transaction was rolled back"
    );
}

#[test]
fn a_referenced_record_cannot_be_deleted() {
    let service = kitchen();
    let admin = service.admin();
    admin.post("/api/dishes", json!({"title": "Soup"}));
    let note = admin.post("/api/notes", json!({"dish_id": 1, "text": "good"}));
    assert_eq!(note.status, 201, "{note}");
    assert_eq!(admin.delete("/api/dishes/1").status, 409);
    let unknown = admin.post("/api/notes", json!({"dish_id": 7, "text": "good"}));
    assert_eq!(
        unknown.json["errors"]["dish_id"],
        json!(["The selected dish id is invalid."])
    );
}

#[test]
fn forms_list_the_writable_attributes() {
    let service = kitchen();
    let admin = service.admin();
    let blank = admin.get("/api/dishes/create");
    assert_eq!(blank.status, 200, "{blank}");
    assert_eq!(blank.json["data"]["price"], "4.9900");
    assert_eq!(blank.json["data"]["id"], Json::Null);
    let text = blank.to_string();
    let places = ["\"id\":null", "\"title\"", "\"price\""].map(|name| text.find(name));
    assert!(places[0].is_some() && places.is_sorted(), "{text}");
    let title =
        json!({"name": "title", "type": "string", "rules": ["required", "string", "between:2,64"]});
    assert_eq!(blank.json["meta"]["form"][0], title);
    admin.post("/api/dishes", json!({"title": "Soup"}));
    let edit = admin.get("/api/dishes/1/edit");
    assert_eq!(
        (edit.status, &edit.json["data"]["title"]),
        (200, &json!("Soup"))
    );
    assert_eq!(edit.json["meta"]["form"][0], title);
    assert_eq!(service.guest().get("/api/dishes/create").status, 401);
}
