//! Bodies that match the description are accepted, other ones are refused.

use formwork::{
    data::value::Json,
    testing::{Answer, Service},
};
use serde_json::json;

use crate::{JSON_API, described as of, described::Described, magazine};

/// A ride that keeps every rule.
fn ride() -> Json {
    json!({
        "name": "Ride", "price": "7.50", "seats": 4, "owner_id": null, "begins": "09:30", "code": "abcd",
        "code_confirmation": "abcd",
        "extra": {"note": "Sunny", "stops": [{"at": "https://example.com/"}]},
    })
}

/// Changes to it that break one rule each, and the field of the message.
fn broken() -> Vec<(&'static str, Json, &'static str)> {
    vec![
        ("name", json!("R"), "name"),
        ("name", json!("R".repeat(21)), "name"),
        ("name", json!("ride"), "name"),
        ("name", json!(["Ride"]), "name"),
        ("name", Json::Null, "name"),
        ("price", json!("x"), "price"),
        ("price", json!("12345.00"), "price"),
        ("price", json!("1.234"), "price"),
        ("price", json!(0.25), "price"),
        ("price", json!(10_000), "price"),
        ("price", json!("-1"), "price"),
        ("price", json!({}), "price"),
        ("seats", json!(3), "seats"),
        ("seats", json!([]), "seats"),
        ("begins", json!("25:00"), "begins"),
        ("code", json!("abcde"), "code"),
        ("extra", json!("x"), "extra"),
        (
            "extra",
            json!({"note": "Sunny", "stops": [{}], "more": 1}),
            "extra",
        ),
        (
            "extra",
            json!({"stops": [{"at": "https://example.com/"}]}),
            "extra.note",
        ),
        (
            "extra",
            json!({"note": "Sunny", "stops": []}),
            "extra.stops",
        ),
        (
            "extra",
            json!({"note": "Sunny", "stops": ["x"]}),
            "extra.stops.0",
        ),
        (
            "extra",
            json!({"note": "Sunny", "stops": [{"at": 7}]}),
            "extra.stops.0.at",
        ),
        (
            "extra",
            json!({"note": "Sunny", "stops": [{"near": "x"}]}),
            "extra.stops.0.near",
        ),
    ]
}

fn store(service: &Service, media: &str, body: &Json) -> Answer {
    let body = match media {
        JSON_API => document("rides", body),
        _ => body.clone(),
    };
    let admin = service.admin().header("Accept", "application/json");
    admin.header("Content-Type", media).post("/api/rides", body)
}

fn document(kind: &str, attributes: &Json) -> Json {
    json!({"data": {"type": kind, "attributes": attributes}})
}

fn faults(described: &Described, media: &str, body: &Json) -> Vec<String> {
    let schema = described.body(described.operation("rides.store"), media);
    match media {
        JSON_API => described.faults(schema, &document("rides", body)),
        _ => described.faults(schema, body),
    }
}

#[test]
fn the_rules_of_a_request_are_those_of_its_schema() {
    let service = magazine();
    let described = of(&service, "/api");
    for media in ["application/json", JSON_API] {
        assert_eq!(faults(&described, media, &ride()), [""; 0]);
        let answer = store(&service, media, &ride());
        assert_eq!(answer.status, 201, "{media}: {answer}");
        let least = json!({"name": "Ride", "price": 7});
        assert_eq!(faults(&described, media, &least), [""; 0]);
        assert_eq!(store(&service, media, &least).status, 201);
        for (member, value, field) in broken() {
            let mut body = ride();
            body[member] = value.clone();
            assert_ne!(
                faults(&described, media, &body),
                [""; 0],
                "{member}: {value} is let stand"
            );
            let answer = store(&service, media, &body);
            assert_eq!(answer.status, 422, "{member}: {value}: {answer}");
            assert!(answer.json["errors"][field].is_array(), "{field}: {answer}");
        }
        for member in ["name", "price"] {
            let mut body = ride();
            body.as_object_mut()
                .and_then(|body| body.remove(member))
                .expect("a member");
            assert_ne!(
                faults(&described, media, &body),
                [""; 0],
                "{member} may be left out"
            );
            assert_eq!(store(&service, media, &body).status, 422, "{member}");
        }
    }
}

/// Letters of any alphabet are a class that not every language's expressions know: it is described
/// in words.
#[test]
fn no_pattern_is_one_that_others_refuse() {
    let service = magazine();
    let described = of(&service, "/api");
    let text = described.document.to_string();
    assert!(!text.contains(r"\\p"), "a class of Unicode");
    let ride = &described.document["components"]["schemas"]["rides.store"]["properties"];
    let note = &ride["extra"]["properties"]["note"];
    assert_eq!(note["description"], "Rules: `alpha`.", "{note}");
    let mut body = self::ride();
    body["extra"]["note"] = json!("1");
    let answer = store(&service, "application/json", &body);
    assert!(answer.json["errors"]["extra.note"].is_array(), "{answer}");
}

