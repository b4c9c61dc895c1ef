//! Every delivery has an address, and only deliveries need one (the reference's rules "when
//! order_type=delivery"), in both renderings.

use formwork_tests::client::Answer;
use formwork_tests::restaurant::shared;
use serde_json::{Value, json};

use crate::{
    nested::{store, stored},
    payloads,
    rendering::{BOTH, Rendering, refused},
};

const PLACE: &str = "address.address_1";

/// Refused without an address, with a pointer to the body, because no member was sent.
fn lost(rendering: Rendering, answer: &Answer) {
    assert_eq!(answer.status, 422, "{answer}");
    let place = match rendering {
        Rendering::Data => None,
        Rendering::JsonApi => Some("/data/attributes".to_owned()),
    };
    let faults = rendering.faults(answer);
    assert_eq!(faults.get(PLACE), Some(&place), "{answer}");
}

fn update(rendering: Rendering, id: i64, body: &Value) -> Answer {
    rendering.update(&shared().admin(), "orders", id, body)
}

/// Replaces the order by one that is stored with these members.
fn put(id: i64, more: &Value) -> Answer {
    let mut body = payloads::store("orders", 0);
    for (name, value) in more.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
    shared().admin().put(&format!("/api/orders/{id}"), &body)
}

fn shown(id: i64) -> Value {
    let answer = shared().admin().get(&format!("/api/orders/{id}"));
    assert_eq!(answer.status, 200, "{answer}");
    answer.json["data"].clone()
}

#[test]
fn an_order_becomes_a_delivery_with_an_address_only() {
    let delivery = json!({ "order_type": "delivery" });
    let place = json!({ "address_1": "1 High Street", "city": "Leeds" });
    for rendering in BOTH {
        let id = stored(rendering, &shared().admin(), "orders", &json!({}));
        let before = shown(id);
        lost(rendering, &update(rendering, id, &delivery));
        lost(Rendering::Data, &put(id, &delivery));
        let half = json!({ "order_type": "delivery", "address": { "city": "Leeds" } });
        refused(rendering, &update(rendering, id, &half), PLACE);
        assert_eq!(shown(id), before, "what is refused changes nothing");

        let both = json!({ "order_type": "delivery", "address": place });
        let answer = update(rendering, id, &both);
        assert_eq!(answer.status, 200, "{answer}");
        let address = shown(id)["address_id"].clone();
        assert!(address.is_i64(), "{answer}");
        // It has an address by now: no other member is needed.
        assert_eq!(update(rendering, id, &delivery).status, 200);
        assert_eq!(put(id, &delivery).status, 200);
        assert_eq!(shown(id)["address_id"], address);
    }
}

#[test]
fn a_delivery_keeps_an_address() {
    let place = json!({ "address_1": "1 High Street", "city": "Leeds" });
    for rendering in BOTH {
        let more = json!({ "order_type": "delivery", "address": place });
        let id = stored(rendering, &shared().admin(), "orders", &more);
        let nowhere = json!({ "address_id": null });
        lost(rendering, &update(rendering, id, &nowhere));
        let emptied = json!({ "order_type": "delivery", "address_id": null });
        lost(Rendering::Data, &put(id, &emptied));
        let half = json!({ "address": { "city": "York" } });
        refused(rendering, &update(rendering, id, &half), PLACE);
        let short = json!({ "address": { "address_1": "2 High Street", "city": "x" } });
        refused(rendering, &update(rendering, id, &short), "address.city");
        assert_eq!(shown(id)["formatted_address"], "1 High Street, Leeds");

        let moved = json!({ "address": { "address_1": "2 High Street" } });
        assert_eq!(update(rendering, id, &moved).status, 200);
        assert_eq!(shown(id)["formatted_address"], "2 High Street");
        let fetched = json!({ "order_type": "collection", "address_id": null });
        assert_eq!(update(rendering, id, &fetched).status, 200);
        assert_eq!(shown(id)["address_id"], Value::Null);
    }
}

#[test]
fn an_order_without_delivery_needs_no_address() {
    for rendering in BOTH {
        let more = json!({ "order_type": "collection", "address": { "city": "x" } });
        let id = stored(rendering, &shared().alice(), "orders", &more);
        assert_eq!(shown(id)["address_id"], Value::Null);
        let change = json!({ "address": { "address_2": "x", "country_id": 424_242 } });
        let answer = update(rendering, id, &change);
        assert_eq!(answer.status, 200, "{answer}");
        assert_eq!(shown(id)["address_id"], Value::Null);
        // A value that is not an address is reported all the same.
        refused(
            rendering,
            &update(rendering, id, &json!({ "address": "x" })),
            "address",
        );
    }
}

#[test]
fn an_empty_address_is_ignored() {
    let alice = shared().alice();
    let place = json!({ "address_1": "1 High Street", "city": "Leeds" });
    for rendering in BOTH {
        let more = json!({ "order_type": "delivery", "address": place });
        let id = stored(rendering, &alice, "orders", &more);
        let address = shown(id)["address_id"].clone();
        for empty in [json!({}), json!(null)] {
            let both = json!({ "order_type": "delivery", "address_id": address, "address": empty });
            let again = stored(rendering, &alice, "orders", &both);
            assert_eq!(shown(again)["address_id"], address);
            for change in [json!({ "address": empty }), both] {
                let answer = update(rendering, id, &change);
                assert_eq!(answer.status, 200, "{change}: {answer}");
                assert_eq!(shown(id)["address_id"], address, "{change}");
            }
            let nowhere = json!({ "order_type": "delivery", "address": empty });
            let answer = store(rendering, &alice, "orders", &nowhere);
            assert_eq!(answer.status, 422, "{answer}");
            assert!(rendering.faults(&answer).contains_key(PLACE), "{answer}");
        }
    }
}

#[test]
fn a_delivery_is_one_in_letters_of_any_case() {
    let alice = shared().alice();
    let place = json!({ "address_1": "1 High Street", "city": "Leeds" });
    for rendering in BOTH {
        for word in ["delivery", "Delivery", "DELIVERY"] {
            let bare = json!({ "order_type": word });
            let half = json!({ "order_type": word, "address": { "city": "Leeds" } });
            lost(rendering, &store(rendering, &alice, "orders", &bare));
            let answer = store(rendering, &alice, "orders", &half);
            refused(rendering, &answer, PLACE);
            let fetched = stored(rendering, &alice, "orders", &json!({}));
            lost(rendering, &update(rendering, fetched, &bare));
            refused(rendering, &update(rendering, fetched, &half), PLACE);

            let whole = json!({ "order_type": word, "address": place });
            let id = stored(rendering, &alice, "orders", &whole);
            assert_eq!(shown(id)["formatted_address"], "1 High Street, Leeds");
            assert_eq!(shown(id)["order_type"], word, "it stays as it was sent");
            lost(
                rendering,
                &update(rendering, id, &json!({ "address_id": null })),
            );
            let half = json!({ "address": { "city": "York" } });
            refused(rendering, &update(rendering, id, &half), PLACE);
            let moved = json!({ "address": { "address_1": "2 High Street" } });
            assert_eq!(update(rendering, id, &moved).status, 200);
            assert_eq!(shown(id)["formatted_address"], "2 High Street");
            assert_eq!(shown(id)["order_type"], word, "nobody spoke of it");
        }
    }
}
