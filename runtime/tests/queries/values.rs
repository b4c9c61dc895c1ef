//! Values as they are accepted and shown: docs/contract.md, "Values".

use formwork::{prelude::*, testing::Service};

use super::{museum, museum::Thing};

/// An attribute, what is sent, what is shown.
fn table() -> Vec<(&'static str, Json, Json)> {
    let uuid = "67e55044-10b1-426f-9247-bb680e5fe0c8";
    let large = 9_007_199_254_740_993_i64;
    let json_value = json!({"a": [1, null, {"b": " c "}], "d": 1.5});
    vec![
        ("title", json!("  Amphora "), json!("Amphora")),
        ("floor", json!("7"), json!(7)),
        ("floor", json!(7.0), json!(7)),
        ("visits", json!(large), json!(large)),
        ("visits", json!(large.to_string()), json!(large)),
        ("visits", json!(i64::MAX), json!(i64::MAX)),
        ("visits", json!(i64::MIN), json!(i64::MIN)),
        ("visits", json!(i64::MAX.to_string()), json!(i64::MAX)),
        ("visits", json!(i64::MIN.to_string()), json!(i64::MIN)),
        ("visits", json!(null), json!(0)),
        ("floor", json!(i32::MAX), json!(i32::MAX)),
        ("floor", json!(i32::MIN), json!(i32::MIN)),
        ("weight", json!(1.5), json!(1.5)),
        ("weight", json!("1e100"), json!(1e100)),
        ("weight", json!(""), json!(null)),
        ("price", json!(4.9), json!("4.90")),
        ("price", json!("4.9"), json!("4.90")),
        ("price", json!(5), json!("5.00")),
        ("price", json!("4.900000"), json!("4.90")),
        ("price", json!("-0.01"), json!("-0.01")),
        ("price", json!(null), json!("0.00")),
        (
            "price",
            json!("9999999999999999.99"),
            json!("9999999999999999.99"),
        ),
        ("native", json!("0.1"), json!("0.100")),
        ("open", json!(1), json!(true)),
        ("open", json!("0"), json!(false)),
        ("open", json!(0), json!(false)),
        ("open", json!("1"), json!(true)),
        ("open", json!(false), json!(false)),
        ("open", json!(null), json!(false)),
        ("open", json!(true), json!(true)),
        ("made_on", json!("2026-01-31"), json!("2026-01-31")),
        ("shown_at", json!("09:30"), json!("09:30:00")),
        ("shown_at", json!("09:30:15"), json!("09:30:15")),
        (
            "found_at",
            json!("2026-01-31T12:00:00+02:00"),
            json!("2026-01-31T10:00:00Z"),
        ),
        (
            "found_at",
            json!("2026-01-31 10:00:00"),
            json!("2026-01-31T10:00:00Z"),
        ),
        ("found_at", json!(""), json!(null)),
        ("made_on", json!(" "), json!(null)),
        ("shown_at", json!(null), json!(null)),
        ("code", json!(uuid.to_uppercase()), json!(uuid)),
        ("extra", json_value.clone(), json_value),
        ("extra", json!(" text "), json!(" text ")),
        ("extra", json!(null), json!(null)),
    ]
}

fn stored(service: &Service, json_api: bool, members: Json) -> Json {
    let media = match json_api {
        true => "application/vnd.api+json",
        false => "application/json",
    };
    let body = match json_api {
        true => json!({"data": {"type": "things", "attributes": members}}),
        false => members,
    };
    let client = service
        .admin()
        .header("Accept", media)
        .header("Content-Type", media);
    let answer = client.post("/api/things", body);
    assert_eq!(answer.status, 201, "{answer}");
    let shown = client.get(answer.header("location").expect("an address"));
    assert_eq!(
        shown.json["data"], answer.json["data"],
        "what is stored is what is shown"
    );
    let data = &shown.json["data"];
    assert_eq!(data["id"].is_string(), json_api, "{shown}");
    match json_api {
        true => data["attributes"].clone(),
        false => data.clone(),
    }
}

#[test]
fn values_are_shown_in_one_form_and_accepted_in_several() {
    let service = museum();
    for json_api in [false, true] {
        for (attribute, sent, shown) in table() {
            let mut members = json!({"title": "x"});
            members[attribute] = sent.clone();
            let seen = stored(&service, json_api, members);
            assert_eq!(seen[attribute], shown, "{attribute}: {sent}");
        }
    }
}

