//! Paging, sort, search, filters and includes of index (docs/contract.md, "Query parameters").

use formwork_tests::restaurant::shared;

#[test]
fn a_list_comes_in_pages_with_links_that_keep_the_other_parameters() {
    let guest = shared().guest();
    let answer = guest.get("/api/menus?pageLimit=7&page=2&sort=-menu_price");
    assert_eq!(answer.status, 200, "{answer}");
    let page = &answer.json["meta"]["pagination"];
    assert_eq!(page["per_page"], 7);
    assert_eq!(page["current_page"], 2);
    assert_eq!(page["count"], 7);
    let total = page["total"].as_i64().expect("a total");
    assert_eq!(page["total_pages"], (total + 6) / 7);
    for link in ["self", "first", "prev", "next", "last"] {
        let uri = answer.json["links"][link]
            .as_str()
            .unwrap_or_else(|| panic!("{link}: {answer}"));
        let again = guest.get(uri);
        assert_eq!(again.status, 200, "{link}: {again}");
        assert_eq!(
            again.json["meta"]["pagination"]["per_page"], 7,
            "{link}: {uri}"
        );
    }
    let same = guest.get("/api/menus?page[size]=7&page[number]=2&sort=-menu_price");
    assert_eq!(same.ids(), answer.ids());
}

#[test]
fn the_ends_of_a_list_have_no_neighbour_and_a_page_past_the_end_is_empty() {
    let guest = shared().guest();
    let first = guest.get("/api/menus");
    assert_eq!(
        first.json["links"]["prev"],
        serde_json::Value::Null,
        "{first}"
    );
    assert_eq!(first.json["meta"]["pagination"]["per_page"], 20);
    let past = guest.get("/api/menus?page=9999");
    assert_eq!(past.status, 200, "{past}");
    assert!(past.records().is_empty());
    assert_eq!(
        past.json["meta"]["pagination"]["total"],
        first.json["meta"]["pagination"]["total"]
    );
}

#[test]
fn all_pages_together_are_the_list_once() {
    let guest = shared().guest();
    let mut all = Vec::new();
    for page in 1..=20 {
        all.extend(
            guest
                .get(&format!(
                    "/api/menus?pageLimit=9&page={page}&sort=menu_priority"
                ))
                .ids(),
        );
    }
    let total = guest.get("/api/menus").json["meta"]["pagination"]["total"]
        .as_u64()
        .expect("a total");
    let unique: std::collections::BTreeSet<_> = all.iter().collect();
    // Other tests add menus meanwhile: none twice is what matters.
    assert_eq!(unique.len(), all.len());
    assert!(
        all.len() as u64 >= 60 && total >= 60,
        "{} of {total}",
        all.len()
    );
}

#[test]
fn sort_takes_every_form_and_ascends_unless_asked_otherwise() {
    let guest = shared().guest();
    let names = |query: &str| -> Vec<String> {
        let answer = guest.get(&format!("/api/menus?pageLimit=100&{query}"));
        assert_eq!(answer.status, 200, "{query}: {answer}");
        let name =
            |record: &serde_json::Value| record["menu_name"].as_str().expect("a name").to_owned();
        answer.records().iter().map(name).collect()
    };
    let ascending = names("sort=menu_name");
    assert!(ascending.is_sorted(), "{ascending:?}");
    assert!(ascending.len() >= 60);
    for query in [
        "sort=-menu_name",
        "sort=menu_name%20desc",
        "sort=menu_name+desc,menu_id",
    ] {
        assert!(names(query).iter().rev().is_sorted(), "{query}");
    }
    let ids = guest.get("/api/menus?sort=-id&pageLimit=5").ids();
    assert!(ids.iter().rev().is_sorted(), "{ids:?}");
    assert_eq!(
        guest.get("/api/menus?sort=-menu_id&pageLimit=5").status,
        200,
        "the key's column name"
    );
}

