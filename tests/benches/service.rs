//! The restaurant beside a hand-written axum and sqlx server: the same table, the same JSON, the
//! same SQLite settings, all as processes of their own, with requests in turns in one run. Prints
//! the ratio of requests a second: to the server with the same pool (deadpool), and to the one with
//! sqlx's own, which most people write. Then the memory of the restaurant, idle and after load.
//!
//! `cargo bench -p formwork-tests --bench service`, with `-- show` for the requests of this name alone.

mod handwritten;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use formwork_tests::{cargo_build, checkout, target_dir};
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;

/// What poured projects use, too.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Requests of one turn, and turns of each server.
const REQUESTS: u32 = 1_000;
const TURNS: usize = 15;

/// Clients at once before anything is measured.
const CLIENTS: usize = 8;

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
        server.warm_up(&token);
    }
    println!(
        "request                             poured   same pool  sqlx's pool   poured/same  poured/sqlx's"
    );
    let wanted = env::args().skip(1).find(|it| !it.starts_with("--"));
    for (name, path) in PATHS {
        if wanted.as_ref().is_some_and(|wanted| wanted != name) {
            continue;
        }
        for (rendering, accept) in RENDERINGS {
            let request = request(path, accept, &token);
            compare(
                &format!("{name}, {rendering}"),
                &request,
                [&poured, &same, &usual],
            );
        }
    }
    poured.load(&token);
    println!(
        "resident memory, after {LOAD} connections of load: {:.1} MiB",
        poured.resident()
    );
}

fn request(path: &str, accept: &str, token: &str) -> String {
    format!(
        "GET {path} HTTP/1.1\r\nHost: bench\r\nAccept: {accept}\r\n\
         Authorization: Bearer {token}\r\n\r\n"
    )
}

/// All answer the same; then they take turns, and the middle one of the ratios counts.
fn compare(name: &str, request: &str, servers: [&Server; 3]) {
    let answers = servers.map(|server| server.ask(request));
    assert!(!answers[0].is_empty());
    for other in &answers[1..] {
        assert_eq!(&answers[0], other, "{name}");
    }
    let mut times: [Vec<f64>; 3] = Default::default();
    for turn in 0..TURNS {
        // Each is the first as often as the others.
        for place in 0..servers.len() {
            let at = (turn + place) % servers.len();
            times[at].push(servers[at].turn(request).as_secs_f64());
        }
    }
    let [mine, same, usual] = &times;
    let rate = |times: &[f64]| f64::from(REQUESTS) / median(times.to_vec());
    let ratio = |theirs: &[f64]| {
        median(
            theirs
                .iter()
                .zip(mine)
                .map(|(it, mine)| it / mine)
                .collect(),
        )
    };
    println!(
        "{name:<33} {:>7.0}/s  {:>7.0}/s    {:>7.0}/s  {:>12.3}  {:>13.3}",
        rate(mine),
        rate(same),
        rate(usual),
        ratio(same),
        ratio(usual)
    );
}

/// A server in a process of its own.
struct Server {
    process: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    fn ask(&self, request: &str) -> String {
        let mut connection = self.connect();
        let mut buffer = Vec::new();
        let body = exchange(&mut connection, request, &mut buffer);
        String::from_utf8_lossy(&buffer[body..]).into_owned()
    }

    /// Several clients at once, as servers have: pools open their connections, and statements are prepared.
    fn warm_up(&self, token: &str) {
        let (_, path) = PATHS[0];
        let request = request(path, RENDERINGS[0].1, token);
        thread::scope(|scope| {
            for _ in 0..CLIENTS {
                scope.spawn(|| self.turn(&request));
            }
        });
    }

    /// Many connections at once, as after a busy hour.
    fn load(&self, token: &str) {
        let requests = PATHS.map(|(_, path)| request(path, RENDERINGS[0].1, token));
        thread::scope(|scope| {
            for number in 0..LOAD {
                let request = &requests[number % requests.len()];
                scope.spawn(move || self.turn(request));
            }
        });
    }

    /// MiB of memory that is resident, where the system tells.
    fn resident(&self) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
        kib.unwrap_or(f64::NAN) / 1024.0
    }

    /// One connection, one request after the other.
    fn turn(&self, request: &str) -> Duration {
        let mut connection = self.connect();
        let mut buffer = Vec::new();
        let start = Instant::now();
        for _ in 0..REQUESTS {
            exchange(&mut connection, request, &mut buffer);
        }
        start.elapsed()
    }

    fn connect(&self) -> TcpStream {
        let deadline = Instant::now() + Duration::from_secs(20);
        loop {
            match TcpStream::connect(&self.address) {
                Ok(stream) => {
                    stream.set_nodelay(true).expect("a socket option");
                    return stream;
                }
                Err(error) => assert!(Instant::now() < deadline, "{}: {error}", self.address),
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Sends a request and reads the whole answer; returns where its body begins.
fn exchange(stream: &mut TcpStream, request: &str, buffer: &mut Vec<u8>) -> usize {
    stream
        .write_all(request.as_bytes())
        .expect("a request is sent");
    buffer.clear();
    let mut chunk = [0; 65_536];
    loop {
        let read = stream.read(&mut chunk).expect("an answer");
        assert!(read > 0, "the connection was closed");
        buffer.extend_from_slice(&chunk[..read]);
        let Some(end) = buffer.windows(4).position(|window| window == b"\r\n\r\n") else {
            continue;
        };
        let head = String::from_utf8_lossy(&buffer[..end]).to_ascii_lowercase();
        assert!(head.starts_with("http/1.1 200"), "{head}");
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.expect("a length").trim().parse().expect("a number");
        if buffer.len() >= end + 4 + length {
            return end + 4;
        }
    }
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
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let options = SqliteConnectOptions::new().filename(database);
        let mut connection = options.connect().await.expect("a database");
        let done = sqlx::raw_sql(ROWS).execute(&mut connection).await;
        done.expect("rows are written");
    });
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

fn free_address() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("an address").to_string()
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
