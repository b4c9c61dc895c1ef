//! Pages by cursor over the types that another program's tables have: each row is on one page.

use std::collections::BTreeSet;

use formwork::{prelude::*, testing::Service};
use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config, TestRunner},
};
use serde::Serialize;

use super::parts::resource;

struct Attic;

impl Extension for Attic {
    fn name(&self) -> &'static str {
        "attic"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![resource("boxes", Boxes, actions!["index", "show"])]
    }
}

model! {
    Crate "boxes" {
        key id: i64,
        column opened: Option<Time>,
        native total: Option<Decimal<4>>,
        native moved: Option<DateTime>,
        native rating: Option<String>,
        column code: Option<Uuid>,
        column weight: Option<f64>,
        column made: Option<Date>,
    }

    const MANAGED: bool = false;
}

const SORT: &[&str] = &[
    "opened", "total", "moved", "rating", "code", "weight", "made",
];

parts! { Crate [] const SORT: &'static [&'static str] = SORT; }

struct Boxes;

impl RestController for Boxes {
    parts_of!(Crate);

    const ACTIONS: &'static [Action] = &[Action::Index, Action::Show];
}

/// The types of the columns, and literals of each in SQL, in the order of [`SORT`].
struct Types {
    create: &'static [&'static str],
    values: [&'static [&'static str]; 7],
}

const NUMBERS: &[&str] = &[
    "NULL",
    "1.00001",
    "1.00002",
    "1.00003",
    "2",
    "123456789012345.5",
];
const FLOATS: &[&str] = &["NULL", "21.35", "0.1", "1e20", "-3"];
const DAYS: &[&str] = &["NULL", "'2026-01-31'", "'0001-01-01'"];
const RATINGS: &[&str] = &["NULL", "'G'", "'PG'", "'R'", "'NC-17'"];
const CODES: &[&str] = &[
    "NULL",
    "'67E55044-10B1-426F-9247-BB680E5FE0C8'",
    "'0192f0c1-2b3c-7d4e-8f50-000000000001'",
];
const MOMENTS: &[&str] = &[
    "NULL",
    "'2026-01-31 12:00:00'",
    "'2026-01-31 12:00:00.000001'",
];

const SQLITE: Types = Types {
    create: &[
        "CREATE TABLE boxes (id INTEGER PRIMARY KEY, opened TIME, total NUMERIC, moved DATETIME, \
        rating TEXT COLLATE NOCASE, code UUID, weight REAL, made DATE)",
    ],
    values: [
        &["NULL", "'12:00'", "'12:00:00'", "'12:00:00.5'", "'13:00'"],
        NUMBERS,
        &[
            "NULL",
            "'2026-01-31 12:00:00'",
            "'2026-01-31T12:00:00Z'",
            "'2026-01-31 12:00:00.250'",
        ],
        &["NULL", "'PG'", "'pg'", "'G'", "''"],
        &[
            "NULL",
            "'67E55044-10B1-426F-9247-BB680E5FE0C8'",
            "'67e55044-10b1-426f-9247-bb680e5fe0c8'",
            "'0192f0c1-2b3c-7d4e-8f50-000000000001'",
        ],
        FLOATS,
        DAYS,
    ],
};

const POSTGRES: Types = Types {
    create: &[
        "CREATE TYPE rating AS ENUM ('G', 'PG', 'R', 'NC-17')",
        "CREATE TABLE boxes (id BIGINT PRIMARY KEY, opened time, total numeric, moved timestamp, \
         rating rating, code uuid, weight real, made date)",
    ],
    values: [
        &[
            "NULL",
            "'12:00'",
            "'12:00:00.5'",
            "'12:00:00.000001'",
            "'13:00'",
        ],
        NUMBERS,
        MOMENTS,
        RATINGS,
        CODES,
        FLOATS,
        DAYS,
    ],
};

const MYSQL: Types = Types {
    create: &[
        "CREATE TABLE boxes (id BIGINT PRIMARY KEY, opened time(3), total decimal(30, 10), \
        moved datetime(6), rating enum('G', 'PG', 'R', 'NC-17'), code char(36), weight float, made date)",
    ],
    values: [
        &[
            "NULL",
            "'12:00'",
            "'12:00:00.5'",
            "'12:00:00.001'",
            "'13:00'",
        ],
        NUMBERS,
        MOMENTS,
        RATINGS,
        CODES,
        FLOATS,
        &["NULL", "'2026-01-31'", "'0001-01-01'", "'0000-00-00'"],
    ],
};

fn types(service: &Service) -> &'static Types {
    match service.app().db().dialect().name() {
        "sqlite" => &SQLITE,
        "postgres" => &POSTGRES,
        _ => &MYSQL,
    }
}

