//! Secrets are never in logs, at any level.

use std::time::Duration;

use formwork::{
    auth::AccountKind,
    data::database::{DatabaseOptions, Db},
    prelude::*,
    testing::{Answer, Client},
};

use super::{
    configured, kitchen,
    log::{listen, logged, told_of},
    support::{Expect, at_once, check, check_as, execute},
};

/// Requests a token with this login.
fn login(client: &Client<'_>, field: &str, name: &str, password: &str) -> Answer {
    let body = json!({field: name, "password": password, "device_name": "till"});
    client.post("/api/token", body)
}

#[test]
fn neither_passwords_nor_tokens_nor_bodies_are_logged() {
    listen();
    let service = kitchen();
    let dora = "dora@example.com";
    service.account(AccountKind::Customer, dora);
    let guest = service.guest();
    let issued = login(&guest, "email", dora, "formwork");
    login(&guest, "email", dora, "wr0ng-passw0rd").expect(422);
    let token = issued.json["token"].as_str().expect("a token");
    let (_, secret) = token.split_once('|').expect("two parts");
    // One character off, whatever the last one is.
    let last = if secret.ends_with('x') { 'y' } else { 'x' };
    let guessed = format!("{}{last}", &secret[..39]);
    let client = service.with_token(token);
    let guess = service.with_token(format!("1|{guessed}"));
    let lines = r#"
        dora  GET  /api/notes?page=1                => 200
        guess GET  /api/dishes                      => 401
        admin POST /api/dishes {"title": "Br0ken-b0dy" => 400
        admin POST /api/dishes {"title": "Broken"}  => 500"#;
    check_as(&service, &[("dora", &client), ("guess", &guess)], lines);
    let log = logged();
    let is_log = log.contains("/api/token") && log.contains("the stove is cold");
    assert!(is_log, "it is the log");
    for hidden in [
        secret,
        &guessed,
        "wr0ng-passw0rd",
        "Br0ken-b0dy",
        "Bearer ",
        "$argon2",
    ] {
        assert!(!log.contains(hidden), "{hidden} is in the log");
    }
}

#[test]
fn a_long_path_is_cut_in_the_log() {
    listen();
    let start = "/api/long-";
    let line = format!("guest GET {start}{} => 404", "x".repeat(60_000));
    check(&kitchen(), &line);
    let log = logged();
    let line = log.lines().find(|line| line.contains(start));
    let length = line.expect("a line").len();
    assert!(length < 1_000, "{length} bytes");
}

#[test]
fn the_line_of_a_request_that_panics_or_takes_too_long_tells_its_statements() {
    listen();
    let service = configured("api: { request_timeout: 1s }");
    let id = service.account(AccountKind::Admin, "log-cook@example.com");
    let client = service.with_token(service.token(AccountKind::Admin, id, &["*"]));
    for (path, status) in [("/api/dishes/13", 500), ("/api/loaves/30000", 503)] {
        let answer = client.get(path).expect(status);
        let id = answer.header("x-request-id").expect("an id");
        let log = logged();
        let mut lines = log.lines();
        let line = lines.find(|line| line.contains(id) && line.contains("duration_ms="));
        let line = line.expect("a line");
        assert!(!line.contains("statements=0"), "the token was read: {line}");
    }
}

/// The one line about a login that was rejected.
fn rejection(answer: &Answer) -> String {
    let mut lines = told_of(answer);
    assert_eq!(lines.len(), 1, "{answer}: {lines:?}");
    let line = lines.remove(0);
    let is_warning = line.contains(" WARN ") && line.contains("a login was refused");
    assert!(is_warning, "{line}");
    line
}

#[test]
fn a_failed_login_has_a_line_of_its_own() {
    listen();
    let service = kitchen();
    for email in ["log-erna@example.com", "log-idle@example.com"] {
        service.account(AccountKind::Customer, email);
    }
    service.account(AccountKind::Admin, "log-boss@example.com");
    let idle = "UPDATE api_customers SET is_activated = 0 WHERE email LIKE 'log-idle%'";
    execute(&service, idle, []);
    let attempts = [
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
    ];
    at_once(attempts.len(), |at| {
        let (field, name, password, kind, reason) = attempts[at];
        let line = rejection(&login(&service.guest(), field, name, password));
        let account = format!("kind=\"{kind}\" account=\"{name}\"");
        let reason = format!("reason=\"{reason}\"");
        for part in ["client=\"127.0.0.1\"", "place=\"token\"", &account, &reason] {
            assert!(line.contains(part), "{part} in {line}");
        }
    });
    let erna = |_| {
        login(
            &service.guest(),
            "email",
            "log-erna@example.com",
            "6ix-guess",
        )
    };
    at_once(4, erna);
    let answer = erna(0).expect(429);
    assert!(rejection(&answer).contains("reason=\"too many attempts\""));
    // Attempts with unknown accounts are logged as such, however many.
    let unknown = |number| format!("log-{number}@example.com");
    let answers = at_once(7, |number| {
        login(&service.guest(), "email", &unknown(number), "7even-guess")
    });
    for answer in answers {
        assert!(rejection(&answer).contains("reason=\"unknown account\""));
    }
    assert!(!logged().contains("-guess"), "a password is in the log");
    // A successful login has only the line of the request.
    let answer = login(&service.guest(), "username", "log-boss", "formwork");
    assert_eq!(told_of(&answer), [""; 0]);
}

#[test]
fn names_in_the_log_are_escaped_and_bounded() {
    listen();
    let service = kitchen();
    let login = |name: &str| rejection(&login(&service.guest(), "username", name, "hidden-guess"));
    let line = login("a\n2026 INFO b\u{1b}[31m\u{202e}\u{85}\u{7f} \" reason=\"none\\");
    for raw in [
        "\n",
        "\u{1b}",
        "\u{202e}",
        "\u{85}",
        "\u{7f}",
        " reason=\"none",
    ] {
        assert!(!line.contains(raw), "{raw:?} in {line}");
    }
    assert!(line.contains("u{1b}") && line.contains("u{202e}"), "{line}");
    let long = ["x".repeat(15_000), "\u{202e}".repeat(5_000)];
    for line in at_once(long.len(), |at| login(&long[at])) {
        assert!(line.len() < 2_000 && line.contains('…'), "{line}");
    }
    // Values that are no text are not shown.
    let body = json!({"email": {"of": "hidden-guess"}, "password": ["hidden-guess"]});
    let line = rejection(&service.guest().post("/api/token", body));
    assert!(line.contains("account=\"\""), "{line}");
    assert!(!logged().contains("hidden-guess"));
}

#[test]
fn the_address_of_a_failed_login_is_the_clients() {
    listen();
    let service = configured("api: { trusted_proxies: [127.0.0.1] }");
    let address = "2001:db8:1:2:3:4:5:6";
    let client = service.guest().header("X-Forwarded-For", address);
    let line = rejection(&login(&client, "email", "log-far@example.com", "x"));
    // Complete, though a /64 is counted together.
    assert!(line.contains(&format!("client=\"{address}\"")), "{line}");
}

#[tokio::test]
async fn a_slow_statement_is_logged_without_its_values() {
    listen();
    for (slow_statement, column) in [
        (Some(Duration::from_nanos(1)), "slow_one"),
        (Some(Duration::from_secs(60)), "quick_one"),
        (None, "never_told"),
    ] {
        let options = DatabaseOptions {
            slow_statement,
            ..DatabaseOptions::new("sqlite::memory:")
        };
        let db = Db::connect(&options).await.expect("a database");
        let sql = format!("SELECT ? AS {column}");
        let rows = db.rows(sql, vec![Value::from("s3cret")]).await;
        assert_eq!(rows.expect("a row").len(), 1);
    }
    let log = logged();
    let lines = log.lines().filter(|line| line.contains("slow statement"));
    let lines: Vec<&str> = lines
        .filter(|it| it.contains("_one") || it.contains("never"))
        .collect();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].contains("WARN") && lines[0].contains("slow_one"),
        "{lines:?}"
    );
    assert!(!lines[0].contains("s3cret"), "{lines:?}");
}
