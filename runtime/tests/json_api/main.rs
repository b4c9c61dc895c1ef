//! JSON:API 1.1 and sparse fieldsets over real HTTP: docs/contract.md, "Media types"; jsonapi.org.

mod anything;
mod changes;
mod compound;
#[path = "../databases/mod.rs"]
mod databases;
mod documents;
mod errors;
mod fieldsets;
mod forms;
mod links;
mod magazine;
mod member_names;
mod negotiation;
mod refusals;

use formwork::{
    config::Config,
    prelude::*,
    testing::{Answer, Client, Service},
};

const JSON_API: &str = "application/vnd.api+json";

/// The magazine, open and empty.
fn magazine() -> Service {
    Service::with_config(Config::default(), vec![Box::new(magazine::Magazine)])
}

/// The magazine as plain clients read it where `api.serializer` is `json_api`.
fn plain_magazine() -> Service {
    let mut config = Config::default();
    config.api.serializer = formwork::config::SerializerKind::JsonApi;
    Service::with_config(config, vec![Box::new(magazine::Magazine)])
}

/// The magazine with the article `Puff` of the author `Ada`.
fn with_article() -> Service {
    let service = magazine();
    stored(&service, "/api/people", json!({"name": "Ada"}));
    stored(
        &service,
        "/api/articles",
        json!({"title": "Puff", "author_id": 1}),
    );
    service
}

/// A client that speaks JSON:API.
fn speaking(client: Client<'_>) -> Client<'_> {
    client
        .header("Accept", JSON_API)
        .header("Content-Type", JSON_API)
}

/// Stores a record by its attributes, as plain clients do; returns its id.
fn stored(service: &Service, path: &str, body: Json) -> i64 {
    let answer = service
        .admin()
        .header("Accept", "application/json")
        .post(path, body);
    assert_eq!(answer.status, 201, "{answer}");
    answer.json["data"]["id"].as_i64().expect("an integer id")
}

/// `{"type": …, "id": …}`.
fn identifier(kind: &str, id: i64) -> Json {
    json!({"type": kind, "id": id.to_string()})
}

/// The objects of `included` as `type:id`, sorted.
fn included(answer: &Answer) -> Vec<String> {
    let objects = answer.json["included"]
        .as_array()
        .unwrap_or_else(|| panic!("{answer}"));
    let mut names: Vec<String> = objects
        .iter()
        .map(|object| {
            let part = |name: &str| object[name].as_str().unwrap_or("?").to_owned();
            format!("{}:{}", part("type"), part("id"))
        })
        .collect();
    names.sort();
    names
}

/// Every linkage leads to an object, every object is linked to and included once, and reserved
/// names of the standard are not used.
fn check_document(answer: &Answer) {
    let document = &answer.json;
    assert_eq!(document["jsonapi"], json!({"version": "1.1"}), "{answer}");
    let primary: Vec<&Json> = match &document["data"] {
        Json::Array(objects) => objects.iter().collect(),
        Json::Null => Vec::new(),
        object => vec![object],
    };
    let included: Vec<&Json> = document["included"]
        .as_array()
        .into_iter()
        .flatten()
        .collect();
    let name = |object: &Json| format!("{}:{}", object["type"], object["id"]);
    let (mut present, mut linked) = (Vec::new(), Vec::new());
    for object in primary.iter().chain(&included) {
        assert!(
            object["type"].is_string() && object["id"].is_string(),
            "{answer}"
        );
        let attributes = object["attributes"].as_object().expect("attributes");
        for taken in ["id", "type", "links", "relationships"] {
            assert!(!attributes.contains_key(taken), "{taken}: {answer}");
        }
        for (relation, member) in object["relationships"].as_object().into_iter().flatten() {
            assert!(!attributes.contains_key(relation), "{relation}: {answer}");
            match &member["data"] {
                Json::Array(all) => linked.extend(all.iter().map(name)),
                Json::Null => assert!(member.as_object().expect("an object").contains_key("data")),
                one => linked.push(name(one)),
            }
        }
        assert!(!present.contains(&name(object)), "twice: {answer}");
        present.push(name(object));
    }
    for link in &linked {
        assert!(present.contains(link), "{link} leads nowhere: {answer}");
    }
    for object in included {
        assert!(
            linked.contains(&name(object)),
            "nobody links to {object}: {answer}"
        );
    }
}
