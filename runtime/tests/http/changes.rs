//! Store, update, destroy, and the forms for them.

use formwork::prelude::*;

use super::{
    kitchen,
    support::{check, count, execute},
};

#[test]
fn a_record_is_stored_shown_changed_and_deleted() {
    let service = kitchen();
    let body = r#"admin POST /api/dishes {"title": "  Soup ", "price": 4.5, "portions": "2", "served_from": "09:30"}
        => 201 location: "/api/dishes/1""#;
    let stored = check(&service, &body.replace('\n', " ")).json;
    let mut dish = stored["data"].clone();
    for stamp in ["created_at", "updated_at"] {
        assert!(dish[stamp].take().is_string(), "{stored}");
    }
    let expected = json!({
        "id": 1, "name": "Soup", "title": "Soup", "slug": null, "price": "4.5000", "portions": 2,
        "active": true, "served_from": "09:30:00", "created_at": null, "updated_at": null,
        "links": [{"rel": "self", "uri": "/api/dishes/1"}],
    });
    assert_eq!(dish, expected);
    assert_eq!(
        check(&service, "guest GET /api/dishes/1 => 200").json,
        stored
    );
    let lines = r#"
        admin PATCH  /api/dishes/1 {"price": "5.25"} => 200 /data/price "5.2500" /data/title "Soup"
        admin DELETE /api/dishes/1 => 204
        admin DELETE /api/dishes/1 => 404
        guest GET    /api/dishes/1 => 404 /message "Record with identifier [1] not found.""#;
    check(&service, lines);
}

#[test]
fn all_broken_rules_are_reported_at_once() {
    let body = json!({"title": "x", "price": -1, "portions": "many", "tags": [1, "a"]});
    let errors = json!({
        "portions": ["The portions field must be an integer."],
        "price": ["The price field must be at least 0."],
        "tags.1": ["The tags.1 field must be an integer."],
        "title": ["The title field must be between 2 and 64 characters."],
    });
    let lines = r#"
        admin POST /api/dishes BODY => 422 /errors ERRORS /status_code 422
        admin POST /api/dishes {"title": "Nothing"} => 422 /errors {"title": ["Nothing is no dish."]}"#;
    let lines = lines.replace("BODY", &body.to_string());
    check(&kitchen(), &lines.replace("ERRORS", &errors.to_string()));
}

#[test]
fn put_requires_the_required_attributes_and_patch_does_not() {
    let lines = r#"
        admin POST  /api/dishes   {"title": "Soup"} => 201
        admin PUT   /api/dishes/1 {"portions": 3}   => 422
        admin PATCH /api/dishes/1 {"portions": 3}   => 200
        admin PATCH /api/dishes/1 {"slug": ""}      => 200 /data/slug null
        admin PATCH /api/dishes/1 {"title": null}   => 422"#;
    check(&kitchen(), lines);
}

#[test]
fn a_duplicate_of_a_unique_value_is_rejected() {
    // The record itself does not count.
    let lines = r#"
        admin POST /api/dishes   {"title": "Soup", "slug": "soup"} => 201
        admin POST /api/dishes   {"title": "Soup", "slug": "soup"} => 422 /errors/slug ["The slug has already been taken."]
        admin PUT  /api/dishes/1 {"title": "Soup", "slug": "soup"} => 200"#;
    check(&kitchen(), lines);
}

#[test]
fn relations_take_the_ids_of_the_body() {
    let service = kitchen();
    execute(
        &service,
        "INSERT INTO tags (name) VALUES ('hot'), ('cold')",
        [],
    );
    // One transaction: the rejected change is not written. Pivots are deleted with their record.
    let lines = r#"
        admin POST   /api/dishes?include=tags   {"title": "Soup", "tags": [1, 2]} => 201 /data/tags/1/id 2
        admin PATCH  /api/dishes/1?include=tags {"tags": [2]}   => 200 /data/tags [{"id": 2, "name": "cold"}]
        admin PATCH  /api/dishes/1?include=tags {"portions": 2} => 200 /data/tags/0/id 2
        admin PATCH  /api/dishes/1 {"tags": [99], "title": "Changed"} => 422 ~ "\"tags\":["
        admin GET    /api/dishes/1 => 200 /data/title "Soup"
        admin DELETE /api/dishes/1 => 204"#;
    check(&service, lines);
}

#[test]
fn changes_rejected_by_a_hook_are_not_written() {
    let service = kitchen();
    let lines = r#"
        admin POST /api/dishes {"title": "Poison"} => 409 /message "Nobody cooks that."
        admin POST /api/dishes {"title": "Broken"} => 500"#;
    check(&service, lines);
    assert_eq!((count(&service, "dishes"), count(&service, "tags")), (0, 0));
}

#[test]
fn a_referenced_record_cannot_be_deleted() {
    let lines = r#"
        admin POST   /api/dishes {"title": "Soup"}                => 201
        admin POST   /api/notes  {"dish_id": 1, "text": "good"}   => 201
        admin DELETE /api/dishes/1                                => 409
        admin POST   /api/notes  {"dish_id": 7, "text": "good"}   => 422 /errors/dish_id ["The selected dish id is invalid."]"#;
    check(&kitchen(), lines);
}

#[test]
fn forms_list_the_writable_attributes() {
    let service = kitchen();
    let lines = r#"
        admin POST /api/dishes {"title": "Soup"} => 201
        admin GET  /api/dishes/1/edit  => 200 /data/title "Soup" /meta/form/0 TITLE
        admin POST /api/notes {"dish_id": 1, "text": "good"} => 201
        admin GET  /api/notes/create   => 404
        admin GET  /api/notes/1/edit   => 404
        admin GET  /api/dishes/create  => 200 /data/price "4.9900" /data/id null /meta/form/0 TITLE"#;
    let title =
        r#"{"name": "title", "type": "string", "rules": ["required", "string", "between:2,64"]}"#;
    let blank = check(&service, &lines.replace("TITLE", title)).body;
    let positions = ["\"id\":null", "\"title\"", "\"price\""].map(|name| blank.find(name));
    assert!(positions[0].is_some() && positions.is_sorted(), "{blank}");
}

/// `prepare`: slow work between the rules and the transaction.
#[test]
fn other_requests_write_while_a_body_is_prepared() {
    let service = kitchen();
    // A body that the rules reject is not prepared.
    let lines = r#"
        admin POST  /api/dishes   {"title": "Slow"}                => 201 /data/title "Slowly cooked"
        admin POST  /api/dishes   {"title": "Plain"}               => 201 /data/title "Plain"
        admin PUT   /api/dishes/2 {"title": "Slow"}                => 200 /data/title "Slowly cooked"
        admin PATCH /api/dishes/2 {"title": "Slow"}                => 200 /data/title "Slowly cooked"
        admin PATCH /api/dishes/2 {"title": "Slow", "portions": 0} => 422"#;
    check(&service, lines);
    assert_eq!(count(&service, "tags WHERE name = 'meanwhile'"), 3);
}
