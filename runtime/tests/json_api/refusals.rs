//! Documents that are refused, and where they are pointed into.

use formwork::prelude::*;

use super::{
    changes::{label, staffed},
    identifier, speaking, stored,
};

#[test]
fn identity_is_checked() {
    let service = staffed();
    stored(&service, "/api/articles", json!({"title": "Puff"}));
    let admin = || speaking(service.admin());
    let title = json!({"title": "Paff"});
    for (answer, status, pointer) in [
        (
            admin().post(
                "/api/articles",
                json!({"data": {"type": "people", "attributes": title}}),
            ),
            409,
            "/data/type",
        ),
        (
            admin().post(
                "/api/articles",
                json!({"data": {"type": "articles", "id": "7", "attributes": title}}),
            ),
            403,
            "/data/id",
        ),
        (
            admin().patch(
                "/api/articles/1",
                json!({"data": {"type": "people", "id": "1", "attributes": title}}),
            ),
            409,
            "/data/type",
        ),
        (
            admin().patch(
                "/api/articles/1",
                json!({"data": {"type": "articles", "id": "2", "attributes": title}}),
            ),
            409,
            "/data/id",
        ),
        (
            admin().put(
                "/api/articles/1",
                json!({"data": {"type": "articles", "id": "2", "attributes": title}}),
            ),
            409,
            "/data/id",
        ),
    ] {
        assert_eq!(answer.status, status, "{answer}");
        let error = &answer.json["errors"][0];
        assert_eq!(
            (&error["status"], &error["source"]),
            (&json!(status.to_string()), &json!({"pointer": pointer}))
        );
    }
    let shown = service.guest().get("/api/articles");
    assert_eq!(
        shown.json["data"][0]["title"], "Puff",
        "nothing was written: {shown}"
    );
    assert_eq!(shown.json["meta"]["pagination"]["total"], 1);
}

#[test]
fn malformed_documents_are_pointed_into() {
    let service = staffed();
    stored(&service, "/api/articles", json!({"title": "Puff"}));
    let store = |body: Json| speaking(service.admin()).post("/api/articles", body);
    let update = |body: Json| speaking(service.admin()).patch("/api/articles/1", body);
    let linked =
        |linkage: Json| json!({"data": {"type": "articles", "relationships": {"author": linkage}}});
    for (answer, pointer) in [
        (store(json!({})), ""),
        (store(json!({"title": "Puff"})), ""),
        (store(json!({"data": null})), "/data"),
        (store(json!({"data": []})), "/data"),
        (store(json!({"data": {}})), "/data"),
        (store(json!({"data": {"type": 1}})), "/data/type"),
        (
            store(json!({"data": {"type": "articles", "attributes": []}})),
            "/data/attributes",
        ),
        (
            store(json!({"data": {"type": "articles", "relationships": 1}})),
            "/data/relationships",
        ),
        (store(linked(json!(null))), "/data/relationships/author"),
        (
            store(linked(json!({"links": {}}))),
            "/data/relationships/author",
        ),
        (
            store(linked(json!({"data": 1}))),
            "/data/relationships/author/data",
        ),
        (
            store(linked(json!({"data": {"id": 1, "type": "people"}}))),
            "/data/relationships/author/data",
        ),
        (
            store(linked(json!({"data": [{"id": "1"}]}))),
            "/data/relationships/author/data/0",
        ),
        (update(json!({"data": {"type": "articles"}})), "/data"),
        (
            update(json!({"data": {"type": "articles", "id": 1}})),
            "/data/id",
        ),
    ] {
        assert_eq!(answer.status, 400, "{pointer}: {answer}");
        assert_eq!(
            answer.json["errors"][0]["source"],
            json!({"pointer": pointer}),
            "{answer}"
        );
    }
    let both = store(json!({"data": {"type": "articles", "attributes": 1, "relationships": 1}}));
    assert_eq!(
        both.json["errors"].as_array().map(Vec::len),
        Some(2),
        "{both}"
    );
    for text in ["", "{", "[]", "1"] {
        let answer = speaking(service.admin()).send("POST", "/api/articles", Some(text.to_owned()));
        assert_eq!(answer.status, 400, "{text}: {answer}");
        assert_eq!(answer.json["errors"][0]["status"], "400");
    }
}

#[test]
fn linkage_of_the_wrong_kind_is_a_broken_rule_among_others() {
    let service = staffed();
    let body = json!({"data": {
        "type": "articles",
        "attributes": {"title": "P", "article_type": "poem"},
        "relationships": {
            "author": {"data": identifier("articles", 1)},
            "labels": {"data": [label("hot"), identifier("people", 1)]},
        },
    }});
    let answer = speaking(service.admin()).post("/api/articles", body);
    assert_eq!(answer.status, 422, "{answer}");
    let errors = answer.json["errors"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let pointers: Vec<&str> = errors
        .iter()
        .filter_map(|error| error["source"]["pointer"].as_str())
        .collect();
    assert_eq!(
        pointers,
        [
            "/data/attributes/article_type",
            "/data/relationships/author/data",
            "/data/relationships/labels/data/1",
            "/data/attributes/title",
        ]
    );
    let unknown = json!({"data": {"type": "articles", "attributes": {"title": "Puff"}, "relationships": {
        "author": {"data": identifier("people", 99)}, "labels": {"data": [label("cold")]},
    }}});
    let answer = speaking(service.admin()).post("/api/articles", unknown);
    assert_eq!(answer.status, 422, "{answer}");
    assert_eq!(
        answer.json["errors"][0]["source"]["pointer"],
        "/data/relationships/author/data"
    );
    let shapes = json!({"data": {"type": "articles", "attributes": {"title": "Puff"}, "relationships": {
        "author": {"data": [identifier("people", 1)]}, "labels": {"data": label("hot")},
    }}});
    let answer = speaking(service.admin()).post("/api/articles", shapes);
    assert_eq!(
        (
            answer.status,
            answer.json["errors"].as_array().map(Vec::len)
        ),
        (422, Some(2)),
        "{answer}"
    );
}

#[test]
fn what_cannot_be_written_as_a_relationship_is_refused() {
    let service = staffed();
    stored(&service, "/api/articles", json!({"title": "Puff"}));
    for (name, linkage) in [("comments", json!([])), ("part", json!(null))] {
        let body = json!({"data": {"type": "articles", "id": "1", "relationships": {name: {"data": linkage}}}});
        let answer = speaking(service.admin()).patch("/api/articles/1", body);
        assert_eq!(answer.status, 403, "{name}: {answer}");
        let pointer = format!("/data/relationships/{name}");
        assert_eq!(answer.json["errors"][0]["source"]["pointer"], pointer);
    }
    // The request does not list `editor_id`: nobody may write it, so it is ignored.
    let body = json!({"data": {"type": "articles", "id": "1", "relationships": {
        "editor": {"data": identifier("articles", 2)},
    }}});
    let answer = speaking(service.admin()).patch("/api/articles/1", body);
    assert_eq!(
        (
            answer.status,
            &answer.json["data"]["attributes"]["editor_id"]
        ),
        (200, &Json::Null),
        "{answer}"
    );
}
