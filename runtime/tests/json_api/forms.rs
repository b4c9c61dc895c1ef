//! `meta.form` in both representations: attributes have the names of their representation.

use formwork::{prelude::*, testing::Answer};

use super::{JSON_API, insert_article, json_api, magazine, plain_magazine, post_article};

fn names(answer: &Answer) -> Vec<&str> {
    let fields = answer.json["meta"]["form"].as_array();
    let fields = fields.unwrap_or_else(|| panic!("no form: {answer}"));
    fields
        .iter()
        .filter_map(|field| field["name"].as_str())
        .collect()
}

#[test]
fn a_form_names_attributes_as_its_document_does() {
    let services = [magazine(), plain_magazine()];
    for service in &services {
        insert_article(service, json!({"title": "Puff", "type": "news"}));
    }
    for path in ["/api/articles/create", "/api/articles/1/edit"] {
        let data = services[0].admin().get(path);
        let document = json_api(services[0].admin()).get(path);
        let plain = services[1].admin().get(path);
        let (data, document) = (names(&data), names(&document));
        assert!(data.contains(&"type") && !data.contains(&"article_type"));
        let renamed = data.iter().map(|name| match *name {
            "type" => "article_type",
            name => name,
        });
        assert_eq!(document, renamed.collect::<Vec<_>>());
        assert_eq!(names(&plain), document, "`api.serializer: json_api`");
    }
}

/// Asserts that a response rejects the type of an article.
#[track_caller]
fn assert_type_rejected(answer: &Answer, pointer: &str) {
    assert_eq!(answer.status, 422, "{answer}");
    let error = &answer.json["errors"][0];
    assert_eq!(error["meta"]["field"], "article_type", "{answer}");
    assert_eq!(error["detail"], "The selected article type is invalid.");
    assert_eq!(error["source"]["pointer"], pointer, "{answer}");
}

#[test]
fn a_refusal_names_attributes_as_its_document_does() {
    let service = magazine();
    let attributes = json!({"title": "Puff", "article_type": "x"});
    let answer = post_article(
        &service,
        json!({"type": "articles", "attributes": attributes}),
    );
    assert_type_rejected(&answer, "/data/attributes/article_type");
    let body = json!({"title": "Puff", "type": "x"});
    let answer = service.admin().post("/api/articles", body);
    assert!(answer.json["errors"]["type"].is_array(), "{answer}");
}

/// The body is plain, and the response is a document.
#[test]
fn a_refusal_of_a_plain_body_names_attributes_as_documents_do() {
    let (service, plain) = (magazine(), plain_magazine());
    let documents = service.admin().header("Accept", JSON_API);
    for client in [documents, plain.admin()] {
        let stored = client.post("/api/articles", json!({"title": "Puff"}));
        assert_eq!(stored.status, 201, "{stored}");
        for name in ["type", "article_type"] {
            let body = json!({"title": "Puff", name: "x"});
            let pointer = format!("/{name}");
            assert_type_rejected(&client.post("/api/articles", body.clone()), &pointer);
            assert_type_rejected(&client.patch("/api/articles/1", body), &pointer);
        }
    }
}
