//! `fields[articles]=title`, in both representations.

use formwork::prelude::*;

use super::{count_articles, document, get, identifier, included, insert, json_api, with_article};

#[test]
fn objects_have_only_the_fields_of_their_fieldset() {
    let service = with_article();
    for (fields, attributes) in [
        (
            "title,article_type,id,article_id",
            json!({"title": "Puff", "article_type": "news"}),
        ),
        ("type", json!({"article_type": "news"})),
        ("headline", json!({"headline": "PUFF"})),
        ("", json!({})),
    ] {
        let answer = document(
            &service,
            &format!("/api/articles/1?fields[articles]={fields}"),
        );
        let expected = json!({
            "type": "articles", "id": "1", "attributes": attributes,
            "links": {"self": "/api/articles/1"},
        });
        assert_eq!(answer.json["data"], expected, "{fields}");
    }
    let answer = document(&service, "/api/articles/1?fields[people]=name");
    assert_eq!(answer.json["data"]["attributes"]["title"], "Puff");
}

#[test]
fn relationships_are_fields_too() {
    let service = with_article();
    let path = "/api/articles/1?include=author&fields[people]=&fields[articles]=title";
    let linked = get(&service, &format!("{path},author"));
    let author = &linked.json["data"]["relationships"]["author"]["data"];
    assert_eq!(*author, identifier("people", 1));
    assert_eq!(linked.json["included"][0]["attributes"], json!({}));
    let unlinked = get(&service, path);
    assert_eq!(unlinked.json["data"].get("relationships"), None);
    assert_eq!(included(&unlinked), ["people:1"]);
}

#[test]
fn a_relation_s_own_type_has_fields_of_its_own() {
    let service = with_article();
    let edit = service
        .app()
        .db()
        .execute("UPDATE articles SET editor_id = 1", []);
    service.block_on(edit).expect("a statement");
    let path = "/api/articles/1?include=author,editor&fields[editors]=name&fields[people]=";
    let answer = document(&service, path);
    let objects = answer.json["included"].as_array().expect("objects");
    for (kind, attributes) in [("editors", json!({"name": "Ada"})), ("people", json!({}))] {
        let object = objects.iter().find(|object| object["type"] == kind);
        assert_eq!(object.expect(kind)["attributes"], attributes, "{answer}");
    }
    let path = "/api/articles/1?include=editor&fields[people]=";
    let editor = &get(&service, path).json["included"][0];
    assert_eq!(editor["attributes"], json!({"name": "Ada"}), "another type");
    // Plain data shows no types.
    let data = service.guest().get(path);
    assert_eq!(data.json["data"]["editor"], json!({"id": 1}), "{data}");
}

/// `fields[…]` takes the types that documents show, in both representations: those of resources,
/// and those that relations give to other models.
#[test]
fn the_types_of_fields_are_those_of_documents() {
    let service = with_article();
    // `reply` gives comments the type `sections`, which is the key of the model that `part` shows as
    // `parts`.
    for (fields, error) in [
        ("fields[sections]=text", None),
        ("fields[comments]=text", None),
        ("fields[parts]=code", None),
        ("fields[editors]=name", None),
        ("fields[labels]=label_type", None),
        ("fields[parts]=text", Some("have no field `text`")),
        ("fields[part]=code", Some("Did you mean `parts`?")),
        // Registered, but no relation of the magazine leads there.
        ("fields[admin_users]=name", Some("is not a type of records")),
    ] {
        for client in [service.guest(), json_api(service.guest())] {
            let answer = client.get(&format!("/api/people/1?{fields}"));
            let status = if error.is_some() { 400 } else { 200 };
            assert_eq!(answer.status, status, "{fields}: {answer}");
            assert!(answer.body.contains(error.unwrap_or_default()), "{answer}");
        }
    }
}

#[test]
fn transformers_may_count_on_real_records() {
    let service = with_article();
    let comment = json!({"text": "good", "author_id": 1});
    insert(&service, "/api/comments", comment);
    let path = "/api/comments/1?fields[comments]=initial,unknown&exclude=author";
    // Its transformer declares no shape: its fields are unknown.
    let shown = service.guest().get(path);
    assert_eq!(shown.json["data"], json!({"id": 1, "initial": "g"}));
}

#[test]
fn data_has_the_fields_of_the_fieldset_and_the_includes() {
    let service = with_article();
    for (query, expected) in [
        (
            "/1?fields[articles]=title",
            json!({"id": 1, "title": "Puff"}),
        ),
        (
            "/1?fields[articles]=article_type",
            json!({"id": 1, "type": "news"}),
        ),
        ("/1?fields[articles]=", json!({"id": 1})),
        (
            "/1?fields[articles]=title&include=author&fields[people]=",
            json!({"id": 1, "title": "Puff", "author": {"id": 1}}),
        ),
        ("?fields[articles]=rank", json!([{"id": 1, "rank": 1}])),
    ] {
        let answer = service.guest().get(&format!("/api/articles{query}"));
        assert_eq!(answer.json["data"], expected, "{query}");
    }
}

#[test]
fn changes_answer_with_the_fields_asked_for() {
    let service = with_article();
    let admin = service.admin();
    let post = |fields: &str| {
        let path = format!("/api/articles?fields[articles]={fields}");
        admin.post(&path, json!({"title": "Paff"}))
    };
    let stored = post("title");
    assert_eq!(stored.json["data"], json!({"id": 2, "title": "Paff"}));
    let refused = post("titel");
    assert_eq!(refused.status, 400, "{refused}");
    assert_eq!(
        count_articles(&service),
        2,
        "rejected before it was written"
    );
    let blank = admin.get("/api/articles/create?fields[articles]=rank");
    assert_eq!(blank.json["data"], json!({"id": null, "rank": 1}));
}

#[test]
fn unknown_fieldsets_are_400_with_a_suggestion() {
    let service = with_article();
    for (query, error) in [
        ("fields[articles]=titel", "Did you mean `title`?"),
        ("fields[articels]=title", "Did you mean `articles`?"),
        ("fields[people]=nme", "Did you mean `name`?"),
        ("fields[articles]=secret", "have no field `secret`"),
        ("fields=title", "has to name a resource"),
        ("fields[articles][x]=title", "unknown"),
        ("fields[articles]=title&fields[articles]=rank", "twice"),
    ] {
        for path in ["/api/articles", "/api/articles/1"] {
            for client in [service.guest(), json_api(service.guest())] {
                let answer = client.get(&format!("{path}?{query}"));
                assert_eq!(answer.status, 400, "{query}: {answer}");
                assert!(answer.body.contains(error), "{query}: {answer}");
            }
        }
    }
}
