//! Whatever a client sends: a response that is no failure of the service, and a document.

use formwork::testing::Answer;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use proptest::{
    collection::vec, prelude::*, sample::select, test_runner::TestCaseError,
    test_runner::TestRunner,
};
use serde_json::{Map, Value as Json, json};

use super::{JSON_API, check_document, get, json_api, with_article};

/// Returns a runner of random requests: 100, or `FORMWORK_TEST_CASES`.
fn runner() -> TestRunner {
    let cases = std::env::var("FORMWORK_TEST_CASES").ok();
    let cases = cases.map_or(100, |cases| cases.parse().expect("a number of cases"));
    TestRunner::new(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases)
    })
}

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
        let list = vec(inner.clone(), 0..4).prop_map(Json::from);
        prop_oneof![list, members(inner, 5)]
    })
}

/// An object whose members have these values.
fn members(value: impl Strategy<Value = Json>, limit: usize) -> impl Strategy<Value = Json> {
    let pairs = vec((word(), value), 0..limit);
    pairs.prop_map(|pairs| pairs.into_iter().collect::<Map<_, _>>().into())
}

/// Words of the standard and of the service.
fn word() -> impl Strategy<Value = String> {
    const WORDS: &str = "data type id attributes relationships links articles people labels \
        comments author editor subject part title article_type author_id 1 2 \
        99999999999999999999 hot a/b~c labels.* ";
    let words: Vec<&str> = WORDS.split(' ').collect();
    prop_oneof![4 => select(words).prop_map(str::to_owned), 1 => ".{0,6}"]
}

/// A document that gets as far as its members.
fn document() -> impl Strategy<Value = Json> {
    let identifier = || (word(), word()).prop_map(|(kind, id)| json!({"type": kind, "id": id}));
    let linkage = prop_oneof![
        value(),
        identifier(),
        vec(identifier(), 0..3).prop_map(Json::from)
    ];
    let relationship =
        prop_oneof![1 => value(), 3 => linkage.prop_map(|data| json!({"data": data}))];
    let kind = select(vec!["articles", "comments", "people"]);
    let object = (kind, members(value(), 4), members(relationship, 4));
    let object = object.prop_map(|(kind, attributes, relationships)| {
        let data = json!({"type": kind, "attributes": attributes, "relationships": relationships});
        json!({"data": data})
    });
    prop_oneof![1 => value(), 3 => object]
}

/// Checks that a response is no failure, and a document or an empty body.
fn check(answer: &Answer) -> Result<(), TestCaseError> {
    prop_assert!(answer.status < 500, "{}", answer);
    if answer.status != 204 {
        prop_assert_eq!(answer.header("content-type"), Some(JSON_API), "{}", answer);
        prop_assert_eq!(&answer.json["jsonapi"]["version"], "1.1", "{}", answer);
        let has = |name: &str| answer.json.get(name).is_some();
        prop_assert!(has("data") != has("errors"), "{}", answer);
    }
    Ok(())
}

/// Checks that every pointer of an error leads into the body.
fn check_pointers(body: &Json, answer: &Answer) -> Result<(), TestCaseError> {
    for error in answer.json["errors"].as_array().into_iter().flatten() {
        if let Some(pointer) = error["source"]["pointer"].as_str() {
            prop_assert!(body.pointer(pointer).is_some(), "{}: {}", pointer, body);
        }
    }
    Ok(())
}

#[test]
fn any_document_is_answered() {
    let service = with_article();
    let path = select(vec!["/api/articles", "/api/comments", "/api/people"]);
    let input = (document(), path, any::<bool>());
    let result = runner().run(&input, |(mut body, path, update)| {
        let admin = json_api(service.admin());
        let answer = if update {
            if let Some(data) = body.get_mut("data").and_then(Json::as_object_mut) {
                data.insert("id".to_owned(), "1".into());
            }
            admin.patch(&format!("{path}/1"), body.clone())
        } else {
            admin.post(path, body.clone())
        };
        check_pointers(&body, &answer)?;
        check(&answer)
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}

/// Characters other than letters, digits and separators of the query string.
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
    let path = select(vec!["/api/articles/1", "/api/articles"]);
    let result = runner().run(&(vec(part, 0..4), path), |(parts, path)| {
        let query = utf8_percent_encode(&parts.join("&"), ESCAPED).to_string();
        let answer = get(&service, &format!("{path}?{query}"));
        check(&answer)?;
        prop_assert!(matches!(answer.status, 200 | 400), "{}", answer);
        // Fieldsets may take relationships away, and with them the links.
        if answer.status == 200 && !query.contains("fields") {
            check_document(&answer);
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}