fn attic() -> Service {
    let service = Service::start(vec![Box::new(Attic)]);
    for sql in types(&service).create {
        run(&service, sql.to_string());
    }
    service
}

fn run(service: &Service, sql: String) {
    let sql = match service.app().db().dialect().name() {
        // A date of zeros, as older programs wrote it.
        "mysql" if sql.starts_with("INSERT") => format!("SET STATEMENT sql_mode = '' FOR {sql}"),
        _ => sql,
    };
    let done = service.block_on(service.app().db().execute(sql.clone(), []));
    done.unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// Replaces the rows by these, each of which chooses a literal of every type.
fn fill(service: &Service, rows: &[Vec<usize>]) {
    run(service, "DELETE FROM boxes".to_owned());
    let rows = rows.iter().enumerate().map(|(id, choices)| {
        let values = types(service).values.iter().zip(choices);
        let values = values.map(|(known, choice)| known[choice % known.len()]);
        format!("({}, {})", id + 1, values.collect::<Vec<_>>().join(", "))
    });
    let rows = rows.collect::<Vec<_>>().join(", ");
    run(service, format!("INSERT INTO boxes VALUES {rows}"));
}

/// The ids of all pages along a link.
fn walk(service: &Service, start: &str, link: &str, most: usize) -> Vec<i64> {
    let (mut ids, mut next) = (Vec::new(), Some(start.to_owned()));
    while let Some(path) = next {
        let page = service.guest().get(&path);
        assert_eq!(page.status, 200, "{path}: {page}");
        let rows = page.json["data"].as_array().expect("a list").iter();
        ids.extend(rows.filter_map(|row| row["id"].as_i64()));
        assert!(ids.len() <= most, "{start} repeats rows: {ids:?}");
        next = page.json["links"][link].as_str().map(str::to_owned);
    }
    ids
}

#[test]
fn every_row_is_on_one_page_whatever_its_type() {
    let service = attic();
    let cases = std::env::var("FORMWORK_TEST_CASES").ok();
    let cases = cases.map_or(3, |cases| cases.parse().expect("a number of cases"));
    let mut runner = TestRunner::new(Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    });
    let rows = vec(vec(0_usize..60, SORT.len()), 5..9);
    let walked = runner.run(&rows, |rows| {
        fill(&service, &rows);
        for column in SORT {
            for (start, link) in [("after", "next"), ("before", "prev")] {
                for sign in ["", "-"] {
                    let path = format!("/api/boxes?sort={sign}{column}&pageLimit=2&page[{start}]=");
                    let ids = walk(&service, &path, link, rows.len());
                    let found: BTreeSet<i64> = ids.iter().copied().collect();
                    prop_assert_eq!(found.len(), rows.len(), "{}: {:?}", path, ids);
                }
            }
        }
        Ok(())
    });
    walked.expect("every row once");
}

#[test]
fn a_number_of_more_digits_than_the_model_has_is_shown_exactly() {
    let service = attic();
    let numbers = ["123456789012345.5", "-99999999999999999.25", "1.00001", "2"];
    // SQLite has a number of this many digits as a float.
    let exact = service.app().db().dialect().name() != "sqlite";
    for (id, number) in numbers.iter().enumerate() {
        let values = format!("({id} + 1, NULL, {number}, NULL, NULL, NULL, NULL, NULL)");
        run(&service, format!("INSERT INTO boxes VALUES {values}"));
    }
    let list = service.guest().get("/api/boxes");
    assert_eq!(list.status, 200, "{list}");
    let shown: Vec<&str> = list.json["data"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|row| row["total"].as_str())
        .collect();
    assert_eq!((shown[0], shown[3]), ("123456789012345.5000", "2.0000"));
    assert_eq!(shown[2], "1.00001");
    if exact {
        assert_eq!(shown[1], "-99999999999999999.2500");
    }
}

#[test]
fn a_cursor_shows_no_value() {
    let service = attic();
    let values = "NULL, 123456789012, NULL, NULL, NULL, NULL, NULL";
    run(
        &service,
        format!("INSERT INTO boxes VALUES (1, {values}), (2, {values})"),
    );
    let list = service
        .guest()
        .get("/api/boxes?sort=total&pageLimit=1&page[after]=");
    let next = list.json["links"]["next"].as_str().expect("a next page");
    let cursor = next.rsplit('=').next().expect("a cursor");
    let digits = cursor.as_bytes().chunks(2).map(|pair| {
        let pair = std::str::from_utf8(pair).expect("digits");
        char::from(u8::from_str_radix(pair, 16).expect("a byte"))
    });
    let text: String = digits.collect();
    assert!(!text.contains("1234") && !text.contains("total"), "{text}");
}
