//! The restaurant beside a hand-written axum and sqlx server: the same table, the same JSON, the
//! same SQLite settings, all as processes of their own, with requests in turns in one run: of one
//! client, and of several at once. Prints the ratio of requests a second: to the server with the
//! same pool (deadpool), and to the one with sqlx's own, which most people write. Then the memory
//! of the restaurant, idle and after load.
//!
//! `cargo bench -p formwork-tests --bench service`, with `-- show` for the requests of this name alone.

mod handwritten;
mod measured;
mod process;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, fs, thread};

use formwork_tests::{cargo_build, checkout, sqlite, target_dir};

use measured::{CLIENTS, rate, ratio, times, warm_up};
use process::{Server, free_address};

/// What poured projects use, too.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Connections at once before memory is measured.
const LOAD: usize = 32;

/// The table of requests.
const PATHS: [(&str, &str); 3] = [
    ("show", "/api/categories/1"),
    ("index", "/api/categories?pageLimit=20&enabled=true"),
    (
        "index with two includes",
        "/api/categories?pageLimit=20&enabled=true&include=locations,media",
    ),
];

const RENDERINGS: [(&str, &str); 2] = [
    ("data", "application/json"),
    ("JSON:API", "application/vnd.api+json"),
];

fn main() {
    if let Ok(database) = env::var("FORMWORK_BENCH_DATABASE") {
        let set = |name: &str| env::var(name).expect("a variable");
        let (address, pool) = (set("FORMWORK_BENCH_ADDRESS"), set("FORMWORK_BENCH_POOL"));
        return handwritten::serve(&database, &address, &pool);
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let database = folder.path().join("bench.sqlite");
    let (poured, token) = start_restaurant(&database);
    println!("resident memory, idle: {:.1} MiB", poured.resident());
    let same = start_handwritten(&database, "deadpool");
    let usual = start_handwritten(&database, "sqlx");
    for server in [&poured, &same, &usual] {
        warm_up(server, &request(PATHS[0].1, RENDERINGS[0].1, &token));
    }
    println!(
        "request                             poured   same pool  sqlx's pool   poured/same  poured/sqlx's"
    );
    let wanted = env::args().skip(1).find(|it| !it.starts_with("--"));
    for (name, path) in PATHS {
        if wanted.as_ref().is_some_and(|wanted| wanted != name) {
            continue;
        }
        let servers = [&poured, &same, &usual];
        for (rendering, accept) in RENDERINGS {
            let request = request(path, accept, &token);
            compare(&format!("{name}, {rendering}"), 1, &request, servers);
        }
        let request = request(path, RENDERINGS[0].1, &token);
        let name = format!("{name}, {CLIENTS} clients");
        compare(&name, CLIENTS, &request, servers);
    }
    load(&poured, &token);
    println!(
        "resident memory, after {LOAD} connections of load: {:.1} MiB (at most {:.1} MiB)",
        poured.resident(),
        poured.peak()
    );
}

fn request(path: &str, accept: &str, token: &str) -> String {
    format!(
        "GET {path} HTTP/1.1\r\nHost: bench\r\nAccept: {accept}\r\n\
         Authorization: Bearer {token}\r\n\r\n"
    )
}

/// All answer the same; then they take turns, and the middle one of the ratios counts.
fn compare(name: &str, clients: u32, request: &str, servers: [&Server; 3]) {
    let answers = servers.map(|server| server.ask(request));
    assert!(!answers[0].is_empty());
    for other in &answers[1..] {
        assert_eq!(&answers[0], other, "{name}");
    }
    let requests = [(); 3].map(|()| request.to_owned());
    let [mine, same, usual] = times(clients, &requests, servers);
    println!(
        "{name:<33} {:>7.0}/s  {:>7.0}/s    {:>7.0}/s  {:>12.3}  {:>13.3}",
        rate(&mine),
        rate(&same),
        rate(&usual),
        ratio(&mine, &same),
        ratio(&mine, &usual)
    );
}

/// Many connections at once, as after a busy hour.
fn load(server: &Server, token: &str) {
    let requests = PATHS.map(|(_, path)| request(path, RENDERINGS[0].1, token));
    server.load(LOAD, &requests.each_ref().map(String::as_str));
}

/// The restaurant as it is, or as it was built before: `FORMWORK_BENCH_PROGRAM`.
fn program() -> PathBuf {
    if let Some(built) = env::var_os("FORMWORK_BENCH_PROGRAM") {
        return built.into();
    }
    let manifest = checkout().join("fixtures/restaurant/Cargo.toml");
    cargo_build(&["--release", "--quiet", "--locked"], &manifest);
    target_dir().join("release/restaurant")
}

fn start_restaurant(database: &Path) -> (Server, String) {
    let program = program();
    let log = database.with_extension("log");
    let command = || {
        let mut command = Command::new(&program);
        command
            .current_dir(checkout().join("fixtures/restaurant"))
            .env("DATABASE_URL", format!("sqlite://{}", database.display()))
            // The default configuration, without an effective rate limit.
            .env("FORMWORK_API__RATE_LIMIT", "4000000000")
            .stderr(fs::File::create(&log).expect("a log"));
        command
    };
    let console = |arguments: &[&str]| {
        let output = command().args(arguments).output().expect("it starts");
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    console(&["migrate"]);
    console(&["seed"]);
    fill(database);
    let told = console(&[
        "token",
        "--name",
        "bench",
        "--email",
        "admin@example.com",
        "--admin",
    ]);
    let token = told
        .lines()
        .find_map(|line| line.strip_prefix("Access Token: "));
    let token = token.expect("a token").to_owned();
    let address = free_address();
    let process = command()
        .args(["serve", "--addr", &address])
        .stdout(Stdio::null())
        .spawn();
    let process = process.expect("the restaurant starts");
    let server = Server { process, address };
    // It answers: what it does at its start is done.
    drop(server.connect());
    thread::sleep(Duration::from_secs(1));
    (server, token)
}

/// Enough categories for several pages, each with two locations and a picture.
fn fill(database: &Path) {
    const ROWS: &str = "
        INSERT INTO categories (name, description, priority, status, permalink_slug, created_at, updated_at)
        WITH RECURSIVE numbers (n) AS (SELECT 9 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100)
        SELECT 'Category ' || n, 'What is served in the <b>evening</b>, part ' || n, n, 1, 'category-' || n,
            '2026-11-21T03:59:04.000000Z', '2026-11-21T03:59:04.000000Z' FROM numbers;
        INSERT INTO locationables (locationable_type, locationable_id, location_id)
        SELECT 'categories', category_id, location_id FROM categories, locations;
        INSERT INTO media_attachments (disk, name, file_name, mime_type, size, tag, attachment_type,
            attachment_id, is_public, priority, created_at, updated_at)
        SELECT 'media', 'c.jpg', 'c.jpg', 'image/jpeg', 48000, 'thumb', 'categories', category_id, 1, 1,
            created_at, updated_at FROM categories WHERE category_id > 8;";
    sqlite::run(database, ROWS);
}

fn start_handwritten(database: &Path, pool: &str) -> Server {
    let address = free_address();
    assert!(fs::metadata(database).is_ok());
    let process = Command::new(env::current_exe().expect("this program"))
        .env("FORMWORK_BENCH_DATABASE", database)
        .env("FORMWORK_BENCH_ADDRESS", &address)
        .env("FORMWORK_BENCH_POOL", pool)
        .spawn()
        .expect("the hand-written server starts");
    Server { process, address }
}
