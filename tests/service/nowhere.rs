//! Ids without a record: all of them are reported at once (docs/contract.md, "Errors"), in both renderings.

use formwork_tests::restaurant::shared;
use serde_json::{Value, json};

use crate::{
    payloads,
    rendering::{BOTH, Rendering},
};

/// Stores a record with these members beside what it needs; the fields it is refused for.
fn at_fault(rendering: Rendering, resource: &str, more: &Value) -> Vec<String> {
    let mut body = payloads::store(resource, 1);
    for (name, value) in more.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
    let answer = rendering.store(&shared().admin(), resource, &body, "");
    assert_eq!(answer.status, 422, "{rendering:?} {resource}: {answer}");
    rendering.faults(&answer).into_keys().collect()
}

#[test]
fn every_list_with_ids_of_missing_records_is_reported() {
    let lists = json!({
        "menus": [999_999], "customers": [999_999], "categories": [999_999], "locations": [999_999],
    });
    let all = ["categories", "customers", "locations", "menus"];
    for rendering in BOTH {
        let mut body = lists.clone();
        body["code"] = json!(format!("ABSENT{rendering:?}"));
        assert_eq!(at_fault(rendering, "coupons", &body), all);
        // And beside a rule that is broken.
        body["discount"] = json!("much");
        let fields = at_fault(rendering, "coupons", &body);
        assert_eq!(
            fields,
            ["categories", "customers", "discount", "locations", "menus"]
        );
    }
}

#[test]
fn every_foreign_key_to_a_missing_record_is_reported() {
    let absent = json!({ "location_id": 999_999, "status_id": 999_999 });
    for rendering in BOTH {
        let fields = at_fault(rendering, "orders", &absent);
        assert_eq!(fields, ["location_id", "status_id"]);
        let mut body = absent.clone();
        body["email"] = json!("x");
        let fields = at_fault(rendering, "orders", &body);
        assert_eq!(fields, ["email", "location_id", "status_id"]);
    }
}

#[test]
fn a_change_is_validated_on_the_members_it_sends() {
    let admin = shared().admin();
    for rendering in BOTH {
        let order = rendering.store(&admin, "orders", &payloads::store("orders", 1), "");
        assert_eq!(order.status, 201, "{order}");
        let id = rendering.id(&order.json["data"]);
        let change = json!({ "location_id": 1, "status_id": 999_999, "email": "x" });
        let answer = rendering.update(&admin, "orders", id, &change);
        assert_eq!(answer.status, 422, "{answer}");
        let fields: Vec<String> = rendering.faults(&answer).into_keys().collect();
        assert_eq!(fields, ["email", "status_id"]);
        let gone = rendering.delete(&admin, &format!("/api/orders/{id}"));
        assert_eq!(gone.status, 204, "{gone}");
    }
}
