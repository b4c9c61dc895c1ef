//! Compound documents: full linkage, each object once.

use axum::{body::Body, http::Request};
use formwork::{app::Statements, prelude::*, testing::Service};
use tower::ServiceExt;

use super::{document, identifier, included, insert, insert_article, staffed};

/// Starts the magazine with two articles by one author, one of them with an editor, labels, and
/// comments.
fn filled() -> Service {
    let service = staffed();
    for article in [
        json!({"title": "Puff", "author_id": 1, "labels": ["hot", "new"]}),
        json!({"title": "Paff", "author_id": 1, "labels": ["hot"]}),
        json!({"title": "Poff"}),
    ] {
        insert_article(&service, article);
    }
    for (kind, id) in [("articles", 1), ("people", 2)] {
        let comment =
            json!({"text": "good", "subject_type": kind, "subject_id": id, "author_id": 2});
        insert(&service, "/api/comments", comment);
    }
    let sql = "UPDATE articles SET editor_id = 1 WHERE article_id = 1";
    let edited = service.block_on(service.app().db().execute(sql, []));
    assert_eq!(edited.ok(), Some(1));
    service
}

#[test]
fn each_object_is_in_a_document_once() {
    let service = filled();
    let answer = document(&service, "/api/articles?include=author,labels");
    assert_eq!(included(&answer), ["labels:hot", "labels:new", "people:1"]);
    let first = &answer.json["data"][0]["relationships"];
    assert_eq!(first["author"], json!({"data": identifier("people", 1)}));
    assert_eq!(first["labels"]["data"].as_array().map(Vec::len), Some(2));
    let third = &answer.json["data"][2]["relationships"];
    assert_eq!(third["author"], json!({"data": null}));
    assert_eq!(third["labels"], json!({"data": []}));
    let objects = answer.json["included"].as_array().expect("a list");
    // The attribute `type` of a supporting model has its own name too. Labels have no route.
    let hot = json!({"type": "labels", "id": "hot", "attributes": {"label_type": "mood"}});
    assert!(objects.contains(&hot), "{answer}");
    let ada = objects.iter().find(|object| object["type"] == "people");
    let links = json!({"self": "/api/people/1"});
    assert_eq!(ada.map(|ada| &ada["links"]), Some(&links));
}

/// Asserts the included objects of documents.
#[track_caller]
fn assert_included(service: &Service, documents: &[(&str, &[&str])]) {
    for (path, expected) in documents {
        let answer = document(service, path);
        assert_eq!(included(&answer), *expected, "{path}");
    }
}

#[test]
fn included_is_an_empty_list_without_related_records() {
    assert_included(
        &filled(),
        &[
            ("/api/articles/3?include=author,comments", &[]),
            ("/api/articles?filter[id]=99&include=author", &[]),
            ("/api/articles/1?include=", &[]),
        ],
    );
}

#[test]
fn primary_data_is_not_included_again() {
    let service = filled();
    let answer = document(&service, "/api/articles/1?include=author.articles.author");
    // The article itself is one of its author's.
    assert_eq!(included(&answer), ["articles:2", "people:1"]);
    let articles = &answer.json["included"][0]["relationships"]["articles"];
    assert_eq!(articles["data"][0], identifier("articles", 1));
}

#[test]
fn an_object_has_the_relationships_of_all_its_places() {
    let service = filled();
    let path = "/api/articles/1?include=author.articles.labels,comments";
    let answer = document(&service, path);
    let names = [
        "articles:2",
        "comments:1",
        "labels:hot",
        "labels:new",
        "people:1",
    ];
    assert_eq!(included(&answer), names);
    let primary = answer.json["data"]["relationships"].as_object();
    let names: Vec<&String> = primary.expect("relationships").keys().collect();
    // `labels` was requested for the article that is found again below its author.
    assert_eq!(names, ["author", "comments", "labels"], "{answer}");
}

#[test]
fn relations_may_give_a_type_of_their_own() {
    let service = filled();
    let answer = document(&service, "/api/articles/1?include=author,editor");
    assert_eq!(included(&answer), ["editors:1", "people:1"]);
    let editor = &answer.json["data"]["relationships"]["editor"]["data"];
    assert_eq!(*editor, identifier("editors", 1));
}

#[test]
fn a_relation_may_lead_to_several_kinds() {
    let service = filled();
    let answer = document(&service, "/api/comments?include=subject");
    assert_eq!(included(&answer), ["articles:1", "people:2"]);
    for (at, subject) in [identifier("articles", 1), identifier("people", 2)]
        .iter()
        .enumerate()
    {
        let linkage = &answer.json["data"][at]["relationships"]["subject"]["data"];
        assert_eq!(linkage, subject);
    }
}

#[test]
fn an_include_parameter_replaces_the_default_includes() {
    let service = filled();
    assert_included(
        &service,
        &[
            ("/api/comments", &["people:2"]),
            ("/api/comments/1?include=subject", &["articles:1"]),
            ("/api/comments/1?include=", &[]),
        ],
    );
    for path in ["/api/articles/1", "/api/comments?exclude=author"] {
        assert_eq!(
            document(&service, path).json.get("included"),
            None,
            "{path}"
        );
    }
    // Plain data has both.
    let data = service.guest().get("/api/comments/1?include=subject");
    assert!(data.json["data"]["author"].is_object(), "{data}");
}

#[test]
fn includes_cost_one_statement_each() {
    let service = filled();
    for (path, statements) in [
        ("/api/articles", 1),
        ("/api/articles?include=author.articles,labels", 4),
    ] {
        let request = Request::get(path).header("accept", super::JSON_API);
        let request = request.body(Body::empty()).expect("a request");
        let answer = service.block_on(service.app().router().oneshot(request));
        let answer = answer.expect("a response");
        let count = answer.extensions().get::<Statements>();
        assert_eq!(count.map(|count| count.0), Some(statements), "{path}");
    }
}
