//! Members of a body that each caller may write (docs/contract.md, "Access", mass assignment): keys,
//! timestamps and what the service sets itself never come from a body, in either rendering.

use formwork_tests::client::{Answer, Client};
use formwork_tests::restaurant::shared;
use serde_json::{Value, json};

use crate::{
    payloads,
    rendering::{BOTH, Rendering},
};

/// What no body writes, of all resources.
const TIMES: [&str; 2] = ["created_at", "updated_at"];

/// What no body writes, not even an administrator's: the service sets it.
#[rustfmt::skip] // a row each line
const READ_ONLY: [(&str, &[&str]); 8] = [
    ("categories", &["nest_left", "nest_right"]),
    ("coupons", &[]),
    ("customers", &["ip_address", "activated_at", "last_login", "last_seen", "invited_at", "last_location_area",
        "full_name"]),
    ("locations", &["distance"]),
    ("menus", &["currency", "stock_qty", "links", "name"]),
    ("orders", &["total_items", "order_total", "ip_address", "user_agent", "invoice_prefix", "invoice_date", "hash",
        "status_updated_at", "assignee_updated_at", "customer_name", "status_name", "currency", "formatted_address"]),
    ("reservations", &["ip_address", "user_agent", "hash", "processed", "status_updated_at", "assignee_updated_at",
        "reserve_datetime", "customer_name", "table_name"]),
    ("reviews", &[]),
];

/// What only administrators write, and a value that a customer would like.
#[rustfmt::skip] // a row each line
const ADMIN_WRITE: [(&str, &[(&str, i64)]); 3] = [
    ("orders", &[("customer_id", 2), ("status_id", 5), ("assignee_id", 1), ("assignee_group_id", 1), ("processed",
        1)]),
    ("reservations", &[("customer_id", 2), ("status_id", 6), ("assignee_id", 1), ("assignee_group_id", 1)]),
    ("reviews", &[("customer_id", 2), ("review_status", 1)]),
];

/// A valid value of the attribute that differs from the stored one.
fn forged(shown: &Value, name: &str) -> Value {
    match shown {
        Value::Bool(is) => json!(!is),
        Value::Number(_) => json!(4_321),
        _ if name.ends_with("_at") || name.contains("date") || name.starts_with("last_") => {
            json!("2001-02-03T04:05:06Z")
        }
        _ if name == "order_total" => json!("1.2345"),
        _ => json!("forged"),
    }
}

fn stored(rendering: Rendering, client: &Client, resource: &str, more: &Value) -> Answer {
    let mut body = payloads::store(resource, payloads::new_order(client));
    for (name, value) in more.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
    let answer = rendering.store(client, resource, &body, "");
    assert_eq!(answer.status, 201, "{rendering:?} {resource}: {answer}");
    answer
}

/// Whether the record shows any of the forged values.
fn shows(rendering: Rendering, answer: &Answer, forged: &Value) -> Option<String> {
    let shown = rendering.attributes(&answer.json["data"]);
    let forged = forged.as_object().into_iter().flatten();
    let mut taken = forged.filter(|(name, value)| shown.get(*name) == Some(value));
    taken.next().map(|(name, _)| name.clone())
}

#[test]
fn read_only_attributes_are_ignored_in_a_body() {
    let admin = shared().admin();
    for rendering in BOTH {
        for (resource, names) in READ_ONLY {
            let plain = stored(rendering, &admin, resource, &json!({}));
            let before = rendering.attributes(&plain.json["data"]).clone();
            let names = names.iter().chain(&TIMES);
            let forged: Value = names
                .map(|name| ((*name).to_owned(), forged(&before[*name], name)))
                .collect::<serde_json::Map<_, _>>()
                .into();
            let stored = stored(rendering, &admin, resource, &forged);
            assert_eq!(
                shows(rendering, &stored, &forged),
                None,
                "{resource}: {stored}"
            );
            let id = rendering.id(&stored.json["data"]);
            let mut body = forged.clone();
            let change = payloads::update(resource);
            for (name, value) in change.as_object().into_iter().flatten() {
                body[name] = value.clone();
            }
            let changed = rendering.update(&admin, resource, id, &body);
            assert_eq!(changed.status, 200, "{resource}: {changed}");
            assert_eq!(
                shows(rendering, &changed, &forged),
                None,
                "{resource}: {changed}"
            );
            assert_eq!(
                shows(rendering, &changed, &change),
                change.as_object().and_then(|it| it.keys().next().cloned())
            );
        }
    }
}

