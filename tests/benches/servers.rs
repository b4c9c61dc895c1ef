//! A resource on PostgreSQL and MariaDB beside the same in axum and sqlx: the same server, pool and
//! settings, the same answers, with requests in turns in one run. Then a list of up to a million rows,
//! by page number and by cursor. The servers are those of `FORMWORK_TEST_POSTGRES_URL` and
//! `FORMWORK_TEST_MYSQL_URL`; one that is not set is skipped, and said to be.
//!
//! `cargo bench -p formwork-tests --bench servers`

mod measured;
mod process;
#[path = "servers/mod.rs"]
mod servers;

use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;
use std::{env, fs, path::Path};

use measured::{median, rate, ratio, times, warm_up};
use process::{Server, free_address};
use servers::{ADDRESS, Kind, SERVE, by_hand, tables};

/// What poured projects use, too.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Rows of the lists, growing.
const ROWS: [u64; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// Requests for each page of a long list.
const PAGES: usize = 11;

fn main() -> ExitCode {
    if let Some(code) = servers::served() {
        return code;
    }
    for kind in Kind::ALL {
        match env::var(kind.variable()) {
            Ok(server) => on(kind, &server),
            Err(_) => println!("skipped: {} is not set", kind.variable()),
        }
    }
    ExitCode::SUCCESS
}

fn on(kind: Kind, server: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let url = tables::create(kind, server);
    let own = start("own", &url, folder.path());
    tables::fill(kind, &url, ROWS[0]);
    let plain = start(kind.name(), &url, folder.path());
    println!("{:<28} own      by hand   own/by hand", kind.name());
    for (name, requests) in requests() {
        compare(name, &requests, [&own, &plain]);
    }
    tables::fill(kind, &url, 0);
    println!("rows       first page   last by number   first by cursor   last by cursor");
    for rows in ROWS {
        tables::fill(kind, &url, rows);
        list(&own, rows);
    }
    println!(
        "resident memory: {:.1} MiB (at most {:.1} MiB)",
        own.resident(),
        own.peak()
    );
    drop((own, plain));
    tables::remove(kind, server);
}

/// A request to each side.
type Requests = [String; 2];

fn requests() -> [(&'static str, Requests); 4] {
    let both = |request: String| [request.clone(), request];
    [
        ("show", both(get("/api/dishes/1"))),
        ("index", both(get("/api/dishes?pageLimit=20"))),
        // The runtime stores in a transaction and answers with the row as it is stored then, as
        // hooks, defaults and triggers leave it.
        (
            "store in a transaction",
            [post("/api/dishes"), post("/api/read-back/dishes")],
        ),
        ("store by one INSERT", both(post("/api/dishes"))),
    ]
}

fn post(path: &str) -> String {
    let body = r#"{"name":"Soup","description":"What is served in the evening","stars":3,"available":true}"#;
    format!(
        "POST {path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: bench\r\n\r\n")
}

/// A service of this program, in a process of its own.
fn start(serve: &str, url: &str, folder: &Path) -> Server {
    let address = free_address();
    let command = || {
        let mut command = Command::new(env::current_exe().expect("this program"));
        command
            .current_dir(folder)
            .env(SERVE, serve)
            .env(ADDRESS, &address)
            .env("DATABASE_URL", url)
            .env("FORMWORK_API__RATE_LIMIT", "0")
            .env(
                "FORMWORK_DATABASE__POOL__MAX",
                by_hand::CONNECTIONS.to_string(),
            )
            .stdout(Stdio::null())
            .stderr(fs::File::create(folder.join(serve)).expect("a log"));
        command
    };
    if serve == "own" {
        let migrated = command().arg("migrate").status().expect("it starts");
        let log = fs::read_to_string(folder.join(serve)).unwrap_or_default();
        assert!(migrated.success(), "{log}");
    }
    let process = command().args(["serve", "--addr", &address]).spawn();
    Server {
        process: process.expect("the service starts"),
        address,
    }
}

fn compare(name: &str, requests: &Requests, servers: [&Server; 2]) {
    let answers = [0, 1].map(|side| servers[side].ask(&requests[side]));
    if !name.starts_with("store") {
        assert_eq!(answers[0], answers[1], "{name}");
    }
    for (server, request) in servers.iter().zip(requests) {
        warm_up(server, request);
    }
    let [own, plain] = times(1, requests, servers);
    println!(
        "{name:<24} {:>7.0}/s   {:>7.0}/s   {:>11.3}",
        rate(&own),
        rate(&plain),
        ratio(&own, &plain)
    );
}

/// Milliseconds of the ends of a list.
fn list(own: &Server, rows: u64) {
    let pages = [
        "/api/dishes?pageLimit=20&page=1".to_owned(),
        format!("/api/dishes?pageLimit=20&page={}", rows / 20),
        "/api/dishes?page[size]=20&page[after]=".to_owned(),
        "/api/dishes?page[size]=20&page[before]=".to_owned(),
    ];
    let [first, last, first_by_cursor, last_by_cursor] = pages.map(|page| {
        let request = get(&page);
        assert_eq!(own.ask(&request).matches("\"name\"").count(), 20, "{page}");
        let times = (0..PAGES).map(|_| {
            let start = Instant::now();
            own.ask(&request);
            start.elapsed().as_secs_f64() * 1000.0
        });
        median(times.collect())
    });
    println!(
        "{rows:<10} {first:>7.1} ms {last:>13.1} ms {first_by_cursor:>14.1} ms {last_by_cursor:>13.1} ms"
    );
}
