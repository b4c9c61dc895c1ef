//! Documents of one record, of many, of none yet.

use formwork::prelude::*;

use super::{check_document, document, get, insert_article, insert_people, json_api, magazine};

#[test]
fn a_record_is_an_object_with_links() {
    let service = magazine();
    insert_article(&service, json!({"title": "Puff", "type": "essay"}));
    let expected = json!({
        "jsonapi": {"version": "1.1"},
        "data": {
            "type": "articles",
            "id": "1",
            "attributes": {
                "headline": "PUFF", "title": "Puff", "article_type": "essay", "author_id": null,
                "editor_id": null, "section": null, "rank": 1,
            },
            "links": {"self": "/api/articles/1"},
        },
        "links": {"self": "/api/articles/1"},
    });
    assert_eq!(document(&service, "/api/articles/1").json, expected);
    let sparse = get(&service, "/api/articles/1?fields[articles]=title");
    let link = "/api/articles/1?fields%5Barticles%5D=title";
    assert_eq!(sparse.json["links"]["self"], link);
}

#[test]
fn links_are_there_where_a_route_answers() {
    let service = magazine();
    insert_people(&service, &["Ada"]);
    // The transformer has no links.
    let links = &get(&service, "/api/people/1").json["data"]["links"];
    assert_eq!(*links, json!({"self": "/api/people/1"}));
}

#[test]
fn a_list_has_pages() {
    let service = magazine();
    for number in 1..=4 {
        insert_article(&service, json!({"title": format!("No {number}")}));
    }
    let answer = document(&service, "/api/articles?page[size]=2&sort=-title");
    assert_eq!(answer.json["data"][0]["attributes"]["title"], "No 4");
    assert_eq!(answer.json["data"][1]["id"], "3");
    assert_eq!(answer.json.get("included"), None);
    let pagination =
        json!({"total": 4, "count": 2, "per_page": 2, "current_page": 1, "total_pages": 2});
    assert_eq!(answer.json["meta"]["pagination"], pagination);
    let page = |number: u8| {
        format!("/api/articles?page%5Bsize%5D=2&sort=-title&page%5Bnumber%5D={number}")
    };
    let links =
        json!({"self": page(1), "first": page(1), "prev": null, "next": page(2), "last": page(2)});
    assert_eq!(answer.json["links"], links);
    assert_eq!(get(&service, &page(2)).json["data"][0]["id"], "2");
    let none = document(&service, "/api/articles?filter[type]=essay");
    assert_eq!(none.json["data"], json!([]));
}

#[test]
fn filters_are_accepted_in_the_syntax_of_json_api() {
    let service = magazine();
    for article in [
        json!({"title": "Puff", "type": "essay", "rank": 1}),
        json!({"title": "Paff", "type": "news", "rank": 1}),
        json!({"title": "Poff", "type": "news", "rank": 2}),
    ] {
        insert_article(&service, article);
    }
    for (query, expected) in [
        ("filter[search]=puff", "1"),
        // Parameters of the service's own keep their names.
        ("filter[ranked]=2", "3"),
        ("ranked=2", "3"),
        // `article_type` in documents is also a name to filter and to sort by.
        ("filter[article_type]=essay", "1"),
        ("filter[type]=essay", "1"),
        ("sort=article_type", "1,2"),
        ("sort=-article_type,-id", "2,1"),
    ] {
        let answer = document(&service, &format!("/api/articles?{query}"));
        let list = answer.json["data"].as_array().expect("a list");
        let ids: Vec<&str> = list.iter().filter_map(|it| it["id"].as_str()).collect();
        assert_eq!(ids.join(","), expected, "{query}");
    }
}

#[test]
fn forms_have_a_blank_object() {
    let service = magazine();
    let blank = json_api(service.admin()).get("/api/articles/create");
    assert_eq!(blank.status, 200, "{blank}");
    let data = &blank.json["data"];
    assert_eq!(data["type"], "articles");
    assert_eq!(data["attributes"]["rank"], 1);
    assert_eq!((data.get("id"), data.get("links")), (None, None));
    assert_eq!(blank.json["meta"]["form"][0]["name"], "title");
    assert_eq!(blank.json["links"]["self"], "/api/articles/create");
    insert_article(&service, json!({"title": "Puff"}));
    let edit = json_api(service.admin()).get("/api/articles/1/edit");
    assert_eq!(edit.json["data"]["id"], "1", "{edit}");
    assert!(edit.json["meta"]["form"].is_array());
    assert_eq!(edit.json["links"]["self"], "/api/articles/1/edit");
    assert_eq!(edit.json["data"]["links"]["self"], "/api/articles/1");
    check_document(&edit);
}

#[test]
fn head_and_delete_have_no_document() {
    let service = magazine();
    insert_people(&service, &["Ada"]);
    let head = json_api(service.guest()).send("HEAD", "/api/people/1", None);
    let get = get(&service, "/api/people/1");
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    assert_eq!(head.header("content-length"), get.header("content-length"));
    let deleted = json_api(service.admin()).delete("/api/people/1");
    assert_eq!((deleted.status, deleted.body.as_str()), (204, ""));
}
