//! Secrets are never in logs, at any level.

use std::{
    io,
    sync::{Mutex, OnceLock, PoisonError},
};

use formwork::{auth::AccountKind, prelude::*};
use tracing_subscriber::{filter::LevelFilter, fmt::MakeWriter};

use super::kitchen;

/// Everything this program logs.
static LOG: Mutex<Vec<u8>> = Mutex::new(Vec::new());

struct Log;

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LOG.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        Self
    }
}

fn listen() {
    static LISTENING: OnceLock<()> = OnceLock::new();
    LISTENING.get_or_init(|| {
        tracing_subscriber::fmt()
            .with_max_level(LevelFilter::TRACE)
            .with_ansi(false)
            .with_writer(Log)
            .init();
    });
}

fn logged() -> String {
    let log = LOG.lock().unwrap_or_else(PoisonError::into_inner);
    String::from_utf8_lossy(&log).into_owned()
}

#[test]
fn neither_passwords_nor_tokens_nor_bodies_are_logged() {
    listen();
    let service = kitchen();
    service.account(AccountKind::Customer, "dora@example.com");
    let login = |password: &str| {
        let body = json!({"email": "dora@example.com", "password": password, "device_name": "x"});
        service.guest().post("/api/token", body)
    };
    let issued = login("formwork");
    let token = issued.json["token"].as_str().expect("a token").to_owned();
    assert_eq!(login("wr0ng-passw0rd").status, 422);
    let client = service.with_token(&token);
    assert_eq!(client.get("/api/notes?page=1").status, 200);
    let (_, secret) = token.split_once('|').expect("two parts");
    // One letter off, whatever the last one is.
    let last = if secret.ends_with('x') { 'y' } else { 'x' };
    let guessed = format!("{}{last}", &secret[..39]);
    assert_eq!(
        service
            .with_token(format!("1|{guessed}"))
            .get("/api/dishes")
            .status,
        401
    );
    let mangled = r#"{"title": "Br0ken-b0dy"#.to_owned();
    assert_eq!(
        service
            .admin()
            .send("POST", "/api/dishes", Some(mangled))
            .status,
        400
    );
    assert_eq!(
        service
            .admin()
            .post("/api/dishes", json!({"title": "Broken"}))
            .status,
        500
    );

    let log = logged();
    assert!(
        log.contains("/api/token") && log.contains("the stove is cold"),
        "it is the log"
    );
    for hidden in [secret, &guessed, "wr0ng-passw0rd", "Br0ken-b0dy", "Bearer "] {
        assert!(!log.contains(hidden), "{hidden} is in the log");
    }
    assert!(!log.contains("$argon2"), "a hash is in the log");
}
