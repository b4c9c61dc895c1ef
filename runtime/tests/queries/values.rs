//! Values as they are accepted and shown: docs/contract.md, "Values".

use formwork::{
    prelude::*,
    testing::{Answer, Service},
};

use super::{MEDIA, museum, museum::Thing};

/// An attribute, the value that is sent, the value that is returned.
const ACCEPTED: &str = r#"
title | "  Amphora " | "Amphora"
floor | "7" | 7
floor | 7.0 | 7
floor | 2147483647 | 2147483647
floor | -2147483648 | -2147483648
visits | 9007199254740993 | 9007199254740993
visits | "9007199254740993" | 9007199254740993
visits | 9223372036854775807 | 9223372036854775807
visits | -9223372036854775808 | -9223372036854775808
visits | "9223372036854775807" | 9223372036854775807
visits | "-9223372036854775808" | -9223372036854775808
visits | null | 0
weight | 1.5 | 1.5
weight | "1e100" | 1e100
weight | "" | null
price | 4.9 | "4.90"
price | "4.9" | "4.90"
price | 5 | "5.00"
price | "4.900000" | "4.90"
price | "-0.01" | "-0.01"
price | null | "0.00"
price | "9999999999999999.99" | "9999999999999999.99"
native | "0.1" | "0.100"
open | 1 | true
open | "0" | false
open | 0 | false
open | "1" | true
open | false | false
open | null | false
open | true | true
made_on | "2026-01-31" | "2026-01-31"
made_on | " " | null
shown_at | "09:30" | "09:30:00"
shown_at | "09:30:15" | "09:30:15"
shown_at | null | null
found_at | "2026-01-31T12:00:00+02:00" | "2026-01-31T10:00:00Z"
found_at | "2026-01-31 10:00:00" | "2026-01-31T10:00:00Z"
found_at | "" | null
code | "67E55044-10B1-426F-9247-BB680E5FE0C8" | "67e55044-10b1-426f-9247-bb680e5fe0c8"
extra | {"a": [1, null, {"b": " c "}], "d": 1.5} | {"a": [1, null, {"b": " c "}], "d": 1.5}
extra | " text " | " text "
extra | null | null
"#;

/// An attribute, and values in none of its forms or beyond the range of its column.
const REJECTED: &str = r#"
title | [5, true, ["x"], {}, null, " "]
floor | [2147483648, -2147483649, 1.5, ""]
visits | [9223372036854775808, "9223372036854775808", "1.0", true]
weight | ["NaN", "heavy", true, [1]]
price | ["0.001", 0.001, "99999999999999999", "", "1,5"]
native | ["0.0001", "x"]
open | ["true", "yes", 2, "", []]
made_on | ["2026-02-30", "30.01.2026", 20260130, "2026-01-30T00:00:00Z"]
shown_at | ["24:00", "9:30", "09:30Z", 930]
found_at | ["2026-01-31", "soon", 1767225600]
code | ["1", "67e5504410b1426f9247bb680e5fe0c8"]
"#;

fn accepted() -> Vec<(&'static str, Json, Json)> {
    let row = |line: &'static str| {
        let [attribute, sent, shown] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        (
            attribute,
            sent.parse().expect(line),
            shown.parse().expect(line),
        )
    };
    ACCEPTED.trim().lines().map(row).collect()
}

/// Sends a new thing in one of the representations.
fn send(service: &Service, media: &str, members: &Json) -> Answer {
    let body = match media == MEDIA[1] {
        true => json!({"data": {"type": "things", "attributes": members}}),
        false => members.clone(),
    };
    let client = service.admin().header("Accept", media);
    client
        .header("Content-Type", media)
        .post("/api/things", body)
}

/// Stores a thing, and returns the attributes that are shown of it.
fn stored(service: &Service, media: &str, members: &Json) -> Json {
    let answer = send(service, media, members);
    assert_eq!(answer.status, 201, "{answer}");
    let client = service.admin().header("Accept", media);
    let shown = client.get(answer.header("location").expect("an address"));
    let data = &shown.json["data"];
    assert_eq!(*data, answer.json["data"], "the answer is what is stored");
    let is_document = media == MEDIA[1];
    assert_eq!(data["id"].is_string(), is_document, "{shown}");
    match is_document {
        true => data["attributes"].clone(),
        false => data.clone(),
    }
}

#[test]
fn values_are_shown_in_one_form_and_accepted_in_several() {
    let service = museum();
    for media in MEDIA {
        for (attribute, sent, shown) in accepted() {
            let mut members = json!({"title": "x"});
            members[attribute] = sent.clone();
            let members = stored(&service, media, &members);
            assert_eq!(members[attribute], shown, "{attribute}: {sent}");
        }
    }
}

/// Shown values can be sent back, and stay the same.
#[test]
fn shown_values_can_be_written_back() {
    let service = museum();
    let mut members = json!({});
    for (attribute, sent, _) in accepted() {
        members[attribute] = sent;
    }
    for media in MEDIA {
        let first = stored(&service, media, &members);
        let mut again = stored(&service, media, &first);
        if let Some(id) = first.get("id") {
            again["id"] = id.clone();
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

#[test]
fn values_that_do_not_fit_are_named() {
    let service = museum();
    for line in REJECTED.trim().lines() {
        let (attribute, values) = line.split_once(" | ").expect(line);
        let values: Vec<Json> = serde_json::from_str(values).expect(line);
        for value in values {
            let mut members = json!({"title": "x"});
            members[attribute] = value.clone();
            let [answer, document] = MEDIA.map(|media| send(&service, media, &members));
            assert_eq!(answer.status, 422, "{attribute}: {value}: {answer}");
            let fields = answer.json["errors"].as_object().expect("errors");
            assert_eq!(fields.keys().collect::<Vec<_>>(), [attribute], "{answer}");
            assert_eq!(document.status, 422, "{attribute}: {value}: {document}");
            let pointer = &document.json["errors"][0]["source"]["pointer"];
            let expected = format!("/data/attributes/{attribute}");
            assert_eq!(*pointer, *expected, "{document}");
        }
    }
    let total = &service.admin().get("/api/things?shown=all").json["meta"]["pagination"]["total"];
    assert_eq!(total, 5, "nothing was stored");
}
