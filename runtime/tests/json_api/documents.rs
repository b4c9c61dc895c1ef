//! Documents of one record, of many, of none yet.

use formwork::prelude::*;

use super::{check_document, magazine, speaking, stored};

#[test]
fn a_record_is_an_object_with_links() {
    let service = magazine();
    stored(
        &service,
        "/api/articles",
        json!({"title": "Puff", "type": "essay"}),
    );
    let answer = speaking(service.guest()).get("/api/articles/1");
    assert_eq!(
        answer.json,
        json!({
            "jsonapi": {"version": "1.1"},
            "data": {
                "type": "articles",
                "id": "1",
                "attributes": {
                    "headline": "PUFF",
                    "title": "Puff",
                    "article_type": "essay",
                    "author_id": null,
                    "editor_id": null,
                    "section": null,
                    "rank": 1,
                },
                "links": {"self": "/api/articles/1"},
            },
            "links": {"self": "/api/articles/1"},
        })
    );
    check_document(&answer);
    let asked = speaking(service.guest()).get("/api/articles/1?fields[articles]=title");
    assert_eq!(
        asked.json["links"]["self"],
        "/api/articles/1?fields%5Barticles%5D=title"
    );
}

#[test]
fn links_are_there_where_a_route_answers() {
    let service = magazine();
    stored(&service, "/api/people", json!({"name": "Ada"}));
    let answer = speaking(service.guest()).get("/api/people/1");
    // The transformer has no links.
    assert_eq!(
        answer.json["data"]["links"],
        json!({"self": "/api/people/1"})
    );
}

#[test]
fn a_list_has_pages() {
    let service = magazine();
    for number in 1..=4 {
        stored(
            &service,
            "/api/articles",
            json!({"title": format!("No {number}")}),
        );
    }
    let answer = speaking(service.guest()).get("/api/articles?page[size]=2&sort=-title");
    check_document(&answer);
    assert_eq!(answer.json["data"][0]["attributes"]["title"], "No 4");
    assert_eq!(answer.json["data"][1]["id"], "3");
    assert_eq!(answer.json.get("included"), None, "nobody asked");
    assert_eq!(
        answer.json["meta"]["pagination"],
        json!({"total": 4, "count": 2, "per_page": 2, "current_page": 1, "total_pages": 2})
    );
    let page = |number: u8| {
        format!("/api/articles?page%5Bsize%5D=2&sort=-title&page%5Bnumber%5D={number}")
    };
    assert_eq!(
        answer.json["links"],
        json!({"self": page(1), "first": page(1), "prev": null, "next": page(2), "last": page(2)})
    );
    let next = speaking(service.guest()).get(&page(2));
    assert_eq!(next.json["data"][0]["id"], "2");
    let none = speaking(service.guest()).get("/api/articles?filter[type]=essay");
    assert_eq!((none.status, &none.json["data"]), (200, &json!([])));
}

#[test]
fn filters_are_accepted_in_the_syntax_of_json_api() {
    let service = magazine();
    for (title, kind, rank) in [
        ("Puff", "essay", 1),
        ("Paff", "news", 1),
        ("Poff", "news", 2),
    ] {
        stored(
            &service,
            "/api/articles",
            json!({"title": title, "type": kind, "rank": rank}),
        );
    }
    let ids = |query: &str| {
        let answer = speaking(service.guest()).get(&format!("/api/articles?{query}"));
        assert_eq!(answer.status, 200, "{query}: {answer}");
        let list = answer.json["data"].as_array().cloned().unwrap_or_default();
        let ids = list
            .iter()
            .map(|object| object["id"].as_str().unwrap_or("?").to_owned());
        ids.collect::<Vec<_>>().join(",")
    };
    // Parameters of the service's own hold a character outside of a–z.
    assert_eq!(ids("filter[search]=puff"), "1");
    assert_eq!(ids("filter[ranked]=2"), "3");
    assert_eq!(ids("ranked=2"), "3", "the bare names stay");
    // The member that is `article_type` in objects can be filtered and sorted by that name.
    assert_eq!(ids("filter[article_type]=essay"), "1");
    assert_eq!(ids("filter[type]=essay"), "1");
    assert_eq!(ids("sort=article_type"), "1,2");
    assert_eq!(ids("sort=-article_type,-id"), "2,1");
}

#[test]
fn forms_have_a_blank_object() {
    let service = magazine();
    let blank = speaking(service.admin()).get("/api/articles/create");
    assert_eq!(blank.status, 200, "{blank}");
    assert_eq!(blank.json["data"]["type"], "articles");
    assert_eq!(blank.json["data"]["attributes"]["rank"], 1);
    assert_eq!(
        (
            blank.json["data"].get("id"),
            blank.json["data"].get("links")
        ),
        (None, None)
    );
    assert_eq!(blank.json["meta"]["form"][0]["name"], "title");
    assert_eq!(blank.json["links"]["self"], "/api/articles/create");
    stored(&service, "/api/articles", json!({"title": "Puff"}));
    let edit = speaking(service.admin()).get("/api/articles/1/edit");
    assert_eq!(edit.json["data"]["id"], "1", "{edit}");
    assert!(edit.json["meta"]["form"].is_array());
    assert_eq!(edit.json["links"]["self"], "/api/articles/1/edit");
    assert_eq!(edit.json["data"]["links"]["self"], "/api/articles/1");
    check_document(&edit);
}

#[test]
fn head_and_delete_have_no_document() {
    let service = magazine();
    stored(&service, "/api/people", json!({"name": "Ada"}));
    let head = speaking(service.guest()).send("HEAD", "/api/people/1", None);
    let get = speaking(service.guest()).get("/api/people/1");
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    assert_eq!(head.header("content-length"), get.header("content-length"));
    let gone = speaking(service.admin()).delete("/api/people/1");
    assert_eq!((gone.status, gone.body.as_str()), (204, ""));
}
