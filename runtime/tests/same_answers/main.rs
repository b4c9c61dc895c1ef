//! SQLite, PostgreSQL and MariaDB give the same answers to the same requests
//! (docs/guide/queries.md). Servers are those of `FORMWORK_TEST_POSTGRES_URL` and
//! `FORMWORK_TEST_MYSQL_URL`; one that is not set is skipped, and said to be.

#[path = "../databases/mod.rs"]
mod databases;
mod samples;
mod shelf;
#[path = "../../../tests/skipped.rs"]
mod skipped;

use formwork::{app::Statements, config::Config, prelude::*, testing::Service};
use shelf::{Book, Label, Shelf};
use skipped::address;
use tower::ServiceExt;

/// Titles that databases compare and sort differently, unless they are told how.
const TITLES: [&str; 24] = [
    "apple",
    "Apple",
    "APPLE",
    "apple ",
    " apple",
    "äpfel",
    "Äpfel",
    "ÄPFEL",
    "Äpfelöl",
    "apfel",
    "a\u{308}pfel",
    "Zebra",
    "zebra",
    "_x",
    "%y",
    "back\\slash",
    "1",
    "10",
    "2",
    "москва",
    "Москва",
    "東京",
    "🍏",
    "🍎 pie",
];

/// The service on each database.
fn services() -> Vec<(&'static str, Service)> {
    let servers = [
        ("postgres", "FORMWORK_TEST_POSTGRES_URL"),
        ("mysql", "FORMWORK_TEST_MYSQL_URL"),
    ];
    let mut services = vec![("sqlite", service(None))];
    for (kind, variable) in servers {
        if let Some(url) = address(variable) {
            services.push((kind, service(Some(url))));
        }
    }
    services
}

fn service(url: Option<String>) -> Service {
    let mut config = Config::from_sources("", []).expect("a configuration");
    if let Some(url) = url {
        config.database.url = url;
    }
    Service::with_config(config, vec![Box::new(Shelf)])
}

/// Status and body of a request, without what names the database or the moment.
fn answer(service: &Service, request: &Request) -> Json {
    let admin = service.admin();
    let answer = match request {
        Request::Get(path) => admin.get(path),
        Request::Post(body) => admin.post("/api/books", body.clone()),
    };
    json!([answer.status, answer.json])
}

enum Request {
    Get(String),
    Post(Json),
}

impl Request {
    fn label(&self) -> String {
        match self {
            Self::Get(path) => path.clone(),
            Self::Post(body) => body.to_string(),
        }
    }
}

