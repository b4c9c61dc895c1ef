//! A server in a process of its own, its requests and its memory.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::time::{Duration, Instant};
use std::{fs, thread};

/// Requests of one turn.
pub const REQUESTS: u32 = 1_000;

/// A server in a process of its own.
pub struct Server {
    pub process: Child,
    pub address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    /// The body of its answer.
    pub fn ask(&self, request: &str) -> String {
        let mut connection = self.connect();
        let mut buffer = Vec::new();
        let body = exchange(&mut connection, request, &mut buffer);
        String::from_utf8_lossy(&buffer[body..]).into_owned()
    }

    /// Some clients at once, each with one of these requests.
    pub fn load(&self, clients: usize, requests: &[&str]) {
        thread::scope(|scope| {
            for request in requests.iter().cycle().take(clients) {
                scope.spawn(|| self.turn(1, request));
            }
        });
    }

    /// So many clients at once, each with a connection; together they send [`REQUESTS`].
    pub fn turn(&self, clients: u32, request: &str) -> Duration {
        let mut connections: Vec<_> = (0..clients).map(|_| self.connect()).collect();
        let start = Instant::now();
        thread::scope(|scope| {
            for connection in &mut connections {
                scope.spawn(|| repeat(connection, request, REQUESTS / clients));
            }
        });
        start.elapsed()
    }

    pub fn connect(&self) -> TcpStream {
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

    /// MiB of memory that is resident, where the system tells.
    pub fn resident(&self) -> f64 {
        self.status("VmRSS:")
    }

    /// The most MiB that were resident so far.
    pub fn peak(&self) -> f64 {
        self.status("VmHWM:")
    }

    fn status(&self, name: &str) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
        kib.unwrap_or(f64::NAN) / 1024.0
    }
}

/// One request after the other.
fn repeat(connection: &mut TcpStream, request: &str, times: u32) {
    let mut buffer = Vec::new();
    for _ in 0..times {
        exchange(connection, request, &mut buffer);
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
        assert!(head.starts_with("http/1.1 20"), "{head}");
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.expect("a length").trim().parse().expect("a number");
        if buffer.len() >= end + 4 + length {
            return end + 4;
        }
    }
}

pub fn free_address() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("an address").to_string()
}
