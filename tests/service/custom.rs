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
fn an_order_is_stored_with_its_items_and_its_totals_are_computed() {
    let restaurant = shared();
    let mut body = payloads::store("orders", 0);
    body["order_menus"] = json!([
        { "id": 1, "name": "Soup", "qty": 2, "price": "4.5000", "subtotal": "9.0000" },
        { "id": 2, "name": "Pie", "qty": 1, "price": "12.2500", "subtotal": "12.2500", "comment": "no salt" },
    ]);
    body["order_totals"] = json!([
        { "code": "delivery", "title": "Delivery", "value": "2.5000", "priority": 10, "is_summable": true },
    ]);
    let answer = restaurant.admin().post("/api/orders", &body);
    assert_eq!(answer.status, 201, "{answer}");
    let order = &answer.json["data"];
    assert_eq!(order["total_items"], 3, "{answer}");
    assert_eq!(order["order_total"], "23.7500", "{answer}");
    assert_eq!(
        order["order_menus"].as_array().map(Vec::len),
        Some(2),
        "{answer}"
    );
    let totals = order["order_totals"].as_array().expect("totals");
    let value = |code: &str| {
        let total = totals.iter().find(|total| total["code"] == code);
        total.unwrap_or_else(|| panic!("{code}: {answer}"))["value"].clone()
    };
    assert_eq!(value("subtotal"), "21.2500");
    assert_eq!(value("delivery"), "2.5000");
    assert_eq!(value("total"), "23.7500");
    assert_eq!(order["customer_name"], "Alice Smith");
    assert!(
        order["hash"].as_str().is_some_and(|hash| hash.len() == 32),
        "{answer}"
    );
    assert!(order.get("cart").is_none(), "hidden: {answer}");
    let shown = restaurant
        .admin()
        .get(&format!("/api/orders/{}", order["id"]));
    assert_eq!(shown.json["data"]["order_total"], "23.7500");
}

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
fn a_list_of_ids_is_synchronised() {
    let admin = shared().admin();
    let body = json!({ "menu_name": "Linked", "menu_price": "1", "categories": [1, 2] });
    let created = admin.post("/api/menus", &body);
    assert_eq!(created.status, 201, "{created}");
    let path = format!(
        "/api/menus/{}?include=categories",
        created.json["data"]["id"]
    );
    let ids = || -> Vec<i64> {
        let answer = admin.get(&path);
        let list = answer.json["data"]["categories"]
            .as_array()
            .expect("a list")
            .clone();
        let mut ids: Vec<_> = list.iter().filter_map(|one| one["id"].as_i64()).collect();
        ids.sort_unstable();
        ids
    };
    assert_eq!(ids(), [1, 2]);
    let target = format!("/api/menus/{}", created.json["data"]["id"]);
    assert_eq!(
        admin
            .patch(&target, &json!({ "categories": [2, 3] }))
            .status,
        200
    );
    assert_eq!(ids(), [2, 3]);
    assert_eq!(
        admin
            .patch(&target, &json!({ "menu_name": "Still linked" }))
            .status,
        200
    );
    assert_eq!(ids(), [2, 3], "what is not sent stays");
    assert_eq!(
        admin.patch(&target, &json!({ "categories": [] })).status,
        200
    );
    assert!(ids().is_empty());
}

#[test]
fn a_password_is_set_used_and_never_shown() {
    let restaurant = shared();
    let body = payloads::store("customers", 0);
    let answer = restaurant.admin().post("/api/customers", &body);
    assert_eq!(answer.status, 201, "{answer}");
    assert!(
        !answer.body.contains("password") && !answer.body.contains("argon2"),
        "{answer}"
    );
    let id = &answer.json["data"]["id"];
    restaurant.admin().patch(
        &format!("/api/customers/{id}"),
        &json!({ "is_activated": true }),
    );
    let login =
        json!({ "email": body["email"], "password": "a long secret", "device_name": "tests" });
    let answer = restaurant.guest().post("/api/token", &login);
    assert_eq!(answer.status, 201, "{answer}");
    let mut other = payloads::store("customers", 0);
    other["password_confirm"] = json!("something else");
    assert_eq!(
        restaurant.admin().post("/api/customers", &other).status,
        422
    );
}

#[test]
fn rules_that_depend_on_another_attribute_hold() {
    let restaurant = shared();
    let mut coupon = payloads::store("coupons", 0);
    coupon["validity"] = json!("fixed");
    let answer = restaurant.admin().post("/api/coupons", &coupon);
    assert_eq!(answer.status, 422, "{answer}");
    for field in ["fixed_date", "fixed_from_time", "fixed_to_time"] {
        assert!(answer.json["errors"][field].is_array(), "{field}: {answer}");
    }
    let mut review = payloads::store("reviews", 424_242);
    review["reviewable_id"] = json!(424_242);
    let answer = restaurant.alice().post("/api/reviews", &review);
    assert_eq!(answer.status, 422, "{answer}");
    assert!(
        answer.json["errors"]["reviewable_id"].is_array(),
        "{answer}"
    );
    let mut order = payloads::store("orders", 0);
    order["order_type"] = json!("delivery");
    order["address"] = json!({ "city": "x" });
    let answer = restaurant.alice().post("/api/orders", &order);
    assert_eq!(answer.status, 422, "{answer}");
    assert!(
        answer.json["errors"]["address.address_1"].is_array(),
        "{answer}"
    );
}

#[test]
fn one_location_is_the_default() {
    let admin = shared().admin();
    let mut body = payloads::store("locations", 0);
    body["is_default"] = json!(true);
    body["location_status"] = json!(false);
    assert_eq!(
        admin.post("/api/locations", &body).status,
        422,
        "a disabled location cannot be the default"
    );
    let defaults = |_: ()| {
        let list = admin.get("/api/locations?pageLimit=100");
        list.records()
            .iter()
            .filter(|location| location["is_default"] == true)
            .count()
    };
    assert_eq!(defaults(()), 1);
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

#[test]
fn a_reservation_takes_missing_contact_fields_from_the_account() {
    let alice = shared().alice();
    let me = alice.get("/api/token/user").json["user"]["id"].clone();
    let account = shared().admin().get(&format!("/api/customers/{me}"));
    let contact = ["first_name", "last_name", "email", "telephone"];
    for rendering in BOTH {
        let mut body = payloads::store("reservations", 0);
        let given = ["Carol", "Jones", "carol@example.com", "020 7946 0999"];
        for (name, value) in contact.iter().zip(given) {
            body[*name] = json!(value);
        }
        let sent = rendering.store(&alice, "reservations", &body, "");
        assert_eq!(sent.status, 201, "{sent}");
        for name in contact {
            let shown = &rendering.attributes(&sent.json["data"])[name];
            assert_eq!(shown, &body[name], "what is sent stays: {sent}");
            body.as_object_mut().map(|members| members.remove(name));
        }
        let own = rendering.store(&alice, "reservations", &body, "");
        body["customer_id"] = json!(me.to_string());
        let made = rendering.store(&shared().admin(), "reservations", &body, "");
        for answer in [own, made] {
            assert_eq!(answer.status, 201, "{answer}");
            let shown = rendering.attributes(&answer.json["data"]);
            assert_eq!(shown["customer_id"], me, "{answer}");
            for name in contact {
                assert_eq!(shown[name], account.json["data"][name], "{name}: {answer}");
            }
        }
    }
}
