//! Whatever a client sends: an answer that is no failure of the service, and a document.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use proptest::{prelude::*, test_runner::TestCaseError};
use serde_json::{Map, Value as Json, json};

use super::{JSON_API, check_document, speaking, with_article};

/// Any JSON, often with names and values that mean something.
fn value() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<f64>().prop_map(|number| json!(number)),
        ".{0,8}".prop_map(Json::from),
        word().prop_map(Json::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            prop::collection::vec((word(), inner), 0..5).prop_map(members),
        ]
    })
}

fn members(pairs: Vec<(String, Json)>) -> Json {
    pairs.into_iter().collect::<Map<_, _>>().into()
}

/// Words of the standard and of the service.
fn word() -> impl Strategy<Value = String> {
    const KNOWN: &[&str] = &[
        "data",
        "type",
        "id",
        "attributes",
        "relationships",
        "links",
        "articles",
        "people",
        "labels",
        "comments",
        "author",
        "editor",
        "subject",
        "part",
        "title",
        "article_type",
        "author_id",
        "1",
        "2",
        "99999999999999999999",
        "hot",
        "a/b~c",
        "labels.*",
        "",
    ];
    prop_oneof![4 => prop::sample::select(KNOWN).prop_map(str::to_owned), 1 => ".{0,6}"]
}

/// A document that gets as far as its members.
fn document() -> impl Strategy<Value = Json> {
    let object = |kind: &'static str| {
        let relationship = prop_oneof![
            value(),
            value().prop_map(|data| json!({"data": data})),
            (word(), word()).prop_map(|(kind, id)| json!({"data": {"type": kind, "id": id}})),
            prop::collection::vec((word(), word()), 0..3).prop_map(|pairs| {
                let items = pairs
                    .iter()
                    .map(|(kind, id)| json!({"type": kind, "id": id}));
                json!({"data": items.collect::<Vec<_>>()})
            }),
        ];
        let attributes = prop::collection::vec((word(), value()), 0..4).prop_map(members);
        let relationships = prop::collection::vec((word(), relationship), 0..4).prop_map(members);
        (attributes, relationships).prop_map(move |(attributes, relationships)| {
            json!({"data": {
                "type": kind, "attributes": attributes, "relationships": relationships,
            }})
        })
    };
    prop_oneof![
        value(),
        object("articles"),
        object("comments"),
        object("people")
    ]
}

/// No failure, and a document or an empty body.
fn judge(answer: &formwork::testing::Answer) -> Result<(), TestCaseError> {
    prop_assert!(answer.status < 500, "{}", answer);
    if answer.status != 204 {
        prop_assert_eq!(answer.header("content-type"), Some(JSON_API), "{}", answer);
        prop_assert_eq!(&answer.json["jsonapi"]["version"], "1.1", "{}", answer);
        let has = |name: &str| answer.json.get(name).is_some();
        prop_assert!(has("data") != has("errors"), "{}", answer);
    }
    Ok(())
}

/// Every pointer of an error leads to something that was sent.
fn check_pointers(sent: &Json, answer: &formwork::testing::Answer) -> Result<(), TestCaseError> {
    for error in answer.json["errors"].as_array().into_iter().flatten() {
        if let Some(pointer) = error["source"]["pointer"].as_str() {
            prop_assert!(sent.pointer(pointer).is_some(), "{}: {}", pointer, sent);
        }
    }
    Ok(())
}

#[test]
fn any_document_is_answered() {
    let service = with_article();
    let config = ProptestConfig::with_cases(300);
    proptest!(config, |(sent in document(), path in 0..3_usize, update in any::<bool>())| {
        let path = ["/api/articles", "/api/comments", "/api/people"][path];
        let admin = speaking(service.admin());
        let answer = if update {
            let mut sent = sent.clone();
            if let Some(data) = sent.get_mut("data").and_then(Json::as_object_mut) {
                data.insert("id".to_owned(), "1".into());
            }
            let answer = admin.patch(&format!("{path}/1"), sent.clone());
            check_pointers(&sent, &answer)?;
            answer
        } else {
            let answer = admin.post(path, sent.clone());
            check_pointers(&sent, &answer)?;
            answer
        };
        judge(&answer)?;
    });
}

/// All that is neither a letter or digit nor a separator of the query string.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'=')
    .remove(b'&')
    .remove(b'.')
    .remove(b'-')
    .remove(b'_');

#[test]
fn any_query_is_answered() {
    let service = with_article();
    let part = prop_oneof![
        word().prop_map(|name| format!("include={name}")),
        (word(), word()).prop_map(|(a, b)| format!("include={a}.{b}")),
        (word(), word()).prop_map(|(kind, name)| format!("fields[{kind}]={name}")),
        (word(), word()).prop_map(|(name, value)| format!("filter[{name}]={value}")),
        word().prop_map(|name| format!("sort=-{name}")),
        (word(), word()).prop_map(|(name, value)| format!("{name}={value}")),
    ];
    let query = prop::collection::vec(part, 0..4)
        .prop_map(|parts| utf8_percent_encode(&parts.join("&"), ESCAPED).to_string());
    proptest!(ProptestConfig::with_cases(300), |(query in query, one in any::<bool>())| {
        let path = if one { "/api/articles/1" } else { "/api/articles" };
        let answer = speaking(service.guest()).get(&format!("{path}?{query}"));
        judge(&answer)?;
        prop_assert!(matches!(answer.status, 200 | 400), "{}", answer);
        // Fieldsets may take relationships away, and with them the links.
        if answer.status == 200 && !query.contains("fields") {
            check_document(&answer);
        }
    });
}
