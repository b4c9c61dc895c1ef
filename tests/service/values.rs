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
