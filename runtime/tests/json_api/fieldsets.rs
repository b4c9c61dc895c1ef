//! `fields[articles]=title`, in both renderings.

use formwork::prelude::*;

use super::{identifier, included, speaking, stored, with_article};

#[test]
fn objects_have_only_the_fields_of_their_fieldset() {
    let service = with_article();
    let show = |query: &str| {
        let answer = speaking(service.guest()).get(&format!("/api/articles/1?{query}"));
        assert_eq!(answer.status, 200, "{query}: {answer}");
        answer
    };
    let answer = show("fields[articles]=title,article_type,id,article_id");
    let data = &answer.json["data"];
    assert_eq!(
        data["attributes"],
        json!({"title": "Puff", "article_type": "news"})
    );
    assert_eq!(
        (&data["id"], &data["links"]),
        (&json!("1"), &json!({"self": "/api/articles/1"}))
    );
    assert_eq!(
        show("fields[articles]=type").json["data"]["attributes"],
        json!({"article_type": "news"})
    );
    assert_eq!(
        show("fields[articles]=headline").json["data"]["attributes"],
        json!({"headline": "PUFF"})
    );
    assert_eq!(
        show("fields[articles]=").json["data"]["attributes"],
        json!({})
    );
    assert_eq!(
        show("fields[people]=name").json["data"]["attributes"]["title"],
        "Puff"
    );
}

#[test]
fn relationships_are_fields_too() {
    let service = with_article();
    let path = "/api/articles/1?include=author&fields[people]=";
    let linked = speaking(service.guest()).get(&format!("{path}&fields[articles]=title,author"));
    assert_eq!(
        linked.json["data"]["relationships"]["author"]["data"],
        identifier("people", 1)
    );
    assert_eq!(linked.json["included"][0]["attributes"], json!({}));
    let unlinked = speaking(service.guest()).get(&format!("{path}&fields[articles]=title"));
    assert_eq!(
        unlinked.json["data"].get("relationships"),
        None,
        "{unlinked}"
    );
    assert_eq!(included(&unlinked), ["people:1"]);
}

