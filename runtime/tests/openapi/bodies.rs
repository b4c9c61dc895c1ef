//! Bodies that match the description are accepted, other ones are rejected.

use formwork::{
    data::value::Json,
    testing::{Answer, Service},
};
use serde_json::json;

use crate::{JSON, JSON_API, accepting, described, magazine};

/// Returns a ride that obeys every rule.
fn ride() -> Json {
    json!({
        "name": "Ride", "price": "7.50", "seats": 4, "owner_id": null, "begins": "09:30", "code": "abcd",
        "code_confirmation": "abcd",
        "extra": {"note": "Sunny", "stops": [{"at": "https://example.com/"}]},
    })
}

/// Changes to it that break one rule each: the member, its value, and the field of the message if it is
/// not the member.
const BROKEN: &str = r#"
    name "R"
    name "RRRRRRRRRRRRRRRRRRRRR"
    name "ride"
    name ["Ride"]
    name null
    price "x"
    price "12345.00"
    price "1.234"
    price 0.25
    price 10000
    price "-1"
    price {}
    seats 3
    seats []
    begins "25:00"
    code "abcde"
    extra "x"
    extra {"note": "Sunny", "stops": [{}], "more": 1}
    extra {"stops": [{"at": "https://example.com/"}]} => extra.note
    extra {"note": "Sunny", "stops": []} => extra.stops
    extra {"note": "Sunny", "stops": ["x"]} => extra.stops.0
    extra {"note": "Sunny", "stops": [{"at": 7}]} => extra.stops.0.at
    extra {"note": "Sunny", "stops": [{"near": "x"}]} => extra.stops.0.near
"#;

fn document(kind: &str, attributes: &Json) -> Json {
    json!({"data": {"type": kind, "attributes": attributes}})
}

/// Posts a ride; asserts that it matches its schema exactly if it is accepted.
#[track_caller]
fn store(service: &Service, media: &str, body: &Json) -> Answer {
    let body = match media {
        JSON_API => document("rides", body),
        _ => body.clone(),
    };
    let schema = described().body(described().operation("rides.store"), media);
    let faults = described().faults(schema, &body);
    let admin = accepting(&service.admin(), JSON).header("Content-Type", media);
    let answer = admin.post("/api/rides", body.clone());
    assert_eq!(
        answer.status == 201,
        faults.is_empty(),
        "{body}: {faults:?} {answer}"
    );
    answer
}

#[test]
fn the_rules_of_a_request_are_those_of_its_schema() {
    let service = magazine();
    for media in [JSON, JSON_API] {
        for body in [ride(), json!({"name": "Ride", "price": 7})] {
            assert_eq!(store(&service, media, &body).status, 201, "{media}");
        }
        for line in BROKEN.trim().lines() {
            let (member, change) = line.trim().split_once(' ').expect("a member");
            let (value, field) = change.split_once(" => ").unwrap_or((change, member));
            let mut body = ride();
            body[member] = serde_json::from_str(value).expect("a value");
            let answer = store(&service, media, &body);
            assert_eq!(answer.status, 422, "{body}: {answer}");
            assert!(answer.json["errors"][field].is_array(), "{field}: {answer}");
        }
        for member in ["name", "price"] {
            let mut body = ride();
            body.as_object_mut()
                .and_then(|it| it.remove(member))
                .expect("a member");
            assert_eq!(store(&service, media, &body).status, 422, "{member}");
        }
    }
}

/// Letters of any alphabet are a class that not every language's expressions know: it is described
/// in words.
#[test]
fn no_pattern_is_one_that_others_refuse() {
    let service = magazine();
    let text = described().document.to_string();
    assert!(!text.contains(r"\\p"), "a class of Unicode");
    let properties = &described().document["components"]["schemas"]["rides.store"]["properties"];
    let note = &properties["extra"]["properties"]["note"];
    assert_eq!(note["description"], "Rules: `alpha`.", "{note}");
    let mut body = ride();
    body["extra"]["note"] = json!("1");
    let answer = service.admin().post("/api/rides", body);
    assert!(answer.json["errors"]["extra.note"].is_array(), "{answer}");
}

