//! Values are exact through store, update and show (docs/contract.md, "Values").

use formwork_tests::client::Answer;
use formwork_tests::restaurant::shared;
use serde_json::{Value, json};

use crate::{
    nested, payloads,
    rendering::{BOTH, Rendering},
};

#[test]
fn a_menu_answers_as_the_specification_shows_it() {
    let answer = shared().guest().get("/api/menus/1");
    let menu = answer.json["data"]
        .as_object()
        .unwrap_or_else(|| panic!("{answer}"));
    assert!(
        answer.body.starts_with(r#"{"data":{"id":1,"name":"#),
        "id first: {answer}"
    );
    assert_eq!(menu["id"], 1);
    assert_eq!(menu["name"], menu["menu_name"]);
    assert_eq!(
        menu["links"],
        json!([{ "rel": "self", "uri": "/api/menus/1" }])
    );
    for name in [
        "menu_price",
        "minimum_qty",
        "menu_status",
        "order_restriction",
        "created_at",
        "currency",
        "stock_qty",
    ] {
        assert!(menu.contains_key(name), "{name}: {answer}");
    }
}

#[test]
fn decimals_are_strings_with_their_scale_and_exact_to_eighteen_digits() {
    let admin = shared().admin();
    for (sent, shown) in [
        (json!("4.99"), "4.9900"),
        (json!(4.99), "4.9900"),
        (json!(5), "5.0000"),
        (json!("0.0001"), "0.0001"),
        (json!("99999999999.9999"), "99999999999.9999"),
        (json!(0.1), "0.1000"),
    ] {
        let answer = admin.post(
            "/api/menus",
            &json!({ "menu_name": "Exact", "menu_price": sent }),
        );
        assert_eq!(answer.status, 201, "{sent}: {answer}");
        assert_eq!(answer.json["data"]["menu_price"], shown, "{sent}");
        let path = format!("/api/menus/{}", answer.json["data"]["id"]);
        let updated = admin.patch(&path, &json!({ "menu_price": sent }));
        assert_eq!(
            updated.json["data"]["menu_price"], shown,
            "{sent}: {updated}"
        );
        assert_eq!(admin.get(&path).json["data"]["menu_price"], shown, "{sent}");
    }
    let too_fine = admin.post(
        "/api/menus",
        &json!({ "menu_name": "Fine", "menu_price": "1.00001" }),
    );
    assert_eq!(
        too_fine.status, 422,
        "no digit is dropped silently: {too_fine}"
    );
}

#[test]
fn dates_times_and_datetimes_have_one_form() {
    let restaurant = shared();
    let body = payloads::store("reservations", 0);
    let answer = restaurant.admin().post("/api/reservations", &body);
    assert_eq!(answer.status, 201, "{answer}");
    let data = &answer.json["data"];
    assert_eq!(data["reserve_date"], body["reserve_date"]);
    assert_eq!(data["reserve_time"], "19:00:00");
    let created = data["created_at"].as_str().expect("a datetime");
    assert!(created.ends_with('Z') && created.len() >= 20, "{created}");
    assert_eq!(
        answer.header("location"),
        Some(format!("/api/reservations/{}", data["id"]).as_str())
    );
    let path = format!("/api/reservations/{}", data["id"]);
    let answer = restaurant
        .admin()
        .patch(&path, &json!({ "reserve_time": "19:30:00" }));
    assert_eq!(answer.status, 200, "{answer}");
    assert_eq!(answer.json["data"]["reserve_time"], "19:30:00");
    for wrong in [json!("2027-02-30"), json!("tomorrow"), json!(20270131)] {
        let answer = restaurant
            .admin()
            .patch(&path, &json!({ "reserve_date": wrong }));
        assert_eq!(answer.status, 422, "{wrong}: {answer}");
    }
}

/// Both columns of the reference are NOT NULL, and "now" is their default.
#[test]
fn an_order_is_wanted_now_where_null_is_sent() {
    let admin = shared().admin();
    let both = json!({ "order_date": null, "order_time": null });
    for rendering in BOTH {
        let wanted = |method: &str, send: &dyn Fn() -> Answer| {
            let before = chrono::Utc::now() - chrono::Duration::seconds(60);
            let answer = send();
            assert!([200, 201].contains(&answer.status), "{method}: {answer}");
            let shown = rendering.attributes(&answer.json["data"]);
            let moment = shown["order_date_time"].as_str().unwrap_or_default();
            let moment: chrono::DateTime<chrono::Utc> = moment.parse().expect("a moment");
            let now = before < moment && moment <= chrono::Utc::now();
            assert!(now, "{method}: {answer}");
            rendering.id(&answer.json["data"])
        };
        let mut body = payloads::store("orders", 0);
        body["order_date"] = Value::Null;
        body["order_time"] = Value::Null;
        wanted("POST", &|| rendering.store(&admin, "orders", &body, ""));
        let later = nested::stored(rendering, &admin, "orders", &json!({}));
        wanted("PATCH", &|| {
            rendering.update(&admin, "orders", later, &both)
        });
        let path = format!("/api/orders/{later}");
        let day = json!({ "order_date": "2027-01-31", "order_time": "18:30" });
        assert_eq!(admin.patch(&path, &day).status, 200);
        if rendering == Rendering::Data {
            wanted("PUT", &|| admin.put(&path, &body));
        }
        // What is not sent stays, and the other half is taken.
        assert_eq!(admin.patch(&path, &day).status, 200);
        let half = admin.patch(&path, &json!({ "order_time": null }));
        assert_eq!(half.json["data"]["order_date"], "2027-01-31", "{half}");
        assert!(half.json["data"]["order_time"].is_string(), "{half}");
    }
}

#[test]
fn booleans_are_true_and_false_and_numbers_are_accepted_for_them() {
    let admin = shared().admin();
    for (sent, shown) in [
        (json!(1), true),
        (json!(0), false),
        (json!("1"), true),
        (json!("0"), false),
        (json!(true), true),
    ] {
        let body = json!({ "menu_name": "Switch", "menu_price": "1", "menu_status": sent });
        let answer = admin.post("/api/menus", &body);
        assert_eq!(
            answer.json["data"]["menu_status"], shown,
            "{sent}: {answer}"
        );
    }
    let body = json!({ "menu_name": "Switch", "menu_price": "1", "menu_status": "maybe" });
    assert_eq!(admin.post("/api/menus", &body).status, 422);
}

#[test]
fn json_stays_json_and_strings_are_trimmed() {
    let admin = shared().admin();
    let body = json!({
        "menu_name": "  Trimmed  ", "menu_price": "1", "menu_description": "",
        "order_restriction": ["delivery", "collection"],
    });
    let answer = admin.post("/api/menus", &body);
    assert_eq!(answer.status, 201, "{answer}");
    let data = &answer.json["data"];
    assert_eq!(data["menu_name"], "Trimmed");
    assert_eq!(
        data["menu_description"],
        Value::Null,
        "an empty string in a nullable attribute"
    );
    assert_eq!(data["order_restriction"], json!(["delivery", "collection"]));
}

#[test]
fn null_sets_the_default_and_a_missing_attribute_keeps_its_value() {
    let admin = shared().admin();
    let body = json!({ "menu_name": "Default", "menu_price": "1", "menu_priority": 7 });
    let answer = admin.post("/api/menus", &body);
    let path = format!("/api/menus/{}", answer.json["data"]["id"]);
    let answer = admin.put(&path, &json!({ "menu_name": "Renamed", "menu_price": "2" }));
    assert_eq!(answer.status, 200, "{answer}");
    assert_eq!(answer.json["data"]["menu_priority"], 7, "{answer}");
    let answer = admin.patch(&path, &json!({ "menu_priority": null }));
    if answer.status == 200 {
        assert_eq!(answer.json["data"]["menu_priority"], 0, "{answer}");
    } else {
        assert_eq!(answer.status, 422, "{answer}");
    }
}
