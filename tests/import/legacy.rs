//! A SQLite file as other programs leave it: values of other types than the tables declare, date-times in several forms,
//! tables of modules, views that are broken.

use formwork_tests::client::Client;
use formwork_tests::server::Database;
use serde_json::{Value, json};

use crate::{LEGACY, SHOP, import, on_sqlite};

#[test]
fn a_pivot_without_its_targets_is_a_resource() {
    let (database, project) = on_sqlite(SHOP);
    database.run(LEGACY);
    let tables = ["--tables", "event_dish,events,broken"];
    let ran = import(&project, &database, &tables).exits(0);
    ran.says("broken: not imported: it cannot be read: ");
    let text = project.read("extensions/app/resources/event_dishes.yaml");
    assert!(text.contains("belongs_to: events\n"), "{text}");
    let note = "# Not a relation: the foreign key `dish_id` to `dishes.id`, because that table is not imported.\n";
    assert!(text.contains(note), "{text}");
}

/// The key of a row of `vouchers`.
pub const UPPER_CASE_KEY: &str = "0B1F2A8E-1C1D-4B2A-9A55-0D9D6F1F1C11";

/// Asks for rows whose key is a UUID in upper case, which databases compare as it is stored.
pub fn ask_for_upper_case_keys(admin: &Client, ids: &[i64]) {
    let key = UPPER_CASE_KEY;
    let shown = admin.get(&format!("/api/vouchers/{key}"));
    assert_eq!(shown.status, 200, "{shown}");
    assert_eq!(shown.json["data"]["label"], "Lunch", "{shown}");
    let uses = admin.get(&format!(
        "/api/voucher_uses?filter[voucher_id]={key}&include=voucher"
    ));
    assert_eq!(uses.ids(), ids, "{uses}");
    for one in uses.records() {
        assert_eq!(one["voucher"]["label"], "Lunch", "{uses}");
    }
}

/// Date-times in the forms of several programs are one to the service, and it writes the common one.
pub fn ask(admin: &Client, database: &Database) {
    let named = |query: &str| -> Vec<String> {
        let list = admin.get(&format!("/api/events?{query}"));
        assert_eq!(list.status, 200, "{query}: {list}");
        let names = list
            .records()
            .iter()
            .map(|one| one["name"].as_str().unwrap_or_default().to_owned());
        names.collect()
    };
    assert_eq!(
        named("filter[starts_at]=2026-01-31T12:00:00Z"),
        ["Laravel", "Rails"]
    );
    assert_eq!(
        named("filter[starts_at][gt]=2026-01-31T12:00:00Z&sort=-starts_at"),
        ["Django", "Formwork"]
    );
    assert_eq!(
        named("filter[starts_at][lte]=2026-01-31T12:00:00Z"),
        ["Laravel", "Rails"]
    );
    assert_eq!(
        named(
            "filter[starts_at][in]=2026-01-31T13:00:00.5Z,2026-01-31T13:30:00%2B01:00&sort=starts_at"
        ),
        ["Formwork", "Django"]
    );
    let in_order = ["Laravel", "Rails", "Formwork", "Django"];
    assert_eq!(named("sort=starts_at"), in_order);
    assert_eq!(pages(admin), in_order, "by cursor");
    let body = json!({ "name": "Ours", "starts_at": "2026-01-31T12:45:00Z", "day": "2026-01-31T00:00:00Z", "level": 3 });
    let stored = admin.post("/api/events", &body);
    assert_eq!(stored.status, 201, "{stored}");
    assert_eq!(named("filter[starts_at]=2026-01-31T12:45:00Z"), ["Ours"]);
    assert_eq!(
        named("sort=starts_at"),
        ["Laravel", "Rails", "Formwork", "Ours", "Django"]
    );
    let changed = admin.patch(
        "/api/events/1",
        &json!({ "starts_at": "2026-02-01T00:00:00.25Z" }),
    );
    assert_eq!(changed.status, 200, "{changed}");
    let sql = "SELECT starts_at FROM events WHERE name IN ('Ours', 'Laravel') ORDER BY 1";
    let written = database.texts(sql);
    assert_eq!(
        written,
        ["2026-01-31 12:45:00", "2026-02-01 00:00:00.250000"]
    );
    let sql =
        "SELECT 'x' FROM events WHERE created_at NOT GLOB '????-??-?? ??:??:??*' AND name = 'Ours'";
    assert!(database.texts(sql).is_empty(), "the stamps too");
    others(admin);
}

