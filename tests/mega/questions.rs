//! Every type and relation over HTTP.

use everything::api_resources::kitchen_sinks::{KitchenSink, KitchenSinkRelations};
use formwork::prelude::{Json, Loaded, Model, Result, json};
use formwork::testing::{Client, Service};

/// Every relation has a typed accessor, whatever it is called.
fn relate(sink: &Loaded<KitchenSink>) -> Result<usize> {
    let to_one = [sink.plug()?.is_some(), sink.cover()?.is_some(), sink.r#match()?.is_some()];
    let taps = [sink.taps()?.len(), sink.record_()?.len()];
    let copies: Vec<&KitchenSink> = sink.clone_()?;
    let tap = sink.first_tap()?.map(|tap| tap.key()) == sink.first_tap_()?.map(|tap| tap.key());
    Ok(taps.into_iter().sum::<usize>() + copies.len() + to_one.len() + usize::from(tap))
}

#[test]
fn a_blank_record_relates_to_no_other() {
    assert_eq!(relate(&Loaded::blank(KitchenSink::defaults())).expect("blank"), 4);
}

/// A value for every attribute a body may write.
fn everything(room: &Json) -> Json {
    json!({
        "label": "Sink", "code": "AB-123", "letters": "abc", "pattern": "AB12", "notes": "plain", "small": -5,
        "large": 9_223_372_036_854_775_807_i64, "ratio": 1.25, "price": "12345678901.2345", "weight": "1.50",
        "active": true, "starts_on": "2026-02-28", "opens_at": "08:30", "closes_at": "22:15",
        "seen_at": "2026-01-31T12:00:00+01:00", "extra": { "deep": [1, "two", null] }, "tags": ["a", "b"],
        "token": "0190f5fe-7b5a-7c3e-8f3e-2b8a6d1c4e5f", "size_name": "large", "mail": "sink@example.com",
        "link": "https://example.com/sink", "kind": "used", "forbidden_kind": "fine", "reason": "because",
        "phone": "1", "secret": "s3cret", "secret_confirmation": "s3cret", "same_label": "Sink", "checked": true,
        "type": "double", "presented": "yes", "room_id": room,
    })
}

#[test]
fn a_rule_of_ones_own_is_to_be_written() {
    let service = Service::start(mega::extensions());
    let mut body = everything(&Json::Null);
    let admin = service.admin();
    let stored = admin.post("/api/kitchen_sinks", body.clone());
    assert_eq!(stored.status, 201, "it looks at what was sent: {stored}");
    body["sealed"] = json!("yes");
    body["code"] = json!("AB-124");
    let unfinished = admin.post("/api/kitchen_sinks", body);
    assert_eq!(unfinished.status, 500, "{unfinished}");
}

fn store(client: &Client, path: &str, body: Json) -> Json {
    let answer = client.post(path, body);
    assert_eq!(answer.status, 201, "{answer}");
    answer.json["data"].clone()
}

#[test]
fn every_value_comes_back_as_it_was_sent() {
    let service = Service::start(mega::extensions());
    let admin = service.admin();
    let room = store(&service.guest(), "/api/rooms", json!({ "name": "Kitchen" }))["id"].clone();
    assert!(room.as_str().is_some_and(|id| id.len() == 36), "{room}");
    let body = everything(&room);
    let stored = store(&admin, "/api/kitchen_sinks", body.clone());
    let changed = [
        ("opens_at", json!("08:30:00")),
        ("seen_at", json!("2026-01-31T11:00:00Z")),
        ("secret", Json::Null),
        ("secret_confirmation", Json::Null),
    ];
    for answer in [
        stored.clone(),
        admin
            .get(&format!("/api/kitchen_sinks/{}", stored["id"]))
            .json["data"]
            .clone(),
    ] {
        for (name, sent) in body.as_object().expect("an object") {
            let expected = changed
                .iter()
                .find(|(known, _)| known == name)
                .map_or(sent, |(_, value)| value);
            assert_eq!(
                answer.get(name).unwrap_or(&Json::Null),
                expected,
                "{name}: {answer}"
            );
        }
        assert_eq!(answer["count_of_uses"], 3, "the default");
        assert_eq!(answer["title"], "Sink", "transformed");
        assert_eq!(
            answer["links"][0]["uri"],
            format!("/api/kitchen_sinks/{}", answer["id"])
        );
        for hidden in ["secret", "hidden_note"] {
            assert!(answer.get(hidden).is_none(), "{hidden}");
        }
    }
}

#[test]
fn all_broken_rules_are_reported_at_once() {
    let service = Service::start(mega::extensions());
    let broken = json!({
        "label": "x", "code": "ab 12", "letters": "a1", "pattern": "ab", "notes": "x".repeat(1029), "small": 6,
        "large": "many", "ratio": 9.75, "price": "-1", "weight": "1.555", "active": "perhaps", "starts_on": "2026-02-30",
        "opens_at": "25:00", "closes_at": "9", "seen_at": "yesterday", "tags": "a", "token": "no", "size_name": "huge",
        "mail": "no", "link": "no", "kind": "old", "forbidden_kind": "lost", "same_label": "other",
        "parent_code": "nobody", "count_of_uses": -1, "secret": "s", "secret_confirmation": "t",
    });
    let answer = service.admin().post("/api/kitchen_sinks", broken.clone());
    assert_eq!(answer.status, 422, "{answer}");
    let errors = answer.json["errors"].as_object().expect("errors");
    for name in broken
        .as_object()
        .expect("an object")
        .keys()
        .filter(|name| *name != "secret_confirmation")
    {
        assert!(errors.contains_key(name), "{name}: {answer}");
    }
    let answer = service.admin().post(
        "/api/kitchen_sinks",
        json!({ "label": "ok", "code": "ABC123", "price": "1", "kind": "used" }),
    );
    assert_eq!(answer.status, 422, "{answer}");
    for name in ["reason", "phone"] {
        assert!(answer.json["errors"][name].is_array(), "{name}: {answer}");
    }
}

#[test]
fn every_relation_reads() {
    let service = Service::start(mega::extensions());
    let admin = service.admin();
    let room = store(&service.guest(), "/api/rooms", json!({ "name": "Kitchen" }))["id"].clone();
    let sink = store(&admin, "/api/kitchen_sinks", everything(&room))["id"].clone();
    let ctx = service.context();
    service.block_on(async {
        for sql in [
            "INSERT INTO plugs (plug_id, material, sink_id) VALUES (1, 'rubber', 1)",
            "INSERT INTO taps (tap_id, position, sink_id) VALUES (1, 1, 1), (2, 2, 1), (3, 2, 1)",
            "INSERT INTO brands (brand_id, name) VALUES (1, 'A'), (2, 'B')",
            "INSERT INTO labels (label_id, text, good) VALUES (1, 'bad', 0), (2, 'good', 1)",
            "INSERT INTO pictures (picture_id, file, picturable_type, picturable_id) VALUES (1, 'a.png', 'kitchen_sinks', 1)",
        ] {
            ctx.db().execute(sql, vec![]).await.expect("rows");
        }
    });
    let path = format!("/api/kitchen_sinks/{sink}");
    let answer = admin.patch(
        &path,
        json!({ "count_of_uses": 4, "brands": [2], "labels": [1, 2] }),
    );
    assert_eq!(answer.status, 200, "{answer}");
    let include = "room.sinks,taps,first_tap,brands,cover,pictures,labels,good_labels";
    for path in [
        format!("{path}?include={include}"),
        format!("/api/kitchen_sinks?include={include}"),
    ] {
        let answer = admin.get(&path);
        assert_eq!(answer.status, 200, "{answer}");
        let data = &answer.json["data"];
        let record = if data.is_array() { &data[0] } else { data };
        let ids = |name: &str| -> Vec<i64> {
            let list = record[name]
                .as_array()
                .unwrap_or_else(|| panic!("{name}: {answer}"));
            list.iter()
                .map(|one| one["id"].as_i64().expect("an id"))
                .collect()
        };
        assert_eq!(record["room"]["id"], room, "{answer}");
        assert_eq!(record["room"]["sinks"][0]["id"], sink, "{answer}");
        assert_eq!(
            record["plug"]["material"], "rubber",
            "shown unless excluded"
        );
        assert_eq!(ids("taps"), [2, 3, 1], "by position descending, then key");
        assert_eq!(record["first_tap"]["id"], 1, "{answer}");
        assert_eq!(ids("brands"), [2]);
        assert_eq!(record["cover"]["file"], "a.png");
        assert_eq!(ids("pictures"), [1]);
        assert_eq!(ids("labels"), [1, 2]);
        assert_eq!(ids("good_labels"), [2]);
    }
    let excluded = admin.get(&format!("{path}?exclude=plug"));
    assert!(excluded.json["data"].get("plug").is_none(), "{excluded}");
    assert_eq!(
        service
            .guest()
            .get(&format!("{path}?include=pictures"))
            .status,
        403,
        "for users alone"
    );
}

#[test]
fn blank_and_filled_forms_list_the_writable_attributes() {
    let service = Service::start(mega::extensions());
    let admin = service.admin();
    let blank = admin.get("/api/kitchen_sinks/create");
    assert_eq!(blank.status, 200, "{blank}");
    assert_eq!(blank.json["data"]["size_name"], "small");
    assert!(
        blank.json["meta"]["form"].to_string().contains("label"),
        "{blank}"
    );
    assert!(
        !blank.json["meta"]["form"].to_string().contains("hash"),
        "{blank}"
    );
    let room = store(&service.guest(), "/api/rooms", json!({ "name": "Kitchen" }))["id"].clone();
    let sink = store(&admin, "/api/kitchen_sinks", everything(&room))["id"].clone();
    let edit = admin.get(&format!("/api/kitchen_sinks/{sink}/edit"));
    assert_eq!(edit.status, 200, "{edit}");
    assert_eq!(edit.json["data"]["label"], "Sink");
    // The rules of one attribute differ by action; the names do not.
    let named = |answer: &Json, wanted: &str| {
        let form = answer["meta"]["form"].as_array().expect("a form").clone();
        form.into_iter()
            .find(|field| field["name"] == wanted)
            .expect("the attribute")["rules"]
            .clone()
    };
    assert_eq!(named(&blank.json, "code"), named(&edit.json, "code"));
    assert!(
        named(&edit.json, "count_of_uses")
            .to_string()
            .contains("required")
    );
    assert!(
        !named(&blank.json, "count_of_uses")
            .to_string()
            .contains("required")
    );
}

#[test]
fn conditions_find_rows_by_columns_of_every_type() {
    let service = Service::start(mega::extensions());
    let admin = service.admin();
    let value = |price: &str, at: &str, twin: &Json| {
        let body = json!({ "title": "v", "price": price, "at": at, "twin_id": twin });
        store(&admin, "/api/filter_values", body)["id"].clone()
    };
    let one = value("1", "2026-01-31T12:00:00Z", &Json::Null);
    let wanted = value("4.5", "2026-01-31T12:00:00Z", &one);
    value("5", "2026-01-31T12:00:00Z", &one);
    value("4.5", "2026-01-31T13:00:00Z", &one);
    let answer = admin.get(&format!("/api/filter_values/{one}?include=cheap"));
    let cheap = answer.json["data"]["cheap"].as_array();
    let ids: Vec<&Json> = cheap.into_iter().flatten().map(|one| &one["id"]).collect();
    assert_eq!(ids, [&wanted], "{answer}");
}

#[test]
fn fields_that_are_one_in_rust_stay_two_in_answers() {
    let service = Service::start(mega::extensions());
    let admin = service.admin();
    let sent = json!({ "title": "t", "notes": "n", "type": "x", "price": "3" });
    let rest = store(&admin, "/api/rest", sent.clone());
    assert_eq!(
        (&rest["dishName"], &rest["dish_name"]),
        (&json!("t"), &json!("n"))
    );
    let resource = store(&admin, "/api/resources", sent);
    let all = ["attributes", "title", "notes", "type"].map(|name| &resource[name]);
    assert_eq!(all, [&json!("t"), &json!("t"), &json!("n"), &json!("x")]);
}
