//! What a search costs the database, whatever its letters are.

use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

use formwork::{config::Config, testing::Service};
use serde_json::json;

use super::{ids, museum};

/// Each search takes its shortest time of so many.
const RUNS: usize = 5;

/// Rows; the contract speaks of 200,000, which take a while in an unoptimised build.
fn rows() -> usize {
    let set = std::env::var("FORMWORK_TEST_ROWS").ok();
    set.map_or(20_000, |rows| rows.parse().expect("a number of rows"))
}

/// A museum with this many things, whose titles have letters of three alphabets.
fn large_museum(config: &str) -> Service {
    let config = Config::from_sources(config, []).expect("a configuration");
    let service = Service::with_config(config, vec![Box::new(museum::Museum)]);
    for title in [
        "Amphora, small",
        "Αμφορέας",
        "Ваза из глины",
        "Ännchen's dress",
    ] {
        let thing =
            json!({"title": title, "floor": 1, "visits": 5, "price": "99.99", "open": true});
        let stored = service.admin().post("/api/things", thing);
        assert_eq!(stored.status, 201, "{stored}");
    }
    let columns = "title, floor, visits, price, open, state";
    let copy = format!(
        "INSERT INTO things ({columns}) SELECT {columns} FROM things ORDER BY thing_id LIMIT ?"
    );
    service.block_on(async {
        let mut stored = 4;
        while stored < rows() {
            let more = i64::try_from(stored.min(rows() - stored)).expect("a few rows");
            let copied = service.app().db().execute(copy.clone(), [more.into()]);
            stored += usize::try_from(copied.await.expect("rows")).expect("a few rows");
        }
    });
    service
}

fn shortest(service: &Service, query: &str) -> Duration {
    let times = (0..RUNS).map(|_| {
        let began = Instant::now();
        assert_eq!(ids(service, query), [0_i64; 0], "{query}");
        began.elapsed()
    });
    times.min().expect("a time")
}

/// Forty letters that have two cases, and whose databases fold them in different ways.
fn letters() -> String {
    ('α'..='ρ').chain('а'..='ч').take(40).collect()
}

#[test]
fn no_parameter_costs_more_than_a_few_words() {
    let service = large_museum("");
    let ascii = shortest(&service, "search=zzzq");
    let numbers: Vec<String> = (1_000_000..1_001_000_u64)
        .map(|number| number.to_string())
        .collect();
    for (name, query) in [
        ("letters", format!("search={}", encoded(&letters()))),
        ("one letter", format!("search={}", encoded("äß"))),
        ("words", "search=a+e+i+o+u+m+p+h+r+zzzq".to_owned()),
        (
            "pattern",
            format!("filter[title][like]={}", encoded(&letters())),
        ),
        (
            "gaps",
            format!("filter[title][like]={}zzz", "%25a".repeat(20)),
        ),
        ("list", format!("filter[visits][in]={}", numbers.join(","))),
        ("page", "sort=title&page=1000000".to_owned()),
    ] {
        let cost = shortest(&service, &query);
        let ratio = cost.as_secs_f64() / ascii.as_secs_f64();
        println!("{name}: {cost:?}, {ratio:.1} of a word's {ascii:?}");
        // Twice; regular expressions of an unoptimised build take five times as long.
        assert!(ratio < 8.0, "{name}: {cost:?} is {ratio:.1} of {ascii:?}");
    }
}

fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// Requests of another caller while twelve clients of one address search for the costliest word.
const OTHERS: usize = 40;

#[test]
fn searches_of_one_address_hold_up_no_other_caller() {
    let service = large_museum("database: { pool: { max: 4, acquire_timeout: 2s } }");
    let path = format!("/api/things?search={}&pageLimit=50", encoded(&letters()));
    let (ended, searches) = (AtomicBool::new(false), AtomicUsize::new(0));
    let customer = service.customer();
    let mut times = thread::scope(|scope| {
        for _ in 0..12 {
            scope.spawn(|| {
                while !ended.load(Relaxed) {
                    service.guest().get(&path);
                    searches.fetch_add(1, Relaxed);
                }
            });
        }
        let times = (0..OTHERS).map(|_| {
            let began = Instant::now();
            let status = customer.get("/api/things/1").status;
            (status, began.elapsed())
        });
        let times: Vec<_> = times.collect();
        ended.store(true, Relaxed);
        times
    });
    times.sort_by_key(|(_, time)| *time);
    let refused = times.iter().filter(|(status, _)| *status != 200).count();
    let (_, median) = times[OTHERS / 2];
    println!("{refused} of {OTHERS} refused, median {median:?}, {searches:?} searches");
    assert_eq!(refused, 0, "{times:?}");
}
