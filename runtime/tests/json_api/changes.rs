//! Documents that store and update.

use formwork::{prelude::*, testing::Service};

use super::{check_document, identifier, magazine, magazine::Label, speaking, stored};

/// Two people and two labels.
pub fn staffed() -> Service {
    let service = magazine();
    for name in ["Ada", "Bob"] {
        stored(&service, "/api/people", json!({"name": name}));
    }
    service
        .block_on(async {
            for word in ["hot", "new"] {
                let mut label = Label {
                    label_id: word.to_owned(),
                    r#type: "word".to_owned(),
                };
                label.insert(&service.context()).await?;
            }
            Ok::<(), Error>(())
        })
        .expect("labels");
    service
}

pub fn label(word: &str) -> Json {
    json!({"type": "labels", "id": word})
}

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
    let answer = speaking(service.admin()).post("/api/articles?include=author,labels", body);
    assert_eq!(answer.status, 201, "{answer}");
    check_document(&answer);
    assert_eq!(answer.header("location"), Some("/api/articles/1"));
    assert_eq!(answer.json["links"]["self"], "/api/articles/1");
    let data = &answer.json["data"];
    assert_eq!(data["links"]["self"], "/api/articles/1");
    assert_eq!(
        (
            &data["attributes"]["title"],
            &data["attributes"]["article_type"]
        ),
        (&json!("Puff"), &json!("essay"))
    );
    assert_eq!(
        data["relationships"]["author"]["data"],
        identifier("people", 2)
    );
    assert_eq!(
        data["relationships"]["labels"]["data"],
        json!([label("hot"), label("new")])
    );
}

#[test]
fn attributes_missing_from_a_patch_keep_their_values() {
    let service = staffed();
    stored(
        &service,
        "/api/articles",
        json!({"title": "Puff", "author_id": 1, "labels": ["hot"]}),
    );
    let patch = |data: Json| {
        let answer = speaking(service.admin()).patch(
            "/api/articles/1?include=author,labels",
            json!({"data": data}),
        );
        assert_eq!(answer.status, 200, "{answer}");
        check_document(&answer);
        answer.json["data"].clone()
    };
    let renamed = patch(json!({"type": "articles", "id": "1", "attributes": {"title": "Paff"}}));
    assert_eq!(renamed["attributes"]["title"], "Paff");
    assert_eq!(
        renamed["relationships"]["author"]["data"],
        identifier("people", 1)
    );
    let moved = patch(json!({"type": "articles", "id": "1", "relationships": {
        "author": {"data": identifier("people", 2)}, "labels": {"data": [label("new")]},
    }}));
    assert_eq!(moved["attributes"]["author_id"], 2);
    assert_eq!(
        moved["relationships"]["labels"]["data"],
        json!([label("new")])
    );
    let emptied = patch(json!({"type": "articles", "id": "1", "relationships": {
        "author": {"data": null}, "labels": {"data": []},
    }}));
    assert_eq!(
        emptied["relationships"],
        json!({"author": {"data": null}, "labels": {"data": []}})
    );
    assert_eq!(emptied["attributes"]["title"], "Paff");
    assert_eq!(
        patch(json!({"type": "articles", "id": "1"}))["attributes"]["title"],
        "Paff"
    );
}

#[test]
fn a_relation_to_several_kinds_is_written_too() {
    let service = staffed();
    let comment = |subject: Json| {
        json!({"data": {
            "type": "comments",
            "attributes": {"text": "good"},
            "relationships": {"author": {"data": identifier("people", 1)}, "subject": {"data": subject}},
        }})
    };
    let post = |subject: Json| speaking(service.admin()).post("/api/comments", comment(subject));
    let stored = post(identifier("people", 2));
    assert_eq!(stored.status, 201, "{stored}");
    let attributes = &stored.json["data"]["attributes"];
    assert_eq!(
        (&attributes["subject_type"], &attributes["subject_id"]),
        (&json!("people"), &json!(2))
    );
    assert_eq!(
        post(Json::Null).json["data"]["attributes"]["subject_type"],
        Json::Null
    );
    let wrong = post(label("hot"));
    assert_eq!(wrong.status, 409, "{wrong}");
    assert_eq!(
        wrong.json["errors"][0]["source"]["pointer"],
        "/data/relationships/subject/data/type"
    );
}

#[test]
fn checks_of_a_document_run_in_their_order() {
    let service = staffed();
    let body = json!({"data": {"type": "articles", "id": "9", "attributes": {"title": 1}}});
    assert_eq!(
        speaking(service.guest())
            .patch("/api/articles/9", body.clone())
            .status,
        401
    );
    assert_eq!(
        speaking(service.customer())
            .patch("/api/articles/9", body.clone())
            .status,
        403
    );
    assert_eq!(
        speaking(service.admin())
            .patch("/api/articles/9", body)
            .status,
        404
    );
    // A missing record or token is answered before a fault of a document that can be read.
    for document in [
        json!({}),
        json!({"data": null}),
        json!({"data": {"type": "people", "id": "9"}}),
        json!({"data": {"type": "articles"}}),
        json!({"data": {"type": "articles", "id": "1"}}),
        json!({"data": {"type": "articles", "id": "9", "attributes": []}}),
        json!({"data": {"type": "articles", "id": "9", "relationships": {"comments": {"data": []}}}}),
        json!({"data": {"type": "articles", "id": "9", "relationships": {"author": {"data": []}}}}),
    ] {
        for id in ["9", "abc", "0"] {
            let path = format!("/api/articles/{id}");
            for method in ["PATCH", "PUT"] {
                let admin = speaking(service.admin());
                let answer = admin.send(method, &path, Some(document.to_string()));
                assert_eq!(answer.status, 404, "{method} {path} {document}: {answer}");
                let guest = speaking(service.guest());
                let answer = guest.send(method, &path, Some(document.to_string()));
                assert_eq!(answer.status, 401, "{method} {path} {document}: {answer}");
            }
        }
    }
}

#[test]
fn plain_bodies_know_both_names_of_the_type() {
    let service = staffed();
    let admin = service.admin();
    let stored = admin.post(
        "/api/articles",
        json!({"title": "Puff", "article_type": "essay"}),
    );
    assert_eq!(
        (stored.status, &stored.json["data"]["type"]),
        (201, &json!("essay")),
        "{stored}"
    );
    let both = admin.patch(
        "/api/articles/1",
        json!({"type": "news", "article_type": "essay"}),
    );
    assert_eq!(both.json["data"]["type"], "news");
    let document =
        json!({"data": {"type": "articles", "id": "1", "attributes": {"title": "Paff"}}});
    let mixed = service
        .admin()
        .header("Content-Type", super::JSON_API)
        .patch("/api/articles/1", document);
    assert_eq!(
        mixed.json["data"]["title"], "Paff",
        "a document is answered with data: {mixed}"
    );
}