/// Each request is answered by all databases as by SQLite; returns SQLite's answers.
fn compare(services: &[(&str, Service)], requests: &[Request]) -> Vec<Json> {
    let (_, sqlite) = &services[0];
    let expected: Vec<_> = requests.iter().map(|it| answer(sqlite, it)).collect();
    let mut differences = Vec::new();
    for (kind, service) in &services[1..] {
        for (request, expected) in requests.iter().zip(&expected) {
            let actual = answer(service, request);
            if actual != *expected {
                let request = request.label();
                differences.push(format!("{kind}: {request}\n  {actual}\n  not {expected}"));
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    expected
}

/// The service on each database, with the same books in it.
fn filled() -> Vec<(&'static str, Service)> {
    let services = services();
    for (_, service) in &services {
        for (index, title) in TITLES.iter().enumerate() {
            assert_eq!(store(service, book(index, title)), 201, "{title:?}");
        }
    }
    services
}

fn book(index: usize, title: &str) -> Book {
    let number = index % 3;
    Book {
        title: title.to_owned(),
        note: [None, Some(String::new()), Some(title.to_owned())][number].clone(),
        rank: [None, Some(1), Some(2), Some(3)][index % 4],
        price: format!("{number}.50").parse().ok(),
        tags: [
            // Items of an inner list are no items of the outer one.
            Some(json!([["A", 1, title], {"tag": "A"}])).filter(|_| index.is_multiple_of(2)),
            Some(json!([title, number])),
            Some(json!(["A", "a ", 1, true])),
        ][number]
            .clone(),
        ..Book::default()
    }
}

/// Stores a book as it is: texts of a body lose the spaces around them. Returns the status that a
/// request would get.
fn store(service: &Service, mut book: Book) -> u16 {
    match service.block_on(book.insert(&service.context())) {
        Ok(()) => 201,
        Err(error) => error.status().into(),
    }
}

fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

fn lists(queries: impl IntoIterator<Item = String>) -> Vec<Request> {
    let path = |query| format!("/api/books?pageLimit=50&{query}");
    queries.into_iter().map(path).map(Request::Get).collect()
}

/// The keys of a list.
fn keys(list: &Json) -> Vec<i64> {
    let rows = list[1]["data"].as_array().expect("a list").iter();
    rows.filter_map(|row| row["id"].as_i64()).collect()
}

#[test]
fn comparisons_and_searches_find_the_same_rows() {
    let services = filled();
    let mut queries = Vec::new();
    for text in TITLES
        .iter()
        .chain(&["ÄPFELÖL", "МОСКВА", "ab\u{0301}", "!", "\\", "pfel", ""])
    {
        let text = encoded(text);
        queries.push(format!("search={text}&sort=id"));
        queries.push(format!("filter[title]={text}&sort=id"));
        queries.push(format!("filter[note][ne]={text}&sort=id"));
        queries.push(format!("filter[title][in]={text},zebra&sort=id"));
        queries.push(format!("filter[title][gte]={text}&sort=id"));
        queries.push(format!("filter[title][like]={text}&sort=id"));
        queries.push(format!("filter[title][like]=%25{text}_%25&sort=id"));
        queries.push(format!("tag={text}&sort=id"));
        queries.push(format!("tag_or_none={text}&sort=id"));
    }
    queries.extend(
        [
            "filter[note][null]=true",
            "filter[note]=",
            "filter[rank][lt]=3",
            "number=1",
        ]
        .map(String::from),
    );
    compare(&services, &lists(queries));
    let found = |query: &str| {
        let list = compare(&services, &lists([query.to_owned()]));
        keys(&list[0]).len()
    };
    assert_eq!(found("search=äpfel"), 4, "each spelling, and the oil");
    assert_eq!(found("filter[title][like]=москва"), 2);
    assert_eq!(
        found("filter[title]=apple"),
        1,
        "`eq` heeds case and spaces"
    );
    assert_eq!(found("tag=A"), 8);
    assert_eq!(found("number=1"), 8 + 8, "no boolean is a number");
}

#[test]
fn lists_have_the_same_order_and_pages_follow_it() {
    let services = filled();
    let sorts = [
        "title",
        "-title",
        "note",
        "-note",
        "rank",
        "-rank",
        "note,-rank",
        "price,title",
        "-rank,note",
    ];
    compare(&services, &lists(sorts.map(|sort| format!("sort={sort}"))));
    for sort in sorts {
        let whole = &compare(&services, &lists([format!("sort={sort}")]))[0];
        let mut path = format!("/api/books?page[size]=5&page[after]=&sort={sort}");
        let mut read = Vec::new();
        for _ in 0..TITLES.len() {
            let page = compare(&services, &[Request::Get(path)]).remove(0);
            read.extend(keys(&page));
            let Some(next) = page[1]["links"]["next"].as_str() else {
                break;
            };
            path = next.to_owned();
        }
        assert_eq!(read, keys(whole), "{sort}");
    }
}

#[test]
fn values_are_unique_by_their_bytes() {
    for (kind, service) in &services() {
        for expected in [201, 422] {
            for title in TITLES {
                assert_eq!(
                    store(service, book(0, title)),
                    expected,
                    "{kind}: {title:?}"
                );
            }
        }
    }
}

#[test]
fn a_hook_goes_on_after_a_value_was_taken() {
    let services = services();
    let book = |title: &str| Request::Post(json!({"title": title, "note": "#new"}));
    let answers = compare(&services, &[book("First"), book("Second"), book("Third")]);
    assert!(answers.iter().all(|answer| answer[0] == 201), "{answers:?}");
    for (kind, service) in &services {
        let context = service.context();
        let labels = Label::unscoped().order_by("word");
        let labels = service.block_on(labels.all(&context)).expect("labels");
        let words: Vec<_> = labels.iter().map(|label| label.word.as_str()).collect();
        assert_eq!(
            words,
            ["NEW", "new"],
            "{kind}: the third book has `new` again"
        );
    }
}

#[test]
fn a_value_that_was_taken_is_refused_to_the_sql_of_a_hook() {
    let services = services();
    let book = |title: &str| Request::Post(json!({"title": title, "note": "!new"}));
    let answers = compare(&services, &[book("First"), book("Second"), book("First")]);
    let statuses: Vec<_> = answers.iter().map(|answer| answer[0].clone()).collect();
    assert_eq!(statuses, [201, 422, 422], "{answers:?}");
    let message = "The word has already been taken.";
    assert_eq!(answers[1][1]["errors"]["word"], json!([message]));
}

#[test]
fn reads_take_the_same_number_of_statements() {
    let services = filled();
    for (path, expected) in [
        ("/api/books", 1),
        ("/api/books/1", 1),
        ("/api/books?search=a&sort=-title", 1),
        ("/api/books?filter[rank][gte]=1&tag=A&pageLimit=2&page=1", 1),
        ("/api/books?page=99", 2),
        ("/api/books?sort=note&page[size]=5&page[after]=", 1),
    ] {
        for (kind, service) in &services {
            assert_eq!(statements(service, path), expected, "{kind}: {path}");
        }
    }
}

/// How many statements a guest's request takes.
fn statements(service: &Service, path: &str) -> u64 {
    let request = axum::http::Request::get(path).body(axum::body::Body::empty());
    let answer = service.app().router().oneshot(request.expect("a request"));
    let answer = service.block_on(answer).expect("an answer");
    assert!(answer.status().is_success(), "{path}: {}", answer.status());
    answer.extensions().get::<Statements>().expect("a count").0
}
