//! Documents that are rejected, and where the pointers of their errors lead.

use formwork::prelude::*;

use super::{
    assert_pointers, count_articles, document, identifier, insert_article, json_api, label,
    patch_article, post_article, staffed,
};

/// Starts the magazine with an article, two people and two labels.
fn with_article() -> formwork::testing::Service {
    let service = staffed();
    insert_article(&service, json!({"title": "Puff"}));
    service
}

const AUTHOR: &str = "/data/relationships/author/data";
const LABELS: &str = "/data/relationships/labels/data";

#[test]
fn identity_is_checked() {
    let service = with_article();
    for (method, path, kind, id, status, pointer) in [
        ("POST", "", "people", None, 409, "/data/type"),
        ("POST", "", "articles", Some("7"), 403, "/data/id"),
        ("PATCH", "/1", "people", Some("1"), 409, "/data/type"),
        ("PATCH", "/1", "articles", Some("2"), 409, "/data/id"),
        ("PUT", "/1", "articles", Some("2"), 409, "/data/id"),
    ] {
        let mut data = json!({"type": kind, "attributes": {"title": "Paff"}});
        if let Some(id) = id {
            data["id"] = json!(id);
        }
        let (path, body) = (format!("/api/articles{path}"), json!({"data": data}));
        let answer = json_api(service.admin()).send(method, &path, Some(body.to_string()));
        assert_pointers(&answer, status, &[pointer]);
    }
    let shown = service.guest().get("/api/articles/1");
    assert_eq!(shown.json["data"]["title"], "Puff", "{shown}");
    assert_eq!(count_articles(&service), 1, "nothing was written");
}

/// Malformed documents, and the pointers of their errors.
const MALFORMED: &str = r#"
    POST {} =>
    POST {"title": "Puff"} =>
    POST {"data": null} => /data
    POST {"data": []} => /data
    POST {"data": {}} => /data
    POST {"data": {"type": 1}} => /data/type
    POST {"data": {"type": "articles", "attributes": []}} => /data/attributes
    POST {"data": {"type": "articles", "relationships": 1}} => /data/relationships
    POST {"data": {"type": "articles", "attributes": 1, "relationships": 1}} => /data/attributes /data/relationships
    POST {"data": {"type": "articles", "relationships": {"author": null}}} => /data/relationships/author
    POST {"data": {"type": "articles", "relationships": {"author": {"links": {}}}}} => /data/relationships/author
    POST {"data": {"type": "articles", "relationships": {"author": {"data": 1}}}} => /data/relationships/author/data
    POST {"data": {"type": "articles", "relationships": {"author": {"data": {"id": 1, "type": "people"}}}}} => /data/relationships/author/data
    POST {"data": {"type": "articles", "relationships": {"author": {"data": [{"id": "1"}]}}}} => /data/relationships/author/data/0
    PATCH {"data": {"type": "articles"}} => /data
    PATCH {"data": {"type": "articles", "id": 1}} => /data/id
"#;

#[test]
fn malformed_documents_are_pointed_into() {
    let service = with_article();
    let admin = json_api(service.admin());
    for line in MALFORMED.trim().lines() {
        let (request, pointers) = line.trim().split_once(" =>").expect("pointers");
        let (method, body) = request.split_once(' ').expect("a method");
        let path = if method == "POST" {
            "/api/articles"
        } else {
            "/api/articles/1"
        };
        let answer = admin.send(method, path, Some(body.to_owned()));
        let pointers: Vec<&str> = pointers.trim().split(' ').collect();
        assert_pointers(&answer, 400, &pointers);
    }
    for text in ["", "{", "[]", "1"] {
        let answer = admin.send("POST", "/api/articles", Some(text.to_owned()));
        assert_eq!(answer.status, 400, "{text}: {answer}");
        assert_eq!(answer.json["errors"][0]["status"], "400");
    }
}

/// Asserts how a document with these relationships is rejected, whatever its title: other errors are
/// not looked for.
#[track_caller]
fn assert_rejected(
    service: &formwork::testing::Service,
    relationships: &Json,
    status: u16,
    pointers: &[&str],
) {
    for title in ["Puff", "P"] {
        let data = json!({"type": "articles", "attributes": {"title": title},
                          "relationships": relationships});
        let mut with_id = data.clone();
        with_id["id"] = json!("1");
        let put = json_api(service.admin()).put("/api/articles/1", json!({"data": with_id}));
        for answer in [
            post_article(service, data.clone()),
            patch_article(service, data),
            put,
        ] {
            assert_pointers(&answer, status, pointers);
        }
    }
}

/// Relationships take the types that documents show, and no others: 409 on each identifier.
#[test]
fn linkage_to_another_type_is_a_conflict() {
    let service = with_article();
    let relationships = json!({
        "author": {"data": identifier("articles", 1)},
        "labels": {"data": [label("hot"), identifier("people", 1)]},
    });
    let pointers = [&format!("{AUTHOR}/type"), &*format!("{LABELS}/1/type")];
    assert_rejected(&service, &relationships, 409, &pointers);
    assert_eq!(count_articles(&service), 1, "nothing was stored");
    // Callers without access get no details: 401, 403 and 404 come first.
    let data = json!({"type": "articles", "id": "9", "relationships": relationships});
    for (client, status) in [
        (service.guest(), 401),
        (service.customer(), 403),
        (service.admin(), 404),
    ] {
        let answer = json_api(client).patch("/api/articles/9", json!({"data": data}));
        assert_eq!(answer.status, status, "{answer}");
    }
}

