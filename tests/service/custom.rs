//! The restaurant's own logic, hand-written into poured sources: hooks, nested rows, computed attributes.

use std::{sync::Barrier, thread};

use formwork_tests::restaurant::shared;
use serde_json::{Value, json};

use crate::{
    nested::stored,
    payloads,
    rendering::{BOTH, Rendering, refused},
};

#[test]
fn a_change_of_status_is_kept_in_the_history() {
    let restaurant = shared();
    let id = restaurant
        .alice()
        .post("/api/orders", &payloads::store("orders", 0))
        .json["data"]["id"]
        .clone();
    let path = format!("/api/orders/{id}?include=status_history,status");
    let before = restaurant.admin().get(&path).json["data"]["status_history"]
        .as_array()
        .map_or(0, Vec::len);
    let change = json!({ "status_id": 2, "status_comment": "In the oven" });
    let answer = restaurant
        .admin()
        .patch(&format!("/api/orders/{id}"), &change);
    assert_eq!(answer.status, 200, "{answer}");
    let answer = restaurant.admin().get(&path);
    let history = answer.json["data"]["status_history"]
        .as_array()
        .expect("a history");
    assert_eq!(history.len(), before + 1, "{answer}");
    assert!(
        history
            .iter()
            .any(|entry| entry["comment"] == "In the oven"),
        "{answer}"
    );
    assert_eq!(answer.json["data"]["status"]["id"], 2);
    assert_eq!(
        answer.json["data"]["status_name"],
        answer.json["data"]["status"]["status_name"]
    );
    restaurant
        .admin()
        .patch(&format!("/api/orders/{id}"), &change);
    let again = restaurant.admin().get(&path).json["data"]["status_history"]
        .as_array()
        .map_or(0, Vec::len);
    assert_eq!(again, before + 1, "the same status again is no change");
}

#[test]
fn slugs_are_made_from_names_and_stay_unique() {
    let admin = shared().admin();
    let slug = || {
        let answer = admin.post("/api/categories", &json!({ "name": "Fish & Chips" }));
        assert_eq!(answer.status, 201, "{answer}");
        answer.json["data"]["permalink_slug"]
            .as_str()
            .expect("a slug")
            .to_owned()
    };
    let (first, second) = (slug(), slug());
    assert!(first.starts_with("fish-chips"), "{first}");
    assert!(second.starts_with("fish-chips"), "{second}");
    assert_ne!(first, second);
}

#[test]
fn a_review_keeps_the_stored_half_of_its_subject_when_the_other_half_is_updated() {
    let admin = shared().admin();
    let orders = [(); 2].map(|()| stored(Rendering::Data, &admin, "orders", &json!({})));
    let more = json!({ "reviewable_type": "orders", "reviewable_id": orders[0] });
    for rendering in BOTH {
        let id = stored(rendering, &admin, "reviews", &more);
        let update = |body: Value| rendering.update(&admin, "reviews", id, &body);
        for (half, about) in [
            (json!({ "reviewable_id": orders[1] }), orders[1]),
            (json!({ "reviewable_type": "orders" }), orders[1]),
            (json!({ "reviewable_id": orders[0].to_string() }), orders[0]),
        ] {
            let answer = update(half.clone());
            assert_eq!(answer.status, 200, "{half}: {answer}");
            let shown = rendering.attributes(&answer.json["data"]);
            assert_eq!(shown["reviewable_type"], "orders", "{answer}");
            assert_eq!(shown["reviewable_id"], about, "{answer}");
        }
        let missing = update(json!({ "reviewable_id": 424_242, "quality": 9 }));
        refused(rendering, &missing, "reviewable_id");
        refused(rendering, &missing, "quality");
        // There are fewer reservations than orders, and no other fault is needed to say so.
        for half in [
            json!({ "reviewable_id": 424_242 }),
            json!({ "reviewable_type": "reservations" }),
            json!({ "reviewable_type": "reservations", "quality": 9 }),
        ] {
            refused(rendering, &update(half), "reviewable_id");
        }
        let kept = admin.get(&format!("/api/reviews/{id}"));
        assert_eq!(kept.json["data"]["reviewable_type"], "orders", "{kept}");
        assert_eq!(kept.json["data"]["reviewable_id"], orders[0], "{kept}");
        let other = update(json!({ "reviewable_type": "reservations", "reviewable_id": 424_242 }));
        refused(rendering, &other, "reviewable_id");
        refused(
            rendering,
            &update(json!({ "reviewable_type": null })),
            "reviewable_type",
        );
        refused(
            rendering,
            &update(json!({ "reviewable_type": "menus" })),
            "reviewable_type",
        );
    }
    // A review that is replaced says both.
    let id = stored(Rendering::Data, &admin, "reviews", &more);
    let mut body = payloads::store("reviews", orders[0]);
    body.as_object_mut()
        .map(|members| members.remove("reviewable_type"));
    let put = admin.put(&format!("/api/reviews/{id}"), &body);
    refused(Rendering::Data, &put, "reviewable_type");
}

#[test]
fn concurrent_updates_of_the_two_halves_of_a_subject_are_both_kept() {
    let admin = shared().admin();
    let [first, second] = [1, 2];
    for round in 0..20 {
        let more = json!({ "reviewable_type": "orders", "reviewable_id": first });
        let id = stored(Rendering::Data, &admin, "reviews", &more);
        let path = format!("/api/reviews/{id}");
        let start = Barrier::new(2);
        let halves = [
            json!({ "reviewable_type": "reservations" }),
            json!({ "reviewable_id": second }),
        ];
        let change = &|half: &Value| {
            start.wait();
            let answer = shared().admin().patch(&path, half);
            assert_eq!(answer.status, 200, "{half}: {answer}");
        };
        thread::scope(|threads| {
            for half in &halves {
                threads.spawn(move || change(half));
            }
        });
        let shown = admin.get(&path);
        let about = ["reviewable_type", "reviewable_id"].map(|half| &shown.json["data"][half]);
        let both = [&json!("reservations"), &json!(second)];
        assert_eq!(about, both, "round {round}: {shown}");
    }
}