/// A client may send the defaults of a new record by itself; a change has no defaults.
#[test]
fn defaults_of_a_new_record_are_described() {
    let service = magazine();
    let schemas = &described().document["components"]["schemas"];
    let defaults = |members: &Json| -> Json {
        let members = members.as_object().expect("members").iter();
        let defaults =
            members.filter_map(|(name, it)| Some((name.clone(), it.get("default")?.clone())));
        Json::Object(defaults.collect())
    };
    let mut body = defaults(&schemas["articles.store"]["properties"]);
    let expected = json!({"type": "news", "author_id": null, "rank": 1, "labels": []});
    assert_eq!(body, expected);
    let data = &schemas["articles.store.document"]["properties"]["data"]["properties"];
    let attributes = &data["attributes"]["properties"];
    assert_eq!(defaults(attributes)["article_type"], "news");
    for change in ["articles.put", "articles.update"] {
        let defaults = defaults(&schemas[change]["properties"]);
        assert_eq!(defaults, json!({}), "{change}");
    }
    body["title"] = json!("First");
    let all = service.admin().post("/api/articles", body);
    let none = service
        .admin()
        .post("/api/articles", json!({"title": "First"}));
    assert_eq!((all.status, none.status), (201, 201), "{all}");
    for member in ["type", "author_id", "rank"] {
        assert_eq!(all.json["data"][member], none.json["data"][member]);
    }
}

#[test]
fn put_requires_attributes_that_patch_does_not() {
    let service = magazine();
    let admin = service.admin();
    let stored = admin.post("/api/people", json!({"name": "Ann"}));
    assert_eq!(stored.status, 201, "{stored}");
    for (id, method, status) in [("people.put", "PUT", 422), ("people.update", "PATCH", 200)] {
        let schema = described().body(described().operation(id), JSON);
        let matches = described().faults(schema, &json!({})).is_empty();
        let answer = admin.send(method, "/api/people/1", Some("{}".to_owned()));
        assert_eq!(answer.status, status, "{id}: {answer}");
        assert_eq!(matches, status == 200, "{id}");
    }
}

#[test]
fn described_documents_have_the_types_of_record_and_linkage() {
    let service = magazine();
    let admin = accepting(&service.admin(), JSON_API).header("Content-Type", JSON_API);
    let person = admin.post("/api/people", document("people", &json!({"name": "Ann"})));
    assert_eq!(person.status, 201, "{person}");
    let operation = described().operation("articles.store");
    let schema = described().resolved(described().body(operation, JSON_API));
    let attributes = &schema["properties"]["data"]["properties"]["attributes"]["properties"];
    assert!(attributes["article_type"].is_object(), "{attributes}");
    assert!(attributes["type"].is_null(), "{attributes}");
    let article = |kind: &str, relationships: Json| {
        json!({"type": kind, "attributes": {"title": "First", "article_type": "essay"},
               "relationships": relationships})
    };
    let author =
        |kind: &str| json!({"author": {"data": {"type": kind, "id": "1"}}, "labels": {"data": []}});
    let comment = json!({
        "type": "comments", "attributes": {"text": "So."},
        "relationships": {"author": {"data": {"type": "people", "id": "1"}}},
    });
    for (id, data, status) in [
        ("articles.store", article("articles", author("people")), 201),
        ("articles.store", article("articles", author("labels")), 409),
        ("articles.store", article("people", author("labels")), 409),
        // The shape of unknown relationships is described too.
        (
            "articles.store",
            article("articles", json!({"critics": {"data": null}})),
            201,
        ),
        (
            "articles.store",
            article("articles", json!({"critics": {}})),
            400,
        ),
        (
            "articles.store",
            article("articles", json!({"critics": []})),
            400,
        ),
        // A relationship may replace an attribute.
        ("comments.store", comment, 201),
        // A change needs an id.
        (
            "articles.update",
            json!({"type": "articles", "attributes": {"title": "Second"}}),
            400,
        ),
    ] {
        let one = described().operation(id);
        let body = json!({"data": data});
        let faults = described().faults(described().body(one, JSON_API), &body);
        assert_eq!(faults.is_empty(), status == 201, "{body}: {faults:?}");
        let path = one.path.replace("{id}", "1");
        let answer = admin.send(&one.method.to_uppercase(), &path, Some(body.to_string()));
        assert_eq!(answer.status, status, "{body}: {answer}");
    }
}
