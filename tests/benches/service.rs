//! The restaurant beside a hand-written axum and sqlx server: the same table, the same JSON, the same SQLite
//! settings, both as processes of their own, asked in turns in one run. Prints the ratio of requests a second.
//!
//! `cargo bench -p formwork-tests --bench service`

mod handwritten;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use formwork_tests::{checkout, target_dir};
use serde_json::Value;

/// Requests of one turn, and turns.
const REQUESTS: u32 = 2_000;
const TURNS: usize = 9;

fn main() {
    if let Ok(database) = env::var("FORMWORK_BENCH_DATABASE") {
        return handwritten::serve(
            &database,
            &env::var("FORMWORK_BENCH_ADDRESS").expect("an address"),
        );
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let database = folder.path().join("bench.sqlite");
    let poured = start_restaurant(&database);
    let by_hand = start_handwritten(&database);
    println!("request                          poured      by hand     poured/by hand");
    for path in [
        "/api/categories/1",
        "/api/categories?pageLimit=20&enabled=true",
    ] {
        assert_eq!(poured.ask(path), by_hand.ask(path), "both answer the same");
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for _ in 0..TURNS {
            first.push(poured.turn(path));
            second.push(by_hand.turn(path));
        }
        let (first, second) = (median(first), median(second));
        let rate = |took: Duration| f64::from(REQUESTS) / took.as_secs_f64();
        println!(
            "{path:<30} {:>8.0}/s  {:>8.0}/s  {:>10.3}",
            rate(first),
            rate(second),
            second.as_secs_f64() / first.as_secs_f64()
        );
    }
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
    fn ask(&self, path: &str) -> Value {
        let mut connection = self.connect();
        let mut buffer = Vec::new();
        let body = exchange(&mut connection, path, &mut buffer);
        serde_json::from_slice(&buffer[body..]).expect("JSON")
    }

    /// One connection, one request after the other.
    fn turn(&self, path: &str) -> Duration {
        let mut connection = self.connect();
        let mut buffer = Vec::new();
        let start = Instant::now();
        for _ in 0..REQUESTS {
            exchange(&mut connection, path, &mut buffer);
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
fn exchange(stream: &mut TcpStream, path: &str, buffer: &mut Vec<u8>) -> usize {
    let request = format!("GET {path} HTTP/1.1\r\nHost: bench\r\nAccept: application/json\r\n\r\n");
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

fn start_restaurant(database: &Path) -> Server {
    let manifest = checkout().join("fixtures/restaurant/Cargo.toml");
    let status = Command::new("cargo")
        .args([
            "build",
            "--release",
            "--quiet",
            "--locked",
            "--manifest-path",
        ])
        .arg(manifest)
        .env("CARGO_TARGET_DIR", target_dir())
        .status()
        .expect("cargo starts");
    assert!(status.success());
    let program = target_dir().join("release/restaurant");
    let command = || {
        let mut command = Command::new(&program);
        command
            .current_dir(checkout().join("fixtures/restaurant"))
            .env("DATABASE_URL", format!("sqlite://{}", database.display()))
            .env("FORMWORK_API__RATE_LIMIT", "0")
            .env("FORMWORK_LOG__LEVEL", "error");
        command
    };
    for step in ["migrate", "seed"] {
        assert!(
            command()
                .arg(step)
                .status()
                .expect("the restaurant starts")
                .success(),
            "{step}"
        );
    }
    let address = free_address();
    let process = command()
        .args(["serve", "--addr", &address])
        .stdout(Stdio::null())
        .spawn();
    Server {
        process: process.expect("the restaurant starts"),
        address,
    }
}

fn start_handwritten(database: &Path) -> Server {
    let address = free_address();
    assert!(fs::metadata(database).is_ok());
    let process = Command::new(env::current_exe().expect("this program"))
        .env("FORMWORK_BENCH_DATABASE", database)
        .env("FORMWORK_BENCH_ADDRESS", &address)
        .spawn()
        .expect("the hand-written server starts");
    Server { process, address }
}

fn free_address() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("an address").to_string()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