/// The names of all events, a page of one after the other.
fn pages(admin: &Client) -> Vec<String> {
    let mut path = "/api/events?sort=starts_at&page[size]=1&page[after]=".to_owned();
    let mut names = Vec::new();
    while names.len() < 9 {
        let page = admin.get(&path);
        assert_eq!(page.status, 200, "{page}");
        names.extend(
            page.records()
                .iter()
                .filter_map(|one| one["name"].as_str().map(str::to_owned)),
        );
        let Some(next) = page.json["links"]["next"].as_str() else {
            break;
        };
        path = next.to_owned();
    }
    names
}

/// Tables with odd keys and odd values.
fn others(admin: &Client) {
    let mess = admin.get("/api/messes?sort=id");
    assert_eq!(mess.status, 200, "{mess}");
    let first = &mess.records()[0];
    assert_eq!(
        (&first["flag"], &first["seen"]),
        (&json!("t"), &json!(1_767_225_600)),
        "{mess}"
    );
    assert_eq!(first.get("amount"), None, "{mess}");
    let album = admin.post("/api/albums", &json!({ "Title": "Kind of" }));
    assert_eq!(
        (album.status, &album.json["data"]["id"]),
        (201, &json!(2)),
        "{album}"
    );
    let shown = admin.get("/api/albums/2");
    assert_eq!(shown.json["data"]["Title"], "Kind of", "{shown}");
    assert_eq!(
        admin
            .get("/api/albums?filter[AlbumId]=2&sort=-AlbumId")
            .ids(),
        [2]
    );
    assert_eq!(
        admin.post("/api/codes", &json!({ "name": "two" })).status,
        405
    );
    let settings = admin.get("/api/account_settings/1?include=account");
    assert_eq!(
        settings.json["data"]["account"]["login"], "ann",
        "{settings}"
    );
    let account = admin.get("/api/accounts/2?include=account_setting");
    assert_eq!(
        account.json["data"]["account_setting"],
        Value::Null,
        "{account}"
    );
    for level in [4, 0] {
        let body = json!({ "name": "x", "starts_at": "2026-01-31T12:45:00Z", "level": level });
        let answer = admin.post("/api/events", &body);
        assert_eq!(answer.status, 422, "{answer}");
        assert!(answer.json["errors"]["level"].is_array(), "{answer}");
    }
    let follow = admin.post("/api/follows", &json!({ "event_id": 1, "account_id": 2 }));
    assert_eq!(follow.status, 201, "its timestamps are set: {follow}");
    polymorphic(admin);
    undeclared(admin);
    for options in [json!(-1), json!(1.5), json!("5"), json!([5])] {
        let changed = admin.patch(
            "/api/settings/1",
            &json!({ "options": options, "note": "" }),
        );
        assert_eq!(changed.status, 200, "{changed}");
        assert_eq!(changed.json["data"]["options"], options, "{changed}");
    }
    assert_eq!(admin.get("/api/settings/2").json["data"]["options"], 5);
    let body = json!({ "name": "LARAVEL", "starts_at": "2026-01-31T12:45:00Z" });
    let answer = admin.post("/api/events", &body);
    assert_eq!(answer.status, 422, "{answer}");
    assert!(
        answer.json["errors"]["events_lower_name"].is_array(),
        "{answer}"
    );
    let event = admin.get("/api/events/1?include=tags,event_tags,dishes");
    assert_eq!(event.json["data"]["tags"][0]["label"], "hot", "{event}");
    let event = admin.get("/api/events/1?include=accounts");
    assert_eq!(event.json["data"]["accounts"][0]["login"], "bo", "{event}");
    let traces = admin.get("/api/traces?include=subject&sort=id");
    assert_eq!(traces.status, 200, "{traces}");
    assert_eq!(traces.records()[1]["subject_id"], "b1", "{traces}");
}

