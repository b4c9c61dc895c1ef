//! Lists: pages, sort, search, filters, includes.

use formwork::{prelude::*, testing::Service};

use super::{
    kitchen,
    support::{Expect, check},
};

/// Seven dishes, the last of them switched off.
fn filled() -> Service {
    let service = kitchen();
    for (title, price) in [
        ("Soup", "4.5"),
        ("Stew", "9"),
        ("Salad", "6"),
        ("Bread 100%", "1.25"),
        ("Fish soup", "11"),
        ("Cake", "4.5"),
        ("Old stew", "2"),
    ] {
        let dish = json!({"title": title, "price": price, "active": title != "Old stew"});
        service.admin().post("/api/dishes", dish).expect(201);
    }
    service
}

#[test]
fn pages_have_numbers_sizes_and_links() {
    let links = json!({
        "self": "/api/dishes?sort=title&page=1",
        "first": "/api/dishes?sort=title&page=1",
        "prev": null,
        "next": "/api/dishes?sort=title&page=2",
        "last": "/api/dishes?sort=title&page=2",
    });
    let lines = r#"
        guest GET /api/dishes?sort=title => 200 /links LINKS /meta/pagination {"total": 6, "count": 3, "per_page": 3, "current_page": 1, "total_pages": 2}
        guest GET /api/dishes?page=9     => 200 /data [] /meta/pagination/total 6"#;
    check(&filled(), &lines.replace("LINKS", &links.to_string()));
}

#[test]
fn lists_are_sorted_searched_and_filtered() {
    let service = filled();
    for (query, titles) in [
        ("page=2&pageLimit=5&sort=title", "Stew"),
        ("page[number]=2&page[size]=5&sort=title", "Stew"),
        ("sort=-price&pageLimit=2", "Fish soup, Stew"),
        ("sort=price,-title&pageLimit=3", "Bread 100%, Soup, Cake"),
        ("sort=price+desc&pageLimit=1", "Fish soup"),
        ("sort=-id&pageLimit=1", "Cake"),
        ("search=SOUP", "Soup, Fish soup"),
        ("search=soup+fish", "Fish soup"),
        // A percent sign is literal.
        ("search=%25", "Bread 100%"),
        ("filter[price]=4.5", "Soup, Cake"),
        ("filter[price][gt]=6&sort=price", "Stew, Fish soup"),
        ("filter[id][in]=1,3", "Soup, Salad"),
        // The disabled one is seen by administrators only.
        ("pageLimit=5&page=2", "Cake"),
    ] {
        let answer = service
            .guest()
            .get(&format!("/api/dishes?{query}"))
            .expect(200);
        let dishes = answer.json["data"].as_array().expect("a list");
        let found = dishes.iter().filter_map(|dish| dish["title"].as_str());
        assert_eq!(found.collect::<Vec<_>>().join(", "), titles, "{query}");
    }
    let lines = r#"
        guest GET /api/dishes?enabled=all   => 400
        admin GET /api/dishes?enabled=false => 200 /data/0/title "Old stew"
        guest GET /api/dishes/7             => 200"#;
    check(&service, lines);
}

#[test]
fn bad_parameters_are_named() {
    let lines = r#"
        guest GET /api/dishes?page=0                 => 400 ~ "`page`"
        guest GET /api/dishes?page=x                 => 400 ~ "`page`"
        guest GET /api/dishes?pageLimit=6            => 400 ~ "`pageLimit`"
        guest GET /api/dishes?page[size]=0           => 400 ~ "`page[size]`"
        guest GET /api/dishes?sort=secret            => 400 ~ "`sort`"
        guest GET /api/dishes?filter[secret]=x       => 400 ~ "`filter[secret]`"
        guest GET /api/dishes?filter[price][near]=1  => 400 ~ "`filter[price][near]`"
        guest GET /api/dishes?filter[price]=cheap    => 400 ~ "`filter[price]`"
        guest GET /api/dishes?include=nots           => 400 ~ "`include`"
        guest GET /api/dishes?serach=x               => 400 ~ "`serach`" ~ "Did you mean `search`?"
        guest GET /api/dishes?fields[dishes]=titel   => 400 ~ "`fields[dishes]`"
        guest GET /api/dishes?fields[dish]=title     => 400 ~ "`fields[dish]`"
        guest GET /api/dishes/1?page=1               => 400"#;
    check(&kitchen(), lines);
}

#[test]
fn relations_are_nested_in_their_records() {
    let lines = r#"
        admin POST /api/notes {"dish_id": 1, "text": "good"}  => 201
        admin POST /api/notes {"dish_id": 1, "text": "great"} => 201
        admin POST /api/notes {"dish_id": 2, "text": "good"}  => 201
        admin GET  /api/dishes?include=notes.dish.notes.dish  => 400
        admin GET  /api/dishes?include=notes.dish&pageLimit=3 => 200 /data/0/notes/1/dish/name "Soup" /data/0/notes/2 null /data/2/notes []"#;
    check(&filled(), lines);
}
