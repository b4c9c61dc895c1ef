//! Compound documents: full linkage, each object once.

use formwork::{prelude::*, testing::Service};

use super::{check_document, identifier, included, magazine, magazine::Label, speaking, stored};

/// Two articles by one author, one of them with an editor, labels, and comments.
fn filled() -> Service {
    let service = magazine();
    let (ada, bob) = (
        stored(&service, "/api/people", json!({"name": "Ada"})),
        stored(&service, "/api/people", json!({"name": "Bob"})),
    );
    service
        .block_on(async {
            let ctx = service.context();
            for (word, kind) in [("hot", "mood"), ("new", "time")] {
                let mut label = Label {
                    label_id: word.to_owned(),
                    r#type: kind.to_owned(),
                };
                label.insert(&ctx).await?;
            }
            Ok::<(), Error>(())
        })
        .expect("labels");
    let first = json!({"title": "Puff", "author_id": ada, "labels": ["hot", "new"]});
    stored(&service, "/api/articles", first);
    stored(
        &service,
        "/api/articles",
        json!({"title": "Paff", "author_id": ada, "labels": ["hot"]}),
    );
    stored(&service, "/api/articles", json!({"title": "Poff"}));
    for (kind, id) in [("articles", 1), ("people", bob)] {
        let comment = json!({
            "text": "good", "subject_type": kind, "subject_id": id, "author_id": bob,
        });
        stored(&service, "/api/comments", comment);
    }
    let edited = service.block_on(async {
        let ctx = service.context();
        ctx.db()
            .execute("UPDATE articles SET editor_id = 1 WHERE article_id = 1", [])
            .await
    });
    assert_eq!(edited.ok(), Some(1));
    service
}

fn get(service: &Service, path: &str) -> formwork::testing::Answer {
    let answer = speaking(service.guest()).get(path);
    assert_eq!(answer.status, 200, "{path}: {answer}");
    check_document(&answer);
    answer
}

#[test]
fn each_object_is_in_a_document_once() {
    let service = filled();
    let answer = get(&service, "/api/articles?include=author,labels");
    assert_eq!(included(&answer), ["labels:hot", "labels:new", "people:1"]);
    let first = &answer.json["data"][0]["relationships"];
    assert_eq!(first["author"], json!({"data": identifier("people", 1)}));
    assert_eq!(first["labels"]["data"].as_array().map(Vec::len), Some(2));
    let third = &answer.json["data"][2]["relationships"];
    assert_eq!(third["author"], json!({"data": null}));
    assert_eq!(third["labels"], json!({"data": []}));
    let objects = answer.json["included"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let hot = objects.iter().find(|object| object["id"] == "hot");
    let hot = hot.unwrap_or_else(|| panic!("{answer}"));
    assert_eq!(
        hot["attributes"],
        json!({"label_type": "mood"}),
        "a supporting model's type too"
    );
    assert_eq!(hot.get("links"), None, "no route answers");
    let ada = objects.iter().find(|object| object["type"] == "people");
    assert_eq!(
        ada.map(|ada| &ada["links"]),
        Some(&json!({"self": "/api/people/1"}))
    );
}

#[test]
fn included_is_an_empty_list_without_related_records() {
    let service = filled();
    assert_eq!(
        included(&get(&service, "/api/articles/3?include=author,comments")),
        [""; 0]
    );
    assert_eq!(
        included(&get(&service, "/api/articles?filter[id]=99&include=author")),
        [""; 0]
    );
    assert_eq!(
        included(&get(&service, "/api/articles/1?include=")),
        [""; 0]
    );
    assert_eq!(get(&service, "/api/articles/1").json.get("included"), None);
}

#[test]
fn primary_data_is_not_included_again() {
    let service = filled();
    let answer = get(&service, "/api/articles/1?include=author.articles.author");
    // The article itself is among those of its author.
    assert_eq!(included(&answer), ["articles:2", "people:1"]);
    let author = &answer.json["included"][0];
    assert_eq!(
        author["relationships"]["articles"]["data"][0],
        identifier("articles", 1)
    );
}

#[test]
fn an_object_has_the_relationships_of_all_its_places() {
    let service = filled();
    let answer = get(
        &service,
        "/api/articles/1?include=author.articles.labels,comments",
    );
    let names = [
        "articles:2",
        "comments:1",
        "labels:hot",
        "labels:new",
        "people:1",
    ];
    assert_eq!(included(&answer), names);
    let primary = answer.json["data"]["relationships"]
        .as_object()
        .expect("relationships");
    let names: Vec<&String> = primary.keys().collect();
    // `labels` was requested for the article that is found again below its author.
    assert_eq!(names, ["author", "comments", "labels"], "{answer}");
}

#[test]
fn relations_may_give_a_type_of_their_own() {
    let service = filled();
    let answer = get(&service, "/api/articles/1?include=author,editor");
    assert_eq!(included(&answer), ["editors:1", "people:1"]);
    assert_eq!(
        answer.json["data"]["relationships"]["editor"]["data"],
        identifier("editors", 1)
    );
}

#[test]
fn a_relation_may_lead_to_several_kinds() {
    let service = filled();
    let answer = get(&service, "/api/comments?include=subject");
    assert_eq!(included(&answer), ["articles:1", "people:2"]);
    let subject = |at: usize| answer.json["data"][at]["relationships"]["subject"]["data"].clone();
    assert_eq!(
        (subject(0), subject(1)),
        (identifier("articles", 1), identifier("people", 2))
    );
}

#[test]
fn an_include_parameter_replaces_the_default_includes() {
    let service = filled();
    assert_eq!(included(&get(&service, "/api/comments")), ["people:2"]);
    assert_eq!(
        included(&get(&service, "/api/comments/1?include=subject")),
        ["articles:1"]
    );
    assert_eq!(
        included(&get(&service, "/api/comments/1?include=")),
        [""; 0]
    );
    assert_eq!(
        get(&service, "/api/comments?exclude=author")
            .json
            .get("included"),
        None
    );
    let data = service.guest().get("/api/comments/1?include=subject");
    assert!(
        data.json["data"]["author"].is_object(),
        "data keeps both: {data}"
    );
}

#[test]
fn includes_cost_one_statement_each() {
    let service = filled();
    let count = |path: &str| {
        service.block_on(async {
            use tower::ServiceExt;
            let request = axum::http::Request::get(path)
                .header("accept", super::JSON_API)
                .body(axum::body::Body::empty())
                .expect("a request");
            let answer = service
                .app()
                .router()
                .oneshot(request)
                .await
                .expect("an answer");
            answer
                .extensions()
                .get::<formwork::app::Statements>()
                .map(|count| count.0)
        })
    };
    assert_eq!(count("/api/articles"), Some(1));
    assert_eq!(
        count("/api/articles?include=author.articles,labels"),
        Some(4)
    );
}