#[test]
fn search_wants_every_word_in_some_column_and_takes_wildcards_literally() {
    let admin = shared().admin();
    let menu = |name: &str, text: &str| {
        let body =
            serde_json::json!({ "menu_name": name, "menu_description": text, "menu_price": "1" });
        admin.post("/api/menus", &body).json["data"]["id"]
            .as_i64()
            .expect("an id")
    };
    let both = menu("Quixotic zebra soup", "plain");
    let split = menu("Quixotic salad", "a zebra on it");
    let percent = menu("Zebraic 100% juice", "plain");
    let found = |words: &str| {
        admin
            .get(&format!("/api/menus?pageLimit=100&search={words}"))
            .ids()
    };
    assert_eq!(found("quixotic%20ZEBRA"), [both, split]);
    assert!(found("quixotic").contains(&split));
    assert_eq!(found("zebraic%20100%25"), [percent]);
    assert!(found("zebraic%20%25x").is_empty());
    assert!(
        found("zebra_c").is_empty(),
        "an underscore is an underscore"
    );
}

#[test]
fn enabled_hides_disabled_rows_unless_an_administrator_asks() {
    let restaurant = shared();
    let body = serde_json::json!({ "menu_name": "Out of season", "menu_price": "1", "menu_status": false });
    let hidden = restaurant.admin().post("/api/menus", &body).json["data"]["id"]
        .as_i64()
        .expect("an id");
    let ids = |query: &str| {
        restaurant
            .admin()
            .get(&format!("/api/menus?pageLimit=100&{query}"))
            .ids()
    };
    assert!(!ids("").contains(&hidden));
    assert!(ids("enabled=false").contains(&hidden));
    assert!(ids("enabled=all&sort=-id").contains(&hidden));
    assert!(!ids("enabled=true").contains(&hidden));
    for query in ["enabled=false", "enabled=all"] {
        let answer = restaurant.guest().get(&format!("/api/menus?{query}"));
        assert_eq!(answer.status, 400, "{query}: {answer}");
        assert!(answer.body.contains("enabled"), "{answer}");
    }
}

#[test]
fn attributes_filter_by_value_and_by_operator() {
    let admin = shared().admin();
    let prices = |query: &str| -> Vec<f64> {
        let answer = admin.get(&format!("/api/menus?pageLimit=100&{query}"));
        assert_eq!(answer.status, 200, "{query}: {answer}");
        let price = |record: &serde_json::Value| {
            record["menu_price"]
                .as_str()
                .and_then(|text| text.parse().ok())
        };
        answer
            .records()
            .iter()
            .map(|record| price(record).expect("a decimal string"))
            .collect()
    };
    assert!(
        prices("filter[menu_price][gte]=10")
            .iter()
            .all(|price| *price >= 10.0)
    );
    assert!(!prices("filter[menu_price][gte]=10").is_empty());
    assert!(
        prices("filter[menu_price][lt]=5")
            .iter()
            .all(|price| *price < 5.0)
    );
    let ids = admin.get("/api/menus?filter[menu_id][in]=1,2,3").ids();
    assert_eq!(ids, [1, 2, 3]);
    assert_eq!(admin.get("/api/menus?filter[id]=2").ids(), [2]);
}

#[test]
fn the_named_filters_of_the_reference_work() {
    let restaurant = shared();
    let admin = restaurant.admin();
    let orders = admin.get("/api/orders?location=1&pageLimit=100");
    assert!(
        !orders.records().is_empty()
            && orders
                .records()
                .iter()
                .all(|order| order["location_id"] == 1)
    );
    let orders = admin.get("/api/orders?status=1,2&pageLimit=100");
    assert_eq!(orders.status, 200, "{orders}");
    assert!(
        orders
            .records()
            .iter()
            .all(|order| [1, 2].contains(&order["status_id"].as_i64().unwrap_or(0)))
    );
    let range =
        "dateTimeFilter[startAt]=2026-01-01T00:00:00Z&dateTimeFilter[endAt]=2026-01-02T00:00:00Z";
    let answer = admin.get(&format!("/api/orders?{range}"));
    assert_eq!(answer.status, 200, "{answer}");
    for query in ["category=1", "location=1", "orderType=delivery"] {
        let answer = admin.get(&format!("/api/menus?{query}"));
        assert_eq!(answer.status, 200, "{query}: {answer}");
        assert!(!answer.records().is_empty(), "{query}");
    }
    let category = admin.get("/api/categories/1").json["data"]["permalink_slug"]
        .as_str()
        .map(str::to_owned);
    let by_slug = admin.get(&format!(
        "/api/menus?category={}",
        category.expect("a slug")
    ));
    assert_eq!(by_slug.ids(), admin.get("/api/menus?category=1").ids());
    let near = admin.get("/api/locations?position[latitude]=51.5&position[longitude]=-0.1");
    assert_eq!(near.status, 200, "{near}");
}