/// An object for a to-many relationship, or a list for a to-one: "a malformed document: 400, with a
/// pointer" (docs/guide/json-api.md).
#[test]
fn linkage_of_another_shape_is_malformed() {
    let service = with_article();
    let person = identifier("people", 1);
    for (author, labels, pointers) in [
        (json!([person]), None, &[AUTHOR][..]),
        (json!([]), None, &[AUTHOR]),
        (person, Some(label("hot")), &[LABELS]),
        (json!(null), Some(json!(null)), &[LABELS]),
        (json!([]), Some(json!(null)), &[AUTHOR, LABELS]),
        // An identifier of another type is in a document that can be read.
        (identifier("articles", 1), Some(json!(null)), &[LABELS]),
    ] {
        let mut relationships = json!({"author": {"data": author}});
        if let Some(labels) = labels {
            relationships["labels"] = json!({"data": labels});
        }
        assert_rejected(&service, &relationships, 400, pointers);
    }
}

/// A documented deviation: the standard says 404 (docs/guide/json-api.md).
#[test]
fn a_relationship_to_a_missing_record_is_a_validation_error() {
    let service = staffed();
    let post = |attributes: Json, author: Json, labels: Json| {
        let relationships = json!({"author": {"data": author}, "labels": {"data": labels}});
        let data =
            json!({"type": "articles", "attributes": attributes, "relationships": relationships});
        post_article(&service, data)
    };
    let title = || json!({"title": "Puff"});
    let missing = || {
        (
            identifier("people", 99),
            json!([label("hot"), label("cold")]),
        )
    };
    for (answer, field, pointer) in [
        (
            post(title(), missing().0, json!([label("hot")])),
            "author_id",
            AUTHOR,
        ),
        (post(title(), Json::Null, missing().1), "labels", LABELS),
    ] {
        assert_pointers(&answer, 422, &[pointer]);
        assert_eq!(answer.json["errors"][0]["meta"]["field"], field, "{answer}");
    }
    // All missing records are reported at once, with the other errors. Attributes that cannot be
    // written are ignored.
    for (attributes, broken) in [
        (
            json!({"title": "Puff", "editor_id": 98, "rank": 1}),
            &[][..],
        ),
        (
            json!({"title": "P", "editor_id": 98, "rank": "x"}),
            &["/data/attributes/rank", "/data/attributes/title"],
        ),
    ] {
        let (author, labels) = missing();
        let answer = post(attributes, author, labels);
        assert_pointers(&answer, 422, &[&[AUTHOR, LABELS], broken].concat());
    }
    for (member, value) in [("author_id", json!(99)), ("labels", json!(["hot", "cold"]))] {
        let body = json!({"title": "Puff", member: value});
        let answer = service.admin().post("/api/articles", body);
        assert_eq!(answer.status, 422, "{answer}");
        let errors = answer.json["errors"].as_object().expect("errors");
        assert_eq!(errors.keys().collect::<Vec<_>>(), [member], "{answer}");
    }
}

/// Texts that other bodies read as numbers are not valid ids.
#[test]
fn an_id_is_written_in_one_way() {
    let service = with_article();
    let patch =
        |relationships: Json| patch_article(&service, json!({"relationships": relationships}));
    for id in [
        "01", "+1", " 1", "1 ", "-0", "1.0", "1e0", "\u{661}", "", "0",
    ] {
        let author = json!({"type": "people", "id": id});
        assert_pointers(&patch(json!({"author": {"data": author}})), 422, &[AUTHOR]);
    }
    for id in [" hot", "hot ", "HOT", ""] {
        let labels = json!({"labels": {"data": [label("hot"), label(id)]}});
        assert_pointers(&patch(labels), 422, &[LABELS]);
    }
    let shown = document(&service, "/api/articles/1?include=author,labels");
    let linked = json!({"author": {"data": null}, "labels": {"data": []}});
    assert_eq!(shown.json["data"]["relationships"], linked, "{shown}");
}

#[test]
fn relationships_that_are_not_writable_are_refused() {
    let service = with_article();
    let patch = |name: &str, linkage: Json| {
        patch_article(
            &service,
            json!({"relationships": {name: {"data": linkage}}}),
        )
    };
    for (name, linkage) in [("comments", json!([])), ("part", json!(null))] {
        let pointer = format!("/data/relationships/{name}");
        assert_pointers(&patch(name, linkage), 403, &[&pointer]);
    }
    // The request does not list `editor_id`: no caller may write it, so any value is ignored.
    for linkage in [identifier("articles", 2), json!([])] {
        let answer = patch("editor", linkage);
        assert_eq!(answer.status, 200, "{answer}");
        assert_eq!(answer.json["data"]["attributes"]["editor_id"], Json::Null);
    }
}