/// Shown values can be sent back, and stay the same.
#[test]
fn shown_values_can_be_written_back() {
    let service = museum();
    let mut members = json!({});
    for (attribute, sent, _) in table() {
        members[attribute] = sent;
    }
    for json_api in [false, true] {
        let first = stored(&service, json_api, members.clone());
        let mut again = stored(&service, json_api, first.clone());
        if !json_api {
            again["id"] = first["id"].clone();
        }
        assert_eq!(again, first);
    }
}

#[test]
fn years_of_five_digits_are_not_stored() {
    let service = museum();
    let ctx = service.context();
    let thing = |year| Thing {
        made_on: Date::from_ymd_opt(year, 12, 31),
        found_at: Date::from_ymd_opt(year, 1, 1).map(|day| day.and_time(Time::MIN).and_utc()),
        ..Thing::defaults()
    };
    for year in [10_000, -1] {
        let mut late = thing(year);
        let refused = service.block_on(late.insert(&ctx)).expect_err("no year");
        let Error::Validation(errors) = refused else {
            panic!("{refused}");
        };
        let fields: Vec<&str> = errors.iter().map(|(field, _)| field).collect();
        assert_eq!(fields, ["found_at", "made_on"]);
    }
    let mut last = thing(9999);
    service.block_on(last.insert(&ctx)).expect("a year");
    last.made_on = Date::from_ymd_opt(10_000, 1, 1);
    let refused = service.block_on(last.update(&ctx)).expect_err("no year");
    assert_eq!(refused.status(), 422);
}

/// A value in none of the forms, or beyond its column's range, is a 422 on its field.
#[test]
fn values_that_do_not_fit_are_named() {
    let service = museum();
    let beyond = "9223372036854775808";
    for (attribute, wrong) in [
        (
            "title",
            vec![
                json!(5),
                json!(true),
                json!(["x"]),
                json!({}),
                json!(null),
                json!(" "),
            ],
        ),
        (
            "floor",
            vec![
                json!(2_147_483_648_i64),
                json!(-2_147_483_649_i64),
                json!(1.5),
                json!(""),
            ],
        ),
        (
            "visits",
            vec![
                json!(9_223_372_036_854_775_808_u64),
                json!(beyond),
                json!("1.0"),
                json!(true),
            ],
        ),
        (
            "weight",
            vec![json!("NaN"), json!("heavy"), json!(true), json!([1])],
        ),
        (
            "price",
            vec![
                json!("0.001"),
                json!(0.001),
                json!("99999999999999999"),
                json!(""),
                json!("1,5"),
            ],
        ),
        ("native", vec![json!("0.0001"), json!("x")]),
        (
            "open",
            vec![json!("true"), json!("yes"), json!(2), json!(""), json!([])],
        ),
        (
            "made_on",
            vec![
                json!("2026-02-30"),
                json!("30.01.2026"),
                json!(20260130),
                json!("2026-01-30T00:00:00Z"),
            ],
        ),
        (
            "shown_at",
            vec![json!("24:00"), json!("9:30"), json!("09:30Z"), json!(930)],
        ),
        (
            "found_at",
            vec![json!("2026-01-31"), json!("soon"), json!(1_767_225_600)],
        ),
        (
            "code",
            vec![json!("1"), json!("67e5504410b1426f9247bb680e5fe0c8")],
        ),
    ] {
        for value in wrong {
            let mut members = json!({"title": "x"});
            members[attribute] = value.clone();
            let plain = service.admin().post("/api/things", members.clone());
            assert_eq!(plain.status, 422, "{attribute}: {value}: {plain}");
            let fields = plain.json["errors"].as_object().expect("errors");
            assert_eq!(fields.keys().collect::<Vec<_>>(), [attribute], "{plain}");
            let media = "application/vnd.api+json";
            let client = service.admin().header("Accept", media);
            let client = client.header("Content-Type", media);
            let body = json!({"data": {"type": "things", "attributes": members}});
            let document = client.post("/api/things", body);
            assert_eq!(document.status, 422, "{attribute}: {value}: {document}");
            let error = &document.json["errors"][0];
            let place = format!("/data/attributes/{attribute}");
            assert_eq!(error["source"]["pointer"], place.as_str(), "{document}");
        }
    }
    let total = &service.admin().get("/api/things?shown=all").json["meta"]["pagination"]["total"];
    assert_eq!(total, 5, "nothing was stored");
}