#[test]
fn includes_stand_in_their_record_to_one_and_to_many() {
    let restaurant = shared();
    let answer = restaurant
        .guest()
        .get("/api/menus/1?include=categories,media,menu_options.menu_option_values");
    assert_eq!(answer.status, 200, "{answer}");
    let menu = &answer.json["data"];
    assert!(
        menu["categories"]
            .as_array()
            .is_some_and(|list| !list.is_empty()),
        "{answer}"
    );
    assert!(menu["categories"][0]["id"].is_i64());
    assert!(
        menu.get("media")
            .is_some_and(|media| media.is_null() || media.is_object()),
        "{answer}"
    );
    assert!(menu["menu_options"].is_array());
    let order = restaurant
        .admin()
        .get("/api/orders?include=customer,location,status,status_history&pageLimit=5");
    assert_eq!(order.status, 200, "{order}");
    for record in order.records() {
        assert_eq!(record["location"]["id"], record["location_id"], "{order}");
        assert!(record["status_history"].is_array());
    }
    let plain = restaurant.guest().get("/api/menus/1");
    assert!(plain.json["data"].get("categories").is_none(), "{plain}");
}

#[test]
fn each_include_costs_one_statement_however_many_records() {
    let restaurant = formwork_tests::restaurant::Restaurant::start();
    let statements = |path: &str| -> i64 {
        let before = restaurant.log().len();
        assert_eq!(restaurant.guest().get(path).status, 200, "{path}");
        let line = restaurant.logged(before, |line| line.contains("statements"));
        let line: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        line["statements"]
            .as_i64()
            .or(line["fields"]["statements"].as_i64())
            .expect("a number")
    };
    assert_eq!(
        statements("/api/categories?pageLimit=100"),
        1,
        "page and total together"
    );
    assert_eq!(
        statements("/api/categories?include=menus&pageLimit=8"),
        1 + 1 + 2,
        "menus bring their stocks and the currency"
    );
    assert_eq!(statements("/api/categories/1"), 1);
    assert_eq!(statements("/api/categories?include=locations,media"), 3);
}

#[test]
fn unknown_and_out_of_range_parameters_are_400_by_name() {
    let admin = shared().admin();
    let table = [
        ("pagee=2", "pagee", Some("page")),
        ("page=0", "page", None),
        ("page=x", "page", None),
        ("pageLimit=0", "pageLimit", None),
        ("pageLimit=101", "pageLimit", None),
        ("sort=menu_nam", "sort", Some("menu_name")),
        ("sort=menu_description", "sort", None),
        (
            "filter[menu_pric]=1",
            "filter[menu_pric]",
            Some("menu_price"),
        ),
        ("filter[menu_price]=abc", "filter[menu_price]", None),
        ("filter[menu_price][near]=1", "filter[menu_price]", None),
        ("include=categoris", "include", Some("categories")),
        ("include=special", "include", None),
        ("enabled=perhaps", "enabled", None),
        ("location=x", "location", None),
    ];
    for (query, parameter, suggestion) in table {
        let answer = admin.get(&format!("/api/menus?{query}"));
        assert_eq!(answer.status, 400, "{query}: {answer}");
        assert!(answer.body.contains(parameter), "{query}: {answer}");
        if let Some(suggestion) = suggestion {
            assert!(answer.body.contains(suggestion), "{query}: {answer}");
        }
    }
}