#[test]
fn a_relation_s_own_type_has_fields_of_its_own() {
    let service = with_article();
    let edited = service.block_on(async {
        service
            .context()
            .db()
            .execute("UPDATE articles SET editor_id = 1", [])
            .await
    });
    assert!(edited.is_ok());
    let path = "/api/articles/1?include=author,editor&fields[editors]=name&fields[people]=";
    let answer = speaking(service.guest()).get(path);
    assert_eq!(answer.status, 200, "{answer}");
    let attributes = |kind: &str| {
        let objects = answer.json["included"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        objects
            .into_iter()
            .find(|object| object["type"] == kind)
            .map(|object| object["attributes"].clone())
    };
    assert_eq!(attributes("editors"), Some(json!({"name": "Ada"})));
    assert_eq!(attributes("people"), Some(json!({})));
    let answer = speaking(service.guest()).get("/api/articles/1?include=editor&fields[people]=");
    let editor = &answer.json["included"][0];
    assert_eq!(
        editor["attributes"],
        json!({"name": "Ada"}),
        "another type: {answer}"
    );
    let data = service
        .guest()
        .get("/api/articles/1?include=editor&fields[people]=");
    assert_eq!(
        data.json["data"]["editor"],
        json!({"id": 1}),
        "nobody sees the type: {data}"
    );
}

/// `fields[…]` names the types that documents show, in both renderings: those of resources, and
/// what relations call the rest.
#[test]
fn the_types_of_fields_are_those_of_documents() {
    let service = with_article();
    // `reply` gives comments the type `sections`, which is the key of what `part` shows as `parts`.
    for (fields, hint) in [
        ("fields[sections]=text", None),
        ("fields[comments]=text", None),
        ("fields[parts]=code", None),
        ("fields[editors]=name", None),
        ("fields[labels]=label_type", None),
        ("fields[parts]=text", Some("have no field `text`")),
        ("fields[part]=code", Some("Did you mean `parts`?")),
        // Registered, and no relation of the magazine's leads there.
        ("fields[admin_users]=name", Some("is not a type of records")),
    ] {
        for client in [service.guest(), speaking(service.guest())] {
            let answer = client.get(&format!("/api/people/1?{fields}"));
            let status = if hint.is_some() { 400 } else { 200 };
            assert_eq!(answer.status, status, "{fields}: {answer}");
            assert!(answer.body.contains(hint.unwrap_or_default()), "{answer}");
        }
    }
}

#[test]
fn transformers_may_count_on_real_records() {
    let service = with_article();
    let comment = json!({"text": "good", "author_id": 1});
    stored(&service, "/api/comments", comment);
    let shown = service
        .guest()
        .get("/api/comments/1?fields[comments]=initial,unknown&exclude=author");
    // Its transformer declares no shape: its fields are unknown.
    assert_eq!(
        shown.json["data"],
        json!({"id": 1, "initial": "g"}),
        "{shown}"
    );
}

#[test]
fn data_has_the_fields_of_the_fieldset_and_the_includes() {
    let service = with_article();
    let show = |query: &str| {
        service
            .guest()
            .get(&format!("/api/articles/1?{query}"))
            .json["data"]
            .clone()
    };
    assert_eq!(
        show("fields[articles]=title"),
        json!({"id": 1, "title": "Puff"})
    );
    assert_eq!(
        show("fields[articles]=article_type"),
        json!({"id": 1, "type": "news"})
    );
    assert_eq!(show("fields[articles]="), json!({"id": 1}));
    assert_eq!(
        show("fields[articles]=title&include=author&fields[people]="),
        json!({"id": 1, "title": "Puff", "author": {"id": 1}})
    );
    let list = service.guest().get("/api/articles?fields[articles]=rank");
    assert_eq!(list.json["data"], json!([{"id": 1, "rank": 1}]));
}

#[test]
fn changes_answer_with_the_fields_asked_for() {
    let service = with_article();
    let admin = service.admin();
    let stored = admin.post(
        "/api/articles?fields[articles]=title",
        json!({"title": "Paff"}),
    );
    assert_eq!(
        stored.json["data"],
        json!({"id": 2, "title": "Paff"}),
        "{stored}"
    );
    let refused = admin.post(
        "/api/articles?fields[articles]=titel",
        json!({"title": "Poff"}),
    );
    assert_eq!(refused.status, 400, "{refused}");
    let total = admin.get("/api/articles").json["meta"]["pagination"]["total"].clone();
    assert_eq!(total, 2, "it was asked before anything was written");
    let blank = admin.get("/api/articles/create?fields[articles]=rank");
    assert_eq!(
        blank.json["data"],
        json!({"id": null, "rank": 1}),
        "{blank}"
    );
}

#[test]
fn unknown_fieldsets_are_400_with_a_suggestion() {
    let service = with_article();
    for (query, hint) in [
        ("fields[articles]=titel", "Did you mean `title`?"),
        ("fields[articels]=title", "Did you mean `articles`?"),
        ("fields[people]=nme", "Did you mean `name`?"),
        ("fields[articles]=secret", "have no field `secret`"),
        ("fields=title", "has to name a resource"),
        ("fields[articles][x]=title", "unknown"),
        ("fields[articles]=title&fields[articles]=rank", "twice"),
    ] {
        for path in ["/api/articles", "/api/articles/1"] {
            let data = service.guest().get(&format!("{path}?{query}"));
            let objects = speaking(service.guest()).get(&format!("{path}?{query}"));
            assert_eq!((data.status, objects.status), (400, 400), "{query}: {data}");
            assert!(
                data.body.contains(hint) && objects.body.contains(hint),
                "{query}: {data}"
            );
        }
    }
}
