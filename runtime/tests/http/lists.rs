//! Lists: pages, sort, search, filters, includes.

use formwork::{prelude::*, testing::Service};

use super::kitchen;

/// Seven dishes, the last of them switched off.
fn filled() -> Service {
    let service = kitchen();
    let dishes = [
        ("Soup", "4.5"),
        ("Stew", "9"),
        ("Salad", "6"),
        ("Bread 100%", "1.25"),
    ];
    let more = [("Fish soup", "11"), ("Cake", "4.5"), ("Old stew", "2")];
    for (title, price) in dishes.into_iter().chain(more) {
        let active = title != "Old stew";
        let stored = service.admin().post(
            "/api/dishes",
            json!({"title": title, "price": price, "active": active}),
        );
        assert_eq!(stored.status, 201, "{stored}");
    }
    service
}

fn titles(service: &Service, query: &str) -> Vec<String> {
    let answer = service.guest().get(&format!("/api/dishes?{query}"));
    assert_eq!(answer.status, 200, "{query}: {answer}");
    let list = answer.json["data"].as_array().cloned().unwrap_or_default();
    list.iter()
        .map(|dish| dish["title"].as_str().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn pages_have_numbers_sizes_and_links() {
    let service = filled();
    let first = service.guest().get("/api/dishes?sort=title");
    assert_eq!(
        first.json["meta"]["pagination"],
        json!({"total": 6, "count": 3, "per_page": 3, "current_page": 1, "total_pages": 2})
    );
    assert_eq!(
        first.json["links"],
        json!({
            "self": "/api/dishes?sort=title&page=1",
            "first": "/api/dishes?sort=title&page=1",
            "prev": null,
            "next": "/api/dishes?sort=title&page=2",
            "last": "/api/dishes?sort=title&page=2",
        })
    );
    assert_eq!(titles(&service, "page=2&pageLimit=5&sort=title"), ["Stew"]);
    assert_eq!(
        titles(&service, "page[number]=2&page[size]=5&sort=title"),
        ["Stew"]
    );
    let beyond = service.guest().get("/api/dishes?page=9");
    assert_eq!((beyond.status, &beyond.json["data"]), (200, &json!([])));
    assert_eq!(beyond.json["meta"]["pagination"]["total"], 6);
}

#[test]
fn lists_are_sorted_searched_and_filtered() {
    let service = filled();
    assert_eq!(
        titles(&service, "sort=-price&pageLimit=2"),
        ["Fish soup", "Stew"]
    );
    assert_eq!(
        titles(&service, "sort=price,-title&pageLimit=3"),
        ["Bread 100%", "Soup", "Cake"]
    );
    assert_eq!(
        titles(&service, "sort=price+desc&pageLimit=1"),
        ["Fish soup"]
    );
    assert_eq!(titles(&service, "sort=-id&pageLimit=1"), ["Cake"]);
    assert_eq!(titles(&service, "search=SOUP"), ["Soup", "Fish soup"]);
    assert_eq!(titles(&service, "search=soup+fish"), ["Fish soup"]);
    assert_eq!(
        titles(&service, "search=%25"),
        ["Bread 100%"],
        "a percent sign is literal"
    );
    assert_eq!(titles(&service, "filter[price]=4.5"), ["Soup", "Cake"]);
    assert_eq!(
        titles(&service, "filter[price][gt]=6&sort=price"),
        ["Stew", "Fish soup"]
    );
    assert_eq!(titles(&service, "filter[id][in]=1,3"), ["Soup", "Salad"]);
}

#[test]
fn only_administrators_see_disabled_records_in_lists() {
    let service = filled();
    assert!(!titles(&service, "pageLimit=5&page=2").contains(&"Old stew".to_owned()));
    assert_eq!(service.guest().get("/api/dishes?enabled=all").status, 400);
    let off = service.admin().get("/api/dishes?enabled=false");
    assert_eq!(off.json["data"][0]["title"], "Old stew", "{off}");
    assert_eq!(
        service.guest().get("/api/dishes/7").status,
        200,
        "show has no such default"
    );
}

#[test]
fn bad_parameters_are_named() {
    let service = filled();
    for (query, parameter) in [
        ("page=0", "page"),
        ("page=x", "page"),
        ("pageLimit=6", "pageLimit"),
        ("page[size]=0", "page[size]"),
        ("sort=secret", "sort"),
        ("filter[secret]=x", "filter[secret]"),
        ("filter[price][near]=1", "filter[price][near]"),
        ("filter[price]=cheap", "filter[price]"),
        ("include=nots", "include"),
        ("serach=x", "serach"),
        ("fields[dishes]=titel", "fields[dishes]"),
        ("fields[dish]=title", "fields[dish]"),
    ] {
        let answer = service.guest().get(&format!("/api/dishes?{query}"));
        assert_eq!(answer.status, 400, "{query}: {answer}");
        let message = answer.json["message"].as_str().unwrap_or_default();
        assert!(
            message.contains(&format!("`{parameter}`")),
            "{query}: {message}"
        );
    }
    let hint = service.guest().get("/api/dishes?serach=x");
    assert!(hint.body.contains("Did you mean `search`?"), "{hint}");
    assert_eq!(service.guest().get("/api/dishes/1?page=1").status, 400);
}

#[test]
fn relations_stand_inside_their_records() {
    let service = filled();
    for dish in [1, 1, 2] {
        let note = service
            .admin()
            .post("/api/notes", json!({"dish_id": dish, "text": "good"}));
        assert_eq!(note.status, 201, "{note}");
    }
    let list = service
        .admin()
        .get("/api/dishes?include=notes.dish&pageLimit=3");
    assert_eq!(list.status, 200, "{list}");
    let dishes = &list.json["data"];
    assert_eq!(
        dishes[0]["notes"].as_array().map(Vec::len),
        Some(2),
        "{list}"
    );
    assert_eq!(dishes[0]["notes"][0]["dish"]["name"], "Soup");
    assert_eq!(dishes[2]["notes"], json!([]));
    let deep = service
        .admin()
        .get("/api/dishes?include=notes.dish.notes.dish");
    assert_eq!(deep.status, 400, "{deep}");
}