#[test]
fn the_key_in_a_body_is_ignored() {
    let admin = shared().admin();
    for (resource, key) in [
        ("categories", "category_id"),
        ("coupons", "coupon_id"),
        ("customers", "customer_id"),
        ("locations", "location_id"),
        ("menus", "menu_id"),
        ("orders", "order_id"),
        ("reservations", "reservation_id"),
        ("reviews", "review_id"),
    ] {
        for rendering in BOTH {
            // Orders and the like are at a location: there it is no key.
            let forged = match (resource, rendering) {
                (_, Rendering::Data) => json!({ "id": 987_654, key: 987_654 }),
                (_, Rendering::JsonApi) => json!({ key: 987_654 }),
            };
            let answer = stored(rendering, &admin, resource, &forged);
            let id = rendering.id(&answer.json["data"]);
            assert_ne!(id, 987_654, "{resource}: {answer}");
            let changed = rendering.update(&admin, resource, id, &forged);
            assert_eq!(changed.status, 200, "{resource}: {changed}");
            assert_eq!(
                rendering.id(&changed.json["data"]),
                id,
                "{resource}: {changed}"
            );
        }
    }
}

#[test]
fn customers_cannot_write_attributes_of_administrators() {
    let (alice, admin) = (shared().alice(), shared().admin());
    let account = alice.get("/api/token/user");
    let me = account.json["user"]["id"].clone();
    for rendering in BOTH {
        for (resource, wishes) in ADMIN_WRITE {
            let wished: Value = wishes
                .iter()
                .map(|(name, value)| ((*name).to_owned(), json!(value)))
                .collect::<serde_json::Map<_, _>>()
                .into();
            let answer = stored(rendering, &alice, resource, &wished);
            let shown = rendering.attributes(&answer.json["data"]);
            assert_eq!(shown["customer_id"], me, "{resource}: {answer}");
            for (name, _) in wishes.iter().filter(|(name, _)| *name != "customer_id") {
                let left = &shown[*name];
                assert!(
                    left.is_null() || left == false,
                    "{resource} {name}: {answer}"
                );
            }
            // Malformed values of attributes the caller may not write are ignored.
            let nonsense: Value = wishes
                .iter()
                .map(|(name, _)| ((*name).to_owned(), json!({ "x": [1] })))
                .collect::<serde_json::Map<_, _>>()
                .into();
            stored(rendering, &alice, resource, &nonsense);
            let given = stored(rendering, &admin, resource, &wished);
            let shown = rendering.attributes(&given.json["data"]);
            assert_eq!(shown["customer_id"], 2, "an administrator may: {given}");
        }
    }
}

#[test]
fn customers_cannot_write_protected_attributes_of_their_account() {
    let alice = shared().alice();
    let id = alice.get("/api/token/user").json["user"]["id"].clone();
    let path = format!("/api/customers/{id}");
    let show = || shared().admin().get(&path).json["data"].clone();
    let before = show();
    let body = json!({
        "customer_id": 999, "customer_group_id": 2, "status": false, "is_activated": false,
        "ip_address": "10.0.0.1", "created_at": "2001-01-01T00:00:00Z", "reset_code": "x",
    });
    let answer = alice.patch(&path, &body);
    assert_eq!(answer.status, 200, "{answer}");
    let after = show();
    for name in ["id", "customer_group_id", "status", "is_activated"] {
        assert_eq!(before[name], after[name], "{name}");
    }
    for name in ["ip_address", "created_at"] {
        assert_eq!(before[name], after[name], "{name}");
    }
}
