//! A poured service on a server: docs/contract.md over real HTTP.

use formwork::prelude::*;
use formwork::testing::{Answer, Service};

/// A service on a database of its own, on the server that `DATABASE_URL` names.
fn start() -> Service {
    let service = Service::start(bistro::extensions());
    let database = std::env::var("FORMWORK_TEST_DATABASE").expect("a kind of database");
    assert_eq!(service.app().db().dialect().name(), database);
    service
}

fn soup(menu: Option<i64>) -> Json {
    json!({
        "slug": "soup", "price": "4.9", "is_hot": true, "portions": 3, "weight": 0.25,
        "served_on": "2026-01-31", "served_at": "12:30", "notes": {"salt": [1, null]},
        "code": "67e55044-10b1-426f-9247-bb680e5fe0c8", "size": "large", "menu_id": menu,
    })
}

fn id(answer: &Answer) -> i64 {
    assert_eq!(answer.status, 201, "{answer}");
    answer.json["data"]["id"].as_i64().expect("an id")
}

#[test]
fn a_record_is_stored_shown_changed_and_deleted() {
    let service = start();
    let (admin, guest) = (service.admin(), service.guest());
    assert_eq!(guest.post("/api/dishes", soup(None)).status, 401);
    let customer = service.customer();
    assert_eq!(customer.post("/api/dishes", soup(None)).status, 403);
    let stranger = service.with_token("1|unknown");
    assert_eq!(stranger.get("/api/dishes").status, 401);
    let stored = admin.post("/api/dishes", soup(None));
    let path = format!("/api/dishes/{}", id(&stored));
    let shown = guest.get(&path);
    assert_eq!(shown.status, 200, "{shown}");
    let data = &shown.json["data"];
    assert_eq!(data, &stored.json["data"]);
    assert_eq!(data["price"], "4.9000");
    assert_eq!(data["notes"], json!({"salt": [1, null]}));
    let seen =
        ["is_hot", "weight", "served_on", "served_at", "size"].map(|name| data[name].clone());
    assert_eq!(
        seen,
        [
            json!(true),
            json!(0.25),
            json!("2026-01-31"),
            json!("12:30:00"),
            json!("large")
        ]
    );
    assert!(data["created_at"].is_string(), "{shown}");
    let tag = shown.header("etag").expect("a tag").to_owned();
    let changed = admin.clone().header("if-match", &tag).patch(
        &path,
        json!({"price": 5, "weight": null, "served_on": null}),
    );
    assert_eq!(changed.status, 200, "{changed}");
    assert_eq!(changed.json["data"]["price"], "5.0000");
    assert_eq!(changed.json["data"]["weight"], Json::Null);
    let again = admin.clone().header("if-match", &tag);
    assert_eq!(again.patch(&path, json!({"price": 6})).status, 412);
    assert_eq!(admin.delete(&path).status, 204);
    assert_eq!(guest.get(&path).status, 404);
}

/// What is sent, and what is shown of it from then on.
fn values() -> Vec<(&'static str, Json, Json)> {
    let cheese = "🧀".repeat(40);
    let story = "🧀".repeat(70_000);
    let same = [
        ("calories", json!(i64::MAX)),
        ("calories", json!(i64::MIN)),
        ("total", json!("9999999999999999.99")),
        ("total", json!("-9999999999999999.99")),
        ("price", json!("99999999999.9999")),
        ("weight", json!(0.30000000000000004)),
        ("weight", json!(-1.7976931348623157e308)),
        ("portions", json!(i32::MIN)),
        ("is_hot", json!(false)),
        ("served_on", json!("0001-01-01")),
        ("served_on", json!("9999-12-31")),
        ("served_at", json!("23:59:59")),
        ("cooked_at", json!("2026-01-31T12:00:00.123456Z")),
        ("cooked_at", json!("0001-01-01T00:00:00Z")),
        ("cooked_at", json!("9999-12-31T23:59:59.999999Z")),
        (
            "notes",
            json!([1, 2.5, "it's \\ \"🧀\"\n", null, {"b": [], "a": {}}]),
        ),
        ("code", json!("67e55044-10b1-426f-9247-bb680e5fe0c8")),
        ("size", json!("small")),
        ("slug", json!(cheese)),
        ("label", json!(cheese)),
        ("label", json!("")),
        ("story", json!(story)),
        ("story", json!("a\\b 'c' \"d\"\r\n%_")),
        ("story", Json::Null),
    ];
    let same = same.map(|(name, value)| (name, value.clone(), value));
    let others = [
        ("price", json!(4.9), json!("4.9000")),
        ("is_hot", json!(1), json!(true)),
        ("served_at", json!("12:30"), json!("12:30:00")),
        (
            "code",
            json!("67E55044-10B1-426F-9247-BB680E5FE0C8"),
            json!("67e55044-10b1-426f-9247-bb680e5fe0c8"),
        ),
        (
            "cooked_at",
            json!("2026-01-31T12:00:00+02:00"),
            json!("2026-01-31T10:00:00Z"),
        ),
        (
            "cooked_at",
            json!("2026-01-31 12:00:00.5"),
            json!("2026-01-31T12:00:00.500Z"),
        ),
        (
            "cooked_at",
            json!("2026-01-31T12:00:00.1234567Z"),
            json!("2026-01-31T12:00:00.123456Z"),
        ),
        (
            "cooked_at",
            json!("2026-01-31T23:59:59.9999999Z"),
            json!("2026-01-31T23:59:59.999999Z"),
        ),
        ("story", json!(""), Json::Null),
        ("calories", json!(""), Json::Null),
    ];
    same.into_iter().chain(others).collect()
}

