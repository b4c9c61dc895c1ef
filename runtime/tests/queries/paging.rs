//! Keyset paging: docs/guide/paging.md.

use formwork::{
    app::Statements,
    testing::{Answer, Service},
};
use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config, TestRunner},
};
use serde_json::json;

use super::{MEDIA, cases, ids, keys, museum, rejection};

fn page(service: &Service, path: &str) -> (Vec<i64>, Answer) {
    let page = service.guest().get(path);
    (keys(&page), page)
}

fn link<'a>(page: &'a Answer, name: &str) -> &'a str {
    let link = page.json["links"][name].as_str();
    link.unwrap_or_else(|| panic!("no link {name}: {page}"))
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
    let start = |way: &str| format!("/api/things?page[{way}]=&page[size]=3&sort=floor");
    let forwards = walk(&service, &start("after"), "next");
    assert_eq!(forwards, [vec![4, 1, 3], vec![5]]);
    let backwards = walk(&service, &start("before"), "prev");
    assert_eq!(backwards, [vec![1, 3, 5], vec![4]]);
}

#[test]
fn a_page_by_cursor_has_links_and_no_total() {
    let service = museum();
    let (_, first) = page(&service, "/api/things?page[after]=&pageLimit=2&sort=-price");
    let pagination = &first.json["meta"]["pagination"];
    assert_eq!(*pagination, json!({"count": 2, "per_page": 2}));
    let own = "/api/things?pageLimit=2&sort=-price&page%5Bafter%5D=";
    assert_eq!([link(&first, "self"), link(&first, "first")], [own; 2]);
    let last = "/api/things?pageLimit=2&sort=-price&page%5Bbefore%5D=";
    assert_eq!(link(&first, "last"), last);
    assert_eq!(first.json["links"]["prev"], json!(null));
    let (_, second) = page(&service, link(&first, "next"));
    let (_, back) = page(&service, link(&second, "prev"));
    assert_eq!(back.json["data"], first.json["data"]);
    assert_eq!(back.json["links"]["prev"], json!(null));
    let document = service.guest().header("Accept", MEDIA[1]);
    let document = document.get("/api/things?page[before]=&page[size]=2");
    assert_eq!(document.status, 200, "{document}");
    assert_eq!(document.json["links"]["next"], json!(null), "{document}");
    link(&document, "prev");
    let (rows, empty) = page(&service, "/api/things?page[after]=&filter[id]=99");
    let next = &empty.json["links"]["next"];
    assert!(rows.is_empty() && next.is_null(), "{empty}");
}

/// No rows are counted or skipped, unless a page is past the end.
#[test]
fn a_page_is_one_statement() {
    let service = museum();
    let (_, first) = page(&service, "/api/things?page[after]=&pageLimit=1");
    for (path, expected) in [
        (link(&first, "self"), 1),
        (link(&first, "next"), 1),
        ("/api/things", 1),
        ("/api/things/1", 1),
        ("/api/things?search=a&sort=-title", 1),
        (
            "/api/things?filter[floor][gte]=1&level=1&pageLimit=2&page=1",
            1,
        ),
        ("/api/things?page=99", 2),
        ("/api/things?search=nothing", 1),
    ] {
        let request = axum::http::Request::get(path).body(axum::body::Body::empty());
        let router = service.app().router();
        let answer = tower::ServiceExt::oneshot(router, request.expect("a request"));
        let answer = service.block_on(answer).expect("an answer");
        let statements = answer.extensions().get::<Statements>();
        assert_eq!(statements, Some(&Statements(expected)), "{path}");
    }
}

#[test]
fn rows_added_meanwhile_do_not_shift_pages_by_cursor() {
    let service = museum();
    let (seen, first) = page(&service, "/api/things?page[after]=&pageLimit=2&sort=title");
    assert_eq!(seen, [1, 3]);
    let early = json!({"title": "AAA", "open": true, "price": 1});
    assert_eq!(service.admin().post("/api/things", early).status, 201);
    let next = link(&first, "next");
    assert_eq!(page(&service, next).0, [4, 5], "no row comes twice");
}

#[test]
fn a_cursor_belongs_to_its_order() {
    let service = museum();
    let (_, first) = page(&service, "/api/things?page[after]=&pageLimit=1&sort=price");
    let cursor = link(&first, "next").rsplit('=').next().expect("a cursor");
    let second = ids(&service, &format!("sort=price&page[after]={cursor}"));
    assert_eq!(second[0], 5);
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
        rejection(&service, &query);
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
    let columns = "title floor visits weight price native open made_on shown_at found_at code id";
    let columns: Vec<&str> = columns.split(' ').collect();
    let key = (prop::sample::select(columns), any::<bool>());
    let config = Config {
        cases: cases(),
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
