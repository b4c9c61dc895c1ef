//! What layers and routes of a project's own cost: five tower layers and a route, beside the same in
//! axum, with requests in turns in one run. Then the memory of the service during an upload of 1 GiB
//! and a CSV of a million rows.
//!
//! `cargo bench -p formwork-tests --bench walls`

mod measured;
mod process;
#[path = "walls/mod.rs"]
mod walls;

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs};

use measured::{rate, ratio, times, warm_up};
use process::{Server, free_address};
use walls::{ADDRESS, SERVE, traffic};

/// What poured projects use, too.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const GIBIBYTE: u64 = 1024 * 1024 * 1024;

const ROWS: u64 = 1_000_000;

/// MiB that the service may have had at most after the rows were read, which are more text than that,
/// and after the uploads.
const ROWS_IN_MEMORY: f64 = 30.0;
const UPLOAD_IN_MEMORY: f64 = 40.0;

fn main() -> ExitCode {
    if let Some(code) = walls::served() {
        return code;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let own = traffic::start(folder.path(), ROWS);
    let [axum, usual] = ["plain", "usual"].map(|server| start_plain(server, folder.path()));
    println!(
        "request                        own        axum   axum and tower-http   own/axum   own/axum and tower-http"
    );
    for (name, path, in_axum) in [
        ("handler with Context", "/api/greet/you", "/api/hello/you"),
        ("handler without", "/api/hello/you", "/api/hello/you"),
        ("nested router", "/api/nested/hello/you", "/api/hello/you"),
    ] {
        compare(name, [&own, &axum, &usual], [path, in_axum, in_axum]);
    }
    memory(&own);
    ExitCode::SUCCESS
}

fn start_plain(server: &str, folder: &Path) -> Server {
    let address = free_address();
    let process = Command::new(env::current_exe().expect("this program"))
        .env(SERVE, server)
        .env(ADDRESS, &address)
        .stdout(Stdio::null())
        .stderr(fs::File::create(folder.join(server)).expect("a log"))
        .spawn();
    Server {
        process: process.expect("the server starts"),
        address,
    }
}

fn compare(name: &str, servers: [&Server; 3], paths: [&str; 3]) {
    let requests = paths.map(|path| format!("GET {path} HTTP/1.1\r\nHost: bench\r\n\r\n"));
    for (server, request) in servers.iter().zip(&requests) {
        assert_eq!(server.ask(request), "Hello, you.", "{name}");
        warm_up(server, request);
    }
    let [own, axum, usual] = times(1, &requests, servers);
    println!(
        "{name:<24} {:>7.0}/s   {:>7.0}/s             {:>7.0}/s   {:>8.3}   {:>23.3}",
        rate(&own),
        rate(&axum),
        rate(&usual),
        ratio(&own, &axum),
        ratio(&own, &usual)
    );
}

/// Most MiB that were resident: the peak of a process only grows, so the smaller case comes first.
fn memory(own: &Server) {
    println!(
        "resident memory: {:.1} MiB, at most {:.1} MiB so far",
        own.resident(),
        own.peak()
    );
    for path in ["/api/readings.csv", "/api/totals.csv"] {
        assert_eq!(traffic::download(own, path) as u64, ROWS);
        println!("{path}, {ROWS} rows: at most {:.1} MiB so far", own.peak());
        assert!(own.peak() < ROWS_IN_MEMORY, "rows are streamed");
    }
    for path in ["/api/files", "/api/forms"] {
        traffic::upload(own, path, GIBIBYTE);
        println!("{path}, 1 GiB: at most {:.1} MiB so far", own.peak());
        assert!(own.peak() < UPLOAD_IN_MEMORY, "uploads are streamed");
    }
}
