//! Keyset paging: docs/guide/paging.md.

use formwork::testing::{Answer, Service};
use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config, TestRunner},
};
use serde_json::json;

use super::{ids, museum, refused};

fn page(service: &Service, path: &str) -> (Vec<i64>, Answer) {
    let page = service.guest().get(path);
    assert_eq!(page.status, 200, "{path}: {page}");
    let rows = page.json["data"].as_array().expect("a list");
    (
        rows.iter().filter_map(|row| row["id"].as_i64()).collect(),
        page,
    )
}

/// All rows, page by page along one of the links; each page in its own order.
fn walk(service: &Service, start: &str, link: &str) -> Vec<Vec<i64>> {
    let (mut pages, mut path) = (Vec::new(), Some(start.to_owned()));
    while let Some(at) = path {
        let (rows, answer) = page(service, &at);
        pages.push(rows);
        assert!(pages.len() < 100, "it does not end: {pages:?}");
        path = answer.json["links"][link].as_str().map(str::to_owned);
    }
    pages
}

#[test]
fn pages_follow_each_other_in_both_directions() {
    let service = museum();
    let forwards = walk(
        &service,
        "/api/things?page[after]=&page[size]=3&sort=floor",
        "next",
    );
    assert_eq!(forwards, [vec![4, 1, 3], vec![5]]);
    let backwards = walk(
        &service,
        "/api/things?page[before]=&page[size]=3&sort=floor",
        "prev",
    );
    assert_eq!(backwards, [vec![1, 3, 5], vec![4]]);
}

#[test]
fn a_page_by_cursor_has_links_and_no_total() {
    let service = museum();
    let (_, first) = page(&service, "/api/things?page[after]=&pageLimit=2&sort=-price");
    let pagination = &first.json["meta"]["pagination"];
    assert_eq!(
        *pagination,
        json!({"count": 2, "per_page": 2}),
        "nothing is counted"
    );
    let links = &first.json["links"];
    assert_eq!(
        links["self"],
        "/api/things?pageLimit=2&sort=-price&page%5Bafter%5D="
    );
    assert_eq!(links["first"], links["self"]);
    assert_eq!(
        links["last"],
        "/api/things?pageLimit=2&sort=-price&page%5Bbefore%5D="
    );
    assert_eq!(links["prev"], json!(null));
    let (_, second) = page(&service, links["next"].as_str().expect("a next page"));
    let (_, back) = page(
        &service,
        second.json["links"]["prev"].as_str().expect("a page"),
    );
    assert_eq!(back.json["data"], first.json["data"]);
    assert_eq!(back.json["links"]["prev"], json!(null));
    let document = service.guest().header("Accept", "application/vnd.api+json");
    let document = document.get("/api/things?page[before]=&page[size]=2");
    assert_eq!(document.status, 200, "{document}");
    assert_eq!(document.json["links"]["next"], json!(null), "{document}");
    assert!(document.json["links"]["prev"].is_string(), "{document}");
    let (empty, answer) = page(&service, "/api/things?page[after]=&filter[id]=99");
    assert!(
        empty.is_empty() && answer.json["links"]["next"].is_null(),
        "{answer}"
    );
}

/// One statement for every page: no rows are counted or skipped.
#[test]
fn a_page_is_one_statement() {
    let service = museum();
    let (_, first) = page(&service, "/api/things?page[after]=&pageLimit=1");
    let next = first.json["links"]["next"].as_str().expect("a next page");
    let request = axum::http::Request::get(next).body(axum::body::Body::empty());
    let router = service.app().router();
    let answer = tower::ServiceExt::oneshot(router, request.expect("a request"));
    let answer = service.block_on(answer).expect("an answer");
    let statements = answer.extensions().get::<formwork::app::Statements>();
    assert_eq!(statements, Some(&formwork::app::Statements(1)));
}

#[test]
fn rows_added_meanwhile_do_not_shift_pages_by_cursor() {
    let service = museum();
    let (seen, first) = page(&service, "/api/things?page[after]=&pageLimit=2&sort=title");
    assert_eq!(seen, [1, 3]);
    let early = json!({"title": "AAA", "open": true, "price": 1});
    assert_eq!(service.admin().post("/api/things", early).status, 201);
    let next = first.json["links"]["next"].as_str().expect("a next page");
    assert_eq!(page(&service, next).0, [4, 5], "no row comes twice");
}

#[test]
fn a_cursor_belongs_to_its_order() {
    let service = museum();
    let (_, first) = page(&service, "/api/things?page[after]=&pageLimit=1&sort=price");
    let next = first.json["links"]["next"].as_str().expect("a next page");
    let cursor = next.rsplit('=').next().expect("a cursor");
    assert_eq!(
        ids(&service, &format!("sort=price&page[after]={cursor}"))[0],
        5
    );
    for query in [
        format!("page[after]={cursor}"),
        format!("sort=-price&page[after]={cursor}"),
        format!("sort=price,title&page[before]={cursor}"),
        format!("sort=price&page[after]={}", &cursor[1..]),
        format!("sort=price&page[after]={cursor}00"),
        "page[after]=x".to_owned(),
        "page[after]=7b7d".to_owned(),
        // ["thing_id","x"]: the key is a number.
        "page[after]=5b227468696e675f6964222c2278225d".to_owned(),
        "page[after]=&page[before]=".to_owned(),
        "page[after]=&page=1".to_owned(),
        "page[after]=&page[number]=1".to_owned(),
        "page[after]=&page[after]=".to_owned(),
        "page[after]=&pageLimit=51".to_owned(),
        "page[afer]=".to_owned(),
    ] {
        refused(&service, &query);
    }
}

/// Whatever the order, ties and missing values: pages by cursor are the list, cut.
#[test]
fn pages_by_cursor_together_are_the_whole_list() {
    let service = museum();
    for floor in [1, 1, 2, -1, 3] {
        let thing = json!({"title": "More", "floor": floor, "open": true, "price": "99.99"});
        assert_eq!(service.admin().post("/api/things", thing).status, 201);
    }
    let columns = [
        "title", "floor", "visits", "weight", "price", "native", "open", "made_on", "shown_at",
        "found_at", "code", "id",
    ];
    let key = (prop::sample::select(columns.to_vec()), any::<bool>());
    let config = Config {
        cases: 24,
        failure_persistence: None,
        ..Config::default()
    };
    let checked = TestRunner::new(config).run(&(vec(key, 0..4), 1..6_usize), |(keys, size)| {
        let sort = keys
            .iter()
            .map(|(name, down)| format!("{}{name}", if *down { "-" } else { "" }));
        let sort = sort.collect::<Vec<_>>().join(",");
        let whole = ids(&service, &format!("sort={sort}&pageLimit=50"));
        let start = |way: &str| format!("/api/things?sort={sort}&page[{way}]=&page[size]={size}");
        let forwards = walk(&service, &start("after"), "next");
        prop_assert_eq!(&forwards.concat(), &whole);
        let mut backwards = walk(&service, &start("before"), "prev");
        backwards.reverse();
        prop_assert_eq!(&backwards.concat(), &whole);
        Ok(())
    });
    checked.expect("pages are the list");
}
