//! `prepare`: slow work between the rules and the transaction.

use formwork::prelude::json;

use super::kitchen;

#[test]
fn other_requests_write_while_a_body_is_prepared() {
    let service = kitchen();
    let admin = service.admin();
    let dish = |title: &str| json!({"title": title, "price": "1", "portions": 1});
    let stored = admin.post("/api/dishes", dish("Slow"));
    assert_eq!(stored.status, 201, "{stored}");
    assert_eq!(stored.json["data"]["title"], "Slowly cooked", "{stored}");
    let plain = admin.post("/api/dishes", dish("Plain"));
    let path = format!("/api/dishes/{}", plain.json["data"]["id"]);
    for answer in [
        admin.put(&path, dish("Slow")),
        admin.patch(&path, json!({"title": "Slow"})),
    ] {
        assert_eq!(answer.status, 200, "{answer}");
        assert_eq!(answer.json["data"]["title"], "Slowly cooked", "{answer}");
    }
    // A body that the rules refuse is not prepared.
    let refused = admin.patch(&path, json!({"title": "Slow", "portions": 0}));
    assert_eq!(refused.status, 422, "{refused}");
    let ctx = service.context();
    let tags = "SELECT COUNT(*) FROM tags WHERE name = 'meanwhile'";
    let tags = service.block_on(ctx.db().rows(tags, [])).expect("a count");
    assert_eq!(tags[0][0].as_int(), Some(3));
}
