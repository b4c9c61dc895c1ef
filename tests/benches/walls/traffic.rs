//! Large requests and answers, by a client with one connection, and the service's memory meanwhile.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use formwork_tests::sqlite;

use super::SERVE;
use crate::process::{Server, free_address};

/// Starts the service in this folder, with a database of so many readings.
pub fn start(folder: &Path, readings: u64) -> Server {
    let command = || {
        let mut command = Command::new(env::current_exe().expect("this program"));
        command
            .current_dir(folder)
            .env(SERVE, "own")
            .env("DATABASE_URL", "sqlite://walls.sqlite")
            .env("FORMWORK_API__RATE_LIMIT", "0")
            .env("FORMWORK_API__REQUEST_TIMEOUT", "600s")
            .stderr(fs::File::create(folder.join("log")).expect("a log"));
        command
    };
    let migrated = command().arg("migrate").output().expect("it starts");
    assert!(
        migrated.status.success(),
        "{}",
        fs::read_to_string(folder.join("log")).expect("a log")
    );
    fill(&folder.join("walls.sqlite"), readings);
    let address = free_address();
    let serve = command()
        .args(["serve", "--addr", &address])
        .stdout(Stdio::null())
        .spawn();
    let server = Server {
        process: serve.expect("the service starts"),
        address,
    };
    let hello = "GET /api/hello/you HTTP/1.1\r\nHost: bench\r\n\r\n";
    assert_eq!(server.ask(hello), "Hello, you.");
    server
}

fn fill(database: &Path, readings: u64) {
    let rows = format!(
        "INSERT INTO readings (sensor) WITH RECURSIVE numbers (n) AS \
         (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {readings}) \
         SELECT 'A sensor on the roof: number ' || n FROM numbers"
    );
    sqlite::run(database, &rows);
}

/// Sends so many bytes as the body of a request, or as the file of a form.
pub fn upload(server: &Server, path: &str, size: u64) {
    const FORM: &str = "multipart/form-data; boundary=wall";
    let head = "--wall\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n";
    let end = "\r\n--wall--\r\n";
    let (media_type, head, end) = match path {
        "/api/forms" => (FORM, head, end),
        _ => ("application/octet-stream", "", ""),
    };
    let length = size + (head.len() + end.len()) as u64;
    let mut stream = server.connect();
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: bench\r\nContent-Type: {media_type}\r\n\
         Content-Length: {length}\r\nConnection: close\r\n\r\n{head}"
    );
    stream.write_all(request.as_bytes()).expect("a head");
    let (chunk, mut left) = (vec![b'x'; 64 * 1024], size);
    while left > 0 {
        let count = left.min(chunk.len() as u64);
        stream.write_all(&chunk[..count as usize]).expect("bytes");
        left -= count;
    }
    stream.write_all(end.as_bytes()).expect("an end");
    let answer = answer(stream);
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.ends_with(&size.to_string()),
        "{answer}"
    );
}

fn answer(mut stream: TcpStream) -> String {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

/// Reads an answer without keeping it; returns its lines.
pub fn download(server: &Server, path: &str) -> usize {
    let stream = server.connect();
    let mut stream = BufReader::with_capacity(64 * 1024, stream);
    let request = format!("GET {path} HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n");
    let sent = stream.get_mut().write_all(request.as_bytes());
    sent.expect("a request");
    let mut line = String::new();
    while line != "\r\n" {
        line.clear();
        assert!(stream.read_line(&mut line).expect("a head") > 0);
    }
    let mut chunk = vec![0; 64 * 1024];
    let mut lines = 0;
    let mut end = Vec::new();
    loop {
        let count = stream.read(&mut chunk).expect("bytes");
        if count == 0 {
            break;
        }
        // Each row ends its line, and holds a comma.
        lines += chunk[..count].iter().filter(|byte| **byte == b',').count();
        end = chunk[count.saturating_sub(5)..count].to_vec();
    }
    assert!(end.ends_with(b"\r\n\r\n"), "the answer was cut");
    lines - 1
}
