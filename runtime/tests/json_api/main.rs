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
    config::{Config, SerializerKind},
    prelude::*,
    testing::{Answer, Client, Service},
};

const JSON_API: &str = "application/vnd.api+json";

/// Starts the magazine, open and empty.
fn magazine() -> Service {
    with(Config::default())
}

fn with(config: Config) -> Service {
    Service::with_config(config, vec![Box::new(magazine::Magazine)])
}

/// Starts the magazine with `api.serializer: json_api`.
fn plain_magazine() -> Service {
    let mut config = Config::default();
    config.api.serializer = SerializerKind::JsonApi;
    with(config)
}

/// Starts the magazine with the article `Puff` of the author `Ada`.
fn with_article() -> Service {
    let service = magazine();
    insert_people(&service, &["Ada"]);
    insert_article(&service, json!({"title": "Puff", "author_id": 1}));
    service
}

/// Starts the magazine with two people and two labels.
fn staffed() -> Service {
    let service = magazine();
    insert_people(&service, &["Ada", "Bob"]);
    let labels = async {
        for (word, kind) in [("hot", "mood"), ("new", "time")] {
            let (label_id, r#type) = (word.to_owned(), kind.to_owned());
            let mut label = magazine::Label { label_id, r#type };
            label.insert(&service.context()).await.expect("a label");
        }
    };
    service.block_on(labels);
    service
}

fn insert_people(service: &Service, names: &[&str]) {
    for name in names {
        insert(service, "/api/people", json!({"name": name}));
    }
}

fn insert_article(service: &Service, body: Json) {
    insert(service, "/api/articles", body);
}

/// Inserts a record by its attributes, as plain clients do.
#[track_caller]
fn insert(service: &Service, path: &str, body: Json) {
    let answer = service.admin().post(path, body);
    assert_eq!(answer.status, 201, "{answer}");
}

/// Makes a client that sends and accepts documents.
fn json_api(client: Client<'_>) -> Client<'_> {
    let client = client.header("Accept", JSON_API);
    client.header("Content-Type", JSON_API)
}

/// Returns a guest's response to a document request.
fn get(service: &Service, path: &str) -> Answer {
    json_api(service.guest()).get(path)
}

/// Returns a guest's document, which exists and is well-formed.
#[track_caller]
fn document(service: &Service, path: &str) -> Answer {
    let answer = get(service, path);
    assert_eq!(answer.status, 200, "{path}: {answer}");
    check_document(&answer);
    answer
}

/// Sends a document about articles, as an administrator.
fn post_article(service: &Service, data: Json) -> Answer {
    json_api(service.admin()).post("/api/articles", json!({"data": data}))
}

/// Sends a document about the first article, as an administrator.
fn patch_article(service: &Service, mut data: Json) -> Answer {
    data["type"] = json!("articles");
    data["id"] = json!("1");
    let path = "/api/articles/1?include=author,labels";
    json_api(service.admin()).patch(path, json!({"data": data}))
}

/// Returns how many articles are stored.
fn count_articles(service: &Service) -> Json {
    service.guest().get("/api/articles").json["meta"]["pagination"]["total"].clone()
}

/// Returns `{"type": …, "id": …}`.
fn identifier(kind: &str, id: i64) -> Json {
    json!({"type": kind, "id": id.to_string()})
}

fn label(word: &str) -> Json {
    json!({"type": "labels", "id": word})
}

/// Asserts the status of a response, and the pointers of its errors.
#[track_caller]
fn assert_pointers(answer: &Answer, status: u16, expected: &[&str]) {
    assert_eq!(answer.status, status, "{answer}");
    let errors = answer.json["errors"].as_array().expect("errors");
    let pointers = errors.iter().map(|error| {
        assert_eq!(error["status"], status.to_string(), "{answer}");
        error["source"]["pointer"].as_str().unwrap_or("?")
    });
    assert_eq!(pointers.collect::<Vec<_>>(), expected, "{answer}");
}

/// Returns the objects of `included` as `type:id`, sorted.
fn included(answer: &Answer) -> Vec<String> {
    let objects = answer.json["included"].as_array();
    let objects = objects.unwrap_or_else(|| panic!("{answer}"));
    let mut names: Vec<String> = objects.iter().map(name).collect();
    names.sort();
    names
}

fn name(object: &Json) -> String {
    let part = |name: &str| object[name].as_str().unwrap_or("?").to_owned();
    format!("{}:{}", part("type"), part("id"))
}

/// Asserts that every linkage leads to an object, that every object is linked to and included once,
/// and that reserved names of the standard are not used.
#[track_caller]
fn check_document(answer: &Answer) {
    let document = &answer.json;
    assert_eq!(document["jsonapi"], json!({"version": "1.1"}), "{answer}");
    let primary: Vec<&Json> = match &document["data"] {
        Json::Array(objects) => objects.iter().collect(),
        Json::Null => Vec::new(),
        object => vec![object],
    };
    let included = document["included"].as_array();
    let included: Vec<&Json> = included.into_iter().flatten().collect();
    let (mut present, mut linked) = (Vec::new(), Vec::new());
    for object in primary.iter().chain(&included) {
        let is_named = object["type"].is_string() && object["id"].is_string();
        assert!(is_named, "{answer}");
        let attributes = object["attributes"].as_object().expect("attributes");
        for reserved in ["id", "type", "links", "relationships"] {
            assert!(!attributes.contains_key(reserved), "{reserved}: {answer}");
        }
        for (relation, member) in object["relationships"].as_object().into_iter().flatten() {
            assert!(!attributes.contains_key(relation), "{relation}: {answer}");
            match member.get("data").expect("a linkage") {
                Json::Array(all) => linked.extend(all.iter().map(name)),
                Json::Null => {}
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
        let name = name(object);
        assert!(linked.contains(&name), "no link to {name}: {answer}");
    }
}