#[test]
fn every_type_keeps_its_values() {
    let service = start();
    let (admin, guest) = (service.admin(), service.guest());
    let path = format!("/api/dishes/{}", id(&admin.post("/api/dishes", soup(None))));
    let mut wrong = Vec::new();
    for (name, sent, expected) in values() {
        let changed = admin.patch(&path, json!({name: sent}));
        let shown = guest.get(&path);
        for answer in [changed, shown] {
            if answer.status != 200 || answer.json["data"][name] != expected {
                wrong.push(format!("{name} {sent}, not {expected}: {answer}"));
            }
        }
    }
    for (name, sent) in [
        ("slug", json!("🧀".repeat(41))),
        ("slug", json!("a\0b")),
        ("story", json!("a\0b")),
        ("portions", json!(1_i64 << 31)),
        ("calories", json!(9_223_372_036_854_775_808_u64)),
        ("total", json!("10000000000000000")),
        ("price", json!("0.00001")),
        ("size", json!("medium")),
        ("served_at", json!("24:00")),
        ("served_at", json!("12:30:15.7")),
        ("cooked_at", json!("2026-01-31")),
        ("cooked_at", json!("2026-02-30T00:00:00Z")),
        ("cooked_at", json!("10000-01-01T00:00:00Z")),
    ] {
        let refused = admin.patch(&path, json!({name: sent}));
        if refused.status != 422 || !refused.json["errors"][name].is_array() {
            wrong.push(format!("{name} {sent}, not refused: {refused}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn relations_are_included_both_ways_and_through_a_table_between() {
    let service = start();
    let (admin, guest) = (service.admin(), service.guest());
    let menu = id(&admin.post("/api/menus", json!({"title": "Lunch"})));
    let dish = id(&admin.post("/api/dishes", soup(Some(menu))));
    let shown = guest.get(&format!("/api/dishes/{dish}?include=menu"));
    assert_eq!(shown.json["data"]["menu"]["title"], "Lunch", "{shown}");
    let shown = guest.get("/api/menus?include=dishes");
    assert_eq!(
        shown.json["data"][0]["dishes"][0]["slug"], "soup",
        "{shown}"
    );
    let person = admin.post("/api/guests", json!({"name": "Ada", "menus": [menu]}));
    assert_eq!(person.status, 201, "{person}");
    let person = person.json["data"]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let shown = guest.get(&format!("/api/guests/{person}?include=menus"));
    assert_eq!(shown.json["data"]["menus"][0]["title"], "Lunch", "{shown}");
}

#[test]
fn json_holds_no_nul() {
    let service = start();
    for notes in [json!("\0"), json!({"a": ["\0"]}), json!({"a\0": 1})] {
        let mut dish = soup(None);
        dish["notes"] = notes;
        let refused = service.admin().post("/api/dishes", dish);
        assert_eq!(refused.status, 422, "{refused}");
        let expected = json!({"notes": ["The notes field must not contain U+0000."]});
        assert_eq!(refused.json["errors"], expected);
    }
}