/// Columns of types that a manifest lacks are read and written as what their rows hold.
fn undeclared(admin: &Client) {
    let orphan = admin.patch("/api/orphans/1", &json!({ "label": "y", "fee": 2.5 }));
    assert_eq!(orphan.status, 200, "{orphan}");
    // SQLite makes a number of the text `7` in a column STRING.
    let odd = json!({ "name": "7", "stock": 5, "cost": 4.0 });
    let refused = admin.post("/api/products", &odd);
    assert_eq!(refused.status, 422, "{refused}");
    assert!(refused.json["errors"]["name"].is_array(), "{refused}");
    let brand = admin.post("/api/brands", &json!({ "name": "Oolong 7" }));
    assert_eq!(brand.status, 201, "{brand}");
    let record = (&brand.json["data"]["name"], &brand.json["data"]["origin"]);
    assert_eq!(record, (&json!("Oolong 7"), &json!("Assam")), "{brand}");
    assert_eq!(admin.get("/api/brands?filter[name]=Oolong%207").ids(), [2]);
    for name in [json!("7"), json!(" -1.5e3 "), json!(7), Value::Null] {
        let refused = admin.post("/api/brands", &json!({ "name": name }));
        assert_eq!(refused.status, 422, "{refused}");
        assert!(refused.json["errors"]["name"].is_array(), "{refused}");
    }
    let body = json!({ "stock": 5, "cost": 4.0, "sold": "2026-02-01T08:00:00Z", "memo": "7" });
    let stored = admin.post("/api/products", &body);
    assert_eq!(stored.status, 201, "{stored}");
    let list = admin.get("/api/products?filter[cost][gte]=2.5&sort=id");
    assert_eq!(list.status, 200, "{list}");
    let first = &list.records()[0];
    assert_eq!(
        (
            &first["name"],
            &first["stock"],
            &first["cost"],
            &first["memo"]
        ),
        (&json!("Tea"), &json!(3), &json!(2.5), &json!("dry")),
        "{list}"
    );
    let last = &list.records()[2];
    assert_eq!(
        (&last["name"], &last["stock"], &last["cost"], &last["memo"]),
        (&Value::Null, &json!(5), &json!(4.0), &json!("7")),
        "{list}"
    );
    let sold = admin.get("/api/products?filter[sold]=2026-01-31T12:00:00Z");
    assert_eq!(sold.ids(), [1], "{sold}");
    assert_eq!(admin.get("/api/units/kg").json["data"]["label"], "Kilogram");
}

/// Polymorphic pivots whose rows need timestamps: one with a key is a resource, which sets them; the other is a list
/// that is read only.
fn polymorphic(admin: &Client) {
    let body = json!({ "tag_id": 1, "stickable_type": "Event", "stickable_id": 1 });
    let sticker = admin.post("/api/stickers", &body);
    assert_eq!(sticker.status, 201, "{sticker}");
    for stamp in ["created_at", "updated_at"] {
        assert!(sticker.json["data"][stamp].is_string(), "{sticker}");
    }
    let path = "/api/events/1?include=tags_by_labelable,stickers.tag";
    let event = admin.get(path);
    let record = &event.json["data"];
    assert_eq!(record["tags_by_labelable"][0]["label"], "hot", "{event}");
    assert_eq!(record["stickers"][0]["tag"]["label"], "new", "{event}");
    assert_eq!(record["stickers"][1]["tag"]["label"], "hot", "{event}");
    let changed = admin.patch("/api/events/1", &json!({ "tags_by_labelable": [2] }));
    assert_eq!(changed.status, 200, "{changed}");
    let event = admin.get(path);
    assert_eq!(
        event.json["data"]["tags_by_labelable"], record["tags_by_labelable"],
        "{event}"
    );
}
