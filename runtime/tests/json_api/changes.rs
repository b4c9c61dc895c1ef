//! Documents that store and update.

use formwork::prelude::*;

use super::{
    JSON_API, assert_pointers, check_document, identifier, insert_article, json_api, label,
    patch_article, staffed,
};

#[test]
fn attributes_and_relationships_are_stored() {
    let service = staffed();
    let body = json!({"data": {
        "type": "articles",
        "attributes": {"title": " Puff ", "article_type": "essay", "unknown": 1, "secret": "x"},
        "relationships": {
            "author": {"data": identifier("people", 2)},
            "labels": {"data": [label("hot"), label("new")]},
            "unknown": {"data": null},
        },
    }});
    let answer = json_api(service.admin()).post("/api/articles?include=author,labels", body);
    assert_eq!(answer.status, 201, "{answer}");
    check_document(&answer);
    assert_eq!(answer.header("location"), Some("/api/articles/1"));
    assert_eq!(answer.json["links"]["self"], "/api/articles/1");
    let data = &answer.json["data"];
    assert_eq!(data["links"]["self"], "/api/articles/1");
    assert_eq!(data["attributes"]["title"], "Puff");
    assert_eq!(data["attributes"]["article_type"], "essay");
    let linked = json!({
        "author": {"data": identifier("people", 2)},
        "labels": {"data": [label("hot"), label("new")]},
    });
    assert_eq!(data["relationships"], linked);
}

#[test]
fn attributes_missing_from_a_patch_keep_their_values() {
    let service = staffed();
    let article = json!({"title": "Puff", "author_id": 1, "labels": ["hot"]});
    insert_article(&service, article);
    let linked = |author: Json, labels: &[&str]| {
        let labels: Vec<Json> = labels.iter().map(|word| label(word)).collect();
        json!({"author": {"data": author}, "labels": {"data": labels}})
    };
    let first = linked(identifier("people", 1), &["hot"]);
    let second = linked(identifier("people", 2), &["new"]);
    let none = linked(Json::Null, &[]);
    for (data, expected) in [
        (json!({"attributes": {"title": "Paff"}}), &first),
        (json!({"relationships": second}), &second),
        (json!({"relationships": none}), &none),
        (json!({}), &none),
    ] {
        let answer = patch_article(&service, data);
        assert_eq!(answer.status, 200, "{answer}");
        check_document(&answer);
        let data = &answer.json["data"];
        assert_eq!(data["attributes"]["title"], "Paff");
        assert_eq!(data["relationships"], *expected, "{answer}");
    }
}

#[test]
fn a_relation_to_several_kinds_is_written_too() {
    let service = staffed();
    let post = |subject: Json| {
        let author = identifier("people", 1);
        let relationships = json!({"author": {"data": author}, "subject": {"data": subject}});
        let data = json!({"type": "comments", "attributes": {"text": "good"}, "relationships": relationships});
        json_api(service.admin()).post("/api/comments", json!({"data": data}))
    };
    for (subject, kind, id) in [
        (identifier("people", 2), json!("people"), json!(2)),
        (Json::Null, Json::Null, Json::Null),
    ] {
        let stored = post(subject);
        assert_eq!(stored.status, 201, "{stored}");
        let attributes = &stored.json["data"]["attributes"];
        assert_eq!(attributes["subject_type"], kind, "{stored}");
        assert_eq!(attributes["subject_id"], id, "{stored}");
    }
    let pointer = "/data/relationships/subject/data/type";
    assert_pointers(&post(label("hot")), 409, &[pointer]);
}

#[test]
fn checks_of_a_document_run_in_their_order() {
    let service = staffed();
    // Callers, access and missing records are checked before the document is read.
    for data in [
        json!({"type": "articles", "id": "9", "attributes": {"title": 1}}),
        json!(null),
        json!({"type": "people", "id": "9"}),
        json!({"type": "articles"}),
        json!({"type": "articles", "id": "1"}),
        json!({"type": "articles", "id": "9", "attributes": []}),
        json!({"type": "articles", "id": "9", "relationships": {"comments": {"data": []}}}),
        json!({"type": "articles", "id": "9", "relationships": {"author": {"data": []}}}),
    ] {
        let body = json!({"data": data}).to_string();
        for (client, status) in [
            (service.guest(), 401),
            (service.customer(), 403),
            (service.admin(), 404),
        ] {
            let client = json_api(client);
            for method in ["PATCH", "PUT"] {
                for id in ["9", "abc", "0"] {
                    let path = format!("/api/articles/{id}");
                    let answer = client.send(method, &path, Some(body.clone()));
                    assert_eq!(answer.status, status, "{method} {path} {body}: {answer}");
                }
            }
        }
    }
    let answer = json_api(service.admin()).patch("/api/articles/9", json!({}));
    assert_eq!(answer.status, 404, "{answer}");
}

#[test]
fn plain_bodies_know_both_names_of_the_type() {
    let service = staffed();
    let admin = service.admin();
    let body = json!({"title": "Puff", "article_type": "essay"});
    let stored = admin.post("/api/articles", body);
    assert_eq!(stored.status, 201, "{stored}");
    assert_eq!(stored.json["data"]["type"], "essay", "{stored}");
    let body = json!({"type": "news", "article_type": "essay"});
    let both = admin.patch("/api/articles/1", body);
    assert_eq!(both.json["data"]["type"], "news");
    // A document is answered with plain data if the client accepts JSON.
    let document =
        json!({"data": {"type": "articles", "id": "1", "attributes": {"title": "Paff"}}});
    let client = admin.header("Content-Type", JSON_API);
    let mixed = client.patch("/api/articles/1", document);
    assert_eq!(mixed.json["data"]["title"], "Paff", "{mixed}");
}
