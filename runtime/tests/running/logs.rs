//! Secrets are never in logs, at any level.

use std::time::Duration;

use formwork::{
    auth::AccountKind,
    data::database::{DatabaseOptions, Db},
    prelude::*,
    testing::Service,
};

use super::{
    config, extensions, kitchen,
    log::{listen, logged, told_of},
};

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

#[test]
fn a_long_path_is_cut_in_the_log() {
    listen();
    let service = kitchen();
    let start = "/api/long-";
    let answer = service
        .guest()
        .get(&format!("{start}{}", "x".repeat(60_000)));
    assert_eq!(answer.status, 404, "{answer}");
    let log = logged();
    let line = log
        .lines()
        .find(|line| line.contains(start))
        .expect("a line");
    assert!(line.len() < 1_000, "{} bytes", line.len());
}

#[test]
fn the_line_of_a_request_that_panics_or_takes_too_long_tells_its_statements() {
    listen();
    let service = Service::with_config(config("api: { request_timeout: 1s }"), extensions());
    let id = service.account(AccountKind::Admin, "log-cook@example.com");
    let client = service.with_token(service.token(AccountKind::Admin, id, &["*"]));
    for (path, status) in [("/api/dishes/13", 500), ("/api/loaves/30000", 503)] {
        let answer = client.get(path);
        assert_eq!(answer.status, status, "{answer}");
        let id = answer.header("x-request-id").expect("an id");
        let log = logged();
        let mut lines = log.lines();
        let line = lines.find(|line| line.contains(id) && line.contains("duration_ms="));
        let line = line.expect("a line");
        assert!(!line.contains("statements=0"), "the token was read: {line}");
    }
}

/// The one line about a login that was refused.
fn refusal(answer: &formwork::testing::Answer) -> String {
    let lines = told_of(answer);
    assert_eq!(lines.len(), 1, "{answer}: {lines:?}");
    let line = lines.into_iter().next().unwrap_or_default();
    assert!(
        line.contains(" WARN ") && line.contains("a login was refused"),
        "{line}"
    );
    line
}

#[test]
fn a_failed_login_has_a_line_of_its_own() {
    listen();
    let service = kitchen();
    service.account(AccountKind::Customer, "log-erna@example.com");
    service.account(AccountKind::Customer, "log-idle@example.com");
    service.account(AccountKind::Admin, "log-boss@example.com");
    let idle = "UPDATE api_customers SET is_activated = 0 WHERE email LIKE 'log-idle%'";
    let idle = service.app().db().execute(idle, []);
    service.block_on(idle).expect("an update");
    let login = |field: &str, name: &str, password: &str| {
        let body = json!({field: name, "password": password, "device_name": "till"});
        service.guest().post("/api/token", body)
    };
    for (field, name, password, kind, reason) in [
        (
            "email",
            "log-erna@example.com",
            "0ne-guess",
            "customer",
            "wrong password",
        ),
        (
            "email",
            "log-idle@example.com",
            "formwork",
            "customer",
            "inactive account",
        ),
        (
            "email",
            "log-idle@example.com",
            "1wo-guess",
            "customer",
            "wrong password",
        ),
        (
            "email",
            "log-none@example.com",
            "3hree-guess",
            "customer",
            "unknown account",
        ),
        (
            "username",
            "log-boss",
            "4our-guess",
            "admin",
            "wrong password",
        ),
        (
            "email",
            "log-erna",
            "5ive-guess",
            "customer",
            "invalid fields",
        ),
        (
            "email",
            "log-erna@example.com",
            "",
            "customer",
            "invalid fields",
        ),
    ] {
        let line = refusal(&login(field, name, password));
        for part in [
            "client=\"127.0.0.1\"",
            "place=\"token\"",
            &format!("kind=\"{kind}\""),
            &format!("account=\"{name}\""),
            &format!("reason=\"{reason}\""),
        ] {
            assert!(line.contains(part), "{part} in {line}");
        }
    }
    for _ in 0..4 {
        login("email", "log-erna@example.com", "6ix-guess");
    }
    let answer = login("email", "log-erna@example.com", "6ix-guess");
    assert_eq!(answer.status, 429, "{answer}");
    assert!(refusal(&answer).contains("reason=\"too many attempts\""));
    // Attempts with unknown accounts are logged as such, however many.
    for number in 0..7 {
        let answer = login("email", &format!("log-{number}@example.com"), "7even-guess");
        assert!(refusal(&answer).contains("reason=\"unknown account\""));
    }
    let log = logged();
    assert!(!log.contains("-guess"), "a password is in the log");

    // A successful login has only the line of the request.
    assert_eq!(told_of(&login("username", "log-boss", "formwork")), [""; 0]);
}

#[test]
fn names_in_the_log_are_escaped_and_bounded() {
    listen();
    let service = kitchen();
    let login = |name: &str| {
        let body = json!({"username": name, "password": "hidden-guess", "device_name": "till"});
        refusal(&service.guest().post("/api/token", body))
    };
    let line = login("a\n2026 INFO b\u{1b}[31m\u{202e}\u{85}\u{7f} \" reason=\"none\\");
    for raw in ['\n', '\u{1b}', '\u{202e}', '\u{85}', '\u{7f}'] {
        assert!(!line.contains(raw), "{raw:?} in {line}");
    }
    assert!(line.contains("u{1b}") && line.contains("u{202e}"), "{line}");
    assert!(!line.contains(" reason=\"none"), "{line}");
    for long in ["x".repeat(100_000), "\u{202e}".repeat(100_000)] {
        let line = login(&long);
        assert!(line.len() < 2_000, "{} bytes", line.len());
        assert!(line.contains('…'), "{line}");
    }
    // Values that are no text are not shown.
    let body = json!({"email": {"of": "hidden-guess"}, "password": ["hidden-guess"]});
    let line = refusal(&service.guest().post("/api/token", body));
    assert!(line.contains("account=\"\""), "{line}");
    assert!(!logged().contains("hidden-guess"));
}

#[test]
fn the_address_of_a_failed_login_is_the_clients() {
    listen();
    let config = config("api: { trusted_proxies: [127.0.0.1] }");
    let service = Service::with_config(config, extensions());
    let client = service
        .guest()
        .header("X-Forwarded-For", "2001:db8:1:2:3:4:5:6");
    let body = json!({"email": "log-far@example.com", "password": "x", "device_name": "till"});
    let line = refusal(&client.post("/api/token", body));
    // Whole, where a /64 is counted together.
    assert!(line.contains("client=\"2001:db8:1:2:3:4:5:6\""), "{line}");
}

#[tokio::test]
async fn a_slow_statement_is_logged_without_its_values() {
    listen();
    let slow = |after| DatabaseOptions {
        slow_statement: after,
        ..DatabaseOptions::new("sqlite::memory:")
    };
    for (after, column) in [
        (Some(Duration::from_nanos(1)), "slow_one"),
        (Some(Duration::from_secs(60)), "quick_one"),
        (None, "never_told"),
    ] {
        let db = Db::connect(&slow(after)).await.expect("a database");
        let sql = format!("SELECT ? AS {column}");
        let rows = db.rows(sql, vec![Value::from("s3cret")]).await;
        assert_eq!(rows.expect("a row").len(), 1);
    }
    let log = logged();
    let lines = log.lines().filter(|line| line.contains("slow statement"));
    let lines: Vec<&str> = lines.filter(|line| line.contains("_one")).collect();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].contains("WARN") && lines[0].contains("slow_one"),
        "{lines:?}"
    );
    assert!(
        !log.contains("never_told") && !lines[0].contains("s3cret"),
        "{lines:?}"
    );
}