/// A client may send the defaults of a new record by itself; a change has no defaults.
#[test]
fn defaults_of_a_new_record_are_described() {
    let service = magazine();
    let described = of(&service, "/api");
    let schemas = &described.document["components"]["schemas"];
    let members = &schemas["articles.store"]["properties"];
    let presets = |members: &Json| -> Json {
        let members = members.as_object().expect("members").iter();
        let presets =
            members.filter_map(|(name, it)| Some((name.clone(), it.get("default")?.clone())));
        Json::Object(presets.collect())
    };
    let begun = json!({"type": "news", "author_id": null, "rank": 1, "labels": []});
    assert_eq!(presets(members), begun);
    let attributes =
        &schemas["articles.store.document"]["properties"]["data"]["properties"]["attributes"];
    assert_eq!(presets(&attributes["properties"])["article_type"], "news");
    for other in ["articles.put", "articles.update"] {
        assert_eq!(presets(&schemas[other]["properties"]), json!({}), "{other}");
    }
    let mut body = begun;
    body["title"] = json!("First");
    let all = service.admin().post("/api/articles", body);
    let least = service
        .admin()
        .post("/api/articles", json!({"title": "First"}));
    assert_eq!((all.status, least.status), (201, 201), "{all}");
    for member in ["type", "author_id", "rank"] {
        assert_eq!(
            all.json["data"][member], least.json["data"][member],
            "{member}"
        );
    }
}

#[test]
fn put_requires_attributes_that_patch_does_not() {
    let service = magazine();
    let described = of(&service, "/api");
    let stored = service.admin().post("/api/people", json!({"name": "Ann"}));
    assert_eq!(stored.status, 201, "{stored}");
    for (id, method, status) in [("people.put", "PUT", 422), ("people.update", "PATCH", 200)] {
        let schema = described.body(described.operation(id), "application/json");
        assert_eq!(
            described.faults(schema, &json!({})).is_empty(),
            status == 200,
            "{id}"
        );
        let answer = service
            .admin()
            .send(method, "/api/people/1", Some("{}".to_owned()));
        assert_eq!(answer.status, status, "{answer}");
    }
}

#[test]
fn described_documents_have_the_types_of_record_and_linkage() {
    let service = magazine();
    let described = of(&service, "/api");
    let admin = service
        .admin()
        .header("Accept", JSON_API)
        .header("Content-Type", JSON_API);
    assert_eq!(
        admin
            .post("/api/people", document("people", &json!({"name": "Ann"})))
            .status,
        201
    );
    let schema = described.body(described.operation("articles.store"), JSON_API);
    let attributes = &described.resolved(schema)["properties"]["data"]["properties"]["attributes"];
    assert!(
        attributes["properties"]["article_type"].is_object(),
        "{attributes}"
    );
    assert!(attributes["properties"]["type"].is_null(), "{attributes}");
    let mut body = document(
        "articles",
        &json!({"title": "First", "article_type": "essay"}),
    );
    let author =
        |kind: &str| json!({"author": {"data": {"type": kind, "id": "1"}}, "labels": {"data": []}});
    body["data"]["relationships"] = author("people");
    assert_eq!(described.faults(schema, &body), [""; 0]);
    let answer = admin.post("/api/articles", body.clone());
    assert_eq!(answer.status, 201, "{answer}");
    body["data"]["relationships"] = author("labels");
    assert_ne!(described.faults(schema, &body), [""; 0]);
    assert_eq!(admin.post("/api/articles", body.clone()).status, 409);
    body["data"]["type"] = json!("people");
    assert_ne!(described.faults(schema, &body), [""; 0]);
    assert_eq!(admin.post("/api/articles", body.clone()).status, 409);
    // Of unknown values, the shape is compared.
    body["data"]["type"] = json!("articles");
    for (other, status) in [
        (json!({"data": null}), 201),
        (json!({}), 400),
        (json!([]), 400),
    ] {
        body["data"]["relationships"] = json!({ "critics": other });
        let described = described.faults(schema, &body).is_empty();
        assert_eq!(described, status == 201, "{other}");
        assert_eq!(
            admin.post("/api/articles", body.clone()).status,
            status,
            "{other}"
        );
    }
    // A relationship may replace an attribute.
    let schema = described.body(described.operation("comments.store"), JSON_API);
    let comment = json!({"data": {
        "type": "comments", "attributes": {"text": "So."},
        "relationships": {"author": {"data": {"type": "people", "id": "1"}}},
    }});
    assert_eq!(described.faults(schema, &comment), [""; 0]);
    let answer = admin.post("/api/comments", comment);
    assert_eq!(answer.status, 201, "{answer}");
    let patch = described.body(described.operation("articles.update"), JSON_API);
    let nameless = json!({"data": {"type": "articles", "attributes": {"title": "Second"}}});
    assert_ne!(
        described.faults(patch, &nameless),
        [""; 0],
        "an id is missing"
    );
    assert_eq!(admin.patch("/api/articles/1", nameless).status, 400);
}
