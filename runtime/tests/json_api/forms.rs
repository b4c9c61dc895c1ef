//! `meta.form` in both renderings: attributes have the names their rendering gives them.

use formwork::{prelude::*, testing::Answer};

use super::{magazine, plain_magazine, speaking};

fn names(answer: &Answer) -> Vec<String> {
    assert_eq!(answer.status, 200, "{answer}");
    let fields = answer.json["meta"]["form"].as_array().cloned();
    let fields = fields.unwrap_or_else(|| panic!("no form: {answer}"));
    let name = |field: &Json| field["name"].as_str().unwrap_or_default().to_owned();
    fields.iter().map(name).collect()
}

#[test]
fn a_form_names_attributes_as_its_document_does() {
    let services = [magazine(), plain_magazine()];
    for service in &services {
        let article = json!({"title": "Puff", "type": "news"});
        let stored = service.admin().post("/api/articles", article);
        assert_eq!(stored.status, 201, "{stored}");
    }
    for path in ["/api/articles/create", "/api/articles/1/edit"] {
        let data = names(&services[0].admin().get(path));
        let document = names(&speaking(services[0].admin()).get(path));
        let plain = names(&services[1].admin().get(path));
        let has = |names: &[String], name: &str| names.iter().any(|known| known == name);
        assert!(
            has(&data, "type") && !has(&data, "article_type"),
            "{data:?}"
        );
        assert!(
            has(&document, "article_type") && !has(&document, "type"),
            "{document:?}"
        );
        assert_eq!(
            plain, document,
            "where documents are what plain clients read"
        );
        assert_eq!(data.len(), document.len());
    }
}

#[test]
fn a_refusal_names_attributes_as_its_document_does() {
    let service = magazine();
    let attributes = json!({"title": "Puff", "article_type": "x"});
    let document = json!({"data": {"type": "articles", "attributes": attributes}});
    let answer = speaking(service.admin()).post("/api/articles", document);
    assert_eq!(answer.status, 422, "{answer}");
    let error = &answer.json["errors"][0];
    assert_eq!(error["meta"]["field"], "article_type", "{answer}");
    assert_eq!(error["detail"], "The selected article type is invalid.");
    assert_eq!(error["source"]["pointer"], "/data/attributes/article_type");
    let body = json!({"title": "Puff", "type": "x"});
    let answer = service.admin().post("/api/articles", body);
    assert!(answer.json["errors"]["type"].is_array(), "{answer}");
}

/// The body is plain: it is the answer that is a document.
#[test]
fn a_refusal_of_a_plain_body_names_attributes_as_documents_do() {
    let (service, plain) = (magazine(), plain_magazine());
    let documents = service.admin().header("Accept", super::JSON_API);
    for client in [documents, plain.admin()] {
        let stored = client.post("/api/articles", json!({"title": "Puff"}));
        assert_eq!(stored.status, 201, "{stored}");
        for name in ["type", "article_type"] {
            let mut body = json!({"title": "Puff"});
            body[name] = json!("x");
            for answer in [
                client.post("/api/articles", body.clone()),
                client.patch("/api/articles/1", body.clone()),
            ] {
                assert_eq!(answer.status, 422, "{answer}");
                let error = &answer.json["errors"][0];
                assert_eq!(error["meta"]["field"], "article_type", "{answer}");
                assert_eq!(error["detail"], "The selected article type is invalid.");
                assert_eq!(error["source"]["pointer"], format!("/{name}"), "{answer}");
            }
        }
    }
}
