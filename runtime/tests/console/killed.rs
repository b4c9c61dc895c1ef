//! A service that is killed while it writes: what it acknowledged is there.

use std::{
    collections::BTreeSet,
    io::{Read, Write},
    net::TcpStream,
    path::Path,
    thread,
    time::Duration,
};

use super::program::{LIBRARY, ask, listening, printed, project, serve, statements};

/// Threads that write at once, and times that the service is killed under them.
const WRITERS: usize = 16;
const KILLS: usize = 3;

/// Accounts that share the writing: each has few changes under way at once.
const ACCOUNTS: usize = 4;

/// SIGKILL, on SQLite.
pub fn acknowledged_writes_survive_a_killed_process() {
    let project = project(&format!("api: {{ rate_limit: 0 }}\n{LIBRARY}"));
    let folder = project.path();
    printed(folder, &["migrate"]);
    let tokens: Vec<String> = (0..ACCOUNTS).map(|it| token(folder, it)).collect();
    let mut acknowledged = BTreeSet::new();
    for round in 0..KILLS {
        let mut service = serve(folder);
        let address = listening(&mut service);
        thread::scope(|scope| {
            let writers: Vec<_> = (0..WRITERS)
                .map(|writer| {
                    let (address, token) = (&*address, &*tokens[writer % ACCOUNTS]);
                    scope.spawn(move || write(address, token, &format!("{round}-{writer}")))
                })
                .collect();
            thread::sleep(Duration::from_millis(700));
            service.kill().expect("a process is killed");
            service.wait().expect("it ends");
            for writer in writers {
                acknowledged.extend(writer.join().expect("a writer"));
            }
        });
    }
    // It starts on what is left.
    let mut service = serve(folder);
    let address = listening(&mut service);
    let ready = ask(&address, "/health/ready", &tokens[0]);
    assert!(ready.starts_with("HTTP/1.1 200"), "{ready}");
    service.kill().expect("a process is killed");
    service.wait().expect("it ends");
    let missing: Vec<_> = acknowledged
        .difference(&stored_titles(folder))
        .cloned()
        .collect();
    assert!(missing.is_empty(), "{missing:?} are missing");
    let enough = WRITERS * KILLS;
    assert!(acknowledged.len() > enough, "{}", acknowledged.len());
}

/// A token of an administrator of its own.
fn token(folder: &Path, account: usize) -> String {
    let email = format!("{account}@example.com");
    let name = format!("admin{account}");
    let mut user = vec!["user", "create", "--email", &email, "--super"];
    user.extend(["--username", &name, "--password", "formwork"]);
    printed(folder, &user);
    let token = ["token", "--name", "x", "--email", &email, "--admin"];
    let line = printed(folder, &token);
    let token = line.strip_prefix("Access Token: ").expect("a token");
    token.trim().to_owned()
}

/// Stores books until the service is gone; the titles of those that it acknowledged.
fn write(address: &str, token: &str, writer: &str) -> Vec<String> {
    let mut acknowledged = Vec::new();
    for number in 0.. {
        let title = format!("{writer}-{number}");
        match stored(address, token, &title) {
            Some(201) => acknowledged.push(title),
            // The database is busy, where the machine is slow.
            Some(503) => {}
            Some(status) => panic!("{status}"),
            None => break,
        }
    }
    acknowledged
}

/// The status of the answer; `None` where there is none.
fn stored(address: &str, token: &str, title: &str) -> Option<u16> {
    let body = format!("{{\"title\": \"{title}\", \"price\": 1}}");
    let request = format!(
        "POST /api/books HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let mut socket = TcpStream::connect(address).ok()?;
    socket.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    // Bytes before a reset count too.
    let _ = socket.read_to_string(&mut answer);
    answer.get(9..12)?.parse().ok()
}

/// The titles in the database, which is not corrupt.
fn stored_titles(folder: &Path) -> BTreeSet<String> {
    assert_eq!(statements(folder, &["PRAGMA integrity_check"]), ["ok"]);
    BTreeSet::from_iter(statements(folder, &["SELECT title FROM books"]))
}
