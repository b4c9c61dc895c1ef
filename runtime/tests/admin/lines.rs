//! Lines about signing in, in the log.

use formwork::{auth::AccountKind, testing::Answer};

use super::{
    Browser, change,
    log::{listen, logged, told_of},
    service,
};

/// The one line about a sign-in.
fn line(answer: &Answer) -> String {
    let lines = told_of(answer);
    assert_eq!(lines.len(), 1, "{answer}: {lines:?}");
    lines.into_iter().next().unwrap_or_default()
}

#[test]
fn successful_and_failed_logins_are_logged() {
    listen();
    let service = service();
    let id = service.account(AccountKind::Admin, "log-chef@example.com");
    service.account(AccountKind::Admin, "log-idle@example.com");
    change(
        &service,
        "UPDATE admin_users SET is_activated = FALSE WHERE username = 'log-idle'",
    );
    let attempt = |login: &str, password: &str| Browser::new(&service).try_sign_in(login, password);
    for (login, password, reason) in [
        ("log-chef", "0ne-guess", "wrong password"),
        ("log-chef@example.com", "1wo-guess", "wrong password"),
        ("log-idle", "formwork", "inactive account"),
        ("log-nobody", "3hree-guess", "unknown account"),
        ("log\n\u{1b}[2J", "4our-guess", "unknown account"),
        ("log-chef", "", "invalid fields"),
        ("", "5ive-guess", "invalid fields"),
    ] {
        let line = line(&attempt(login, password));
        let shown = login.replace('\n', "\\\\n").replace('\u{1b}', "\\\\u{1b}");
        for part in [
            " WARN ",
            "a login was refused",
            "client=\"127.0.0.1\"",
            "place=\"admin area\"",
            "kind=\"admin\"",
            &format!("account=\"{shown}\""),
            &format!("reason=\"{reason}\""),
        ] {
            assert!(line.contains(part), "{part} in {line}");
        }
    }
    let foreign = Browser::new(&service).post_with(
        "x",
        "/login",
        &[("login", "log-chef"), ("password", "6ix-guess")],
    );
    assert_eq!(foreign.status, 403, "{foreign}");
    assert!(line(&foreign).contains("reason=\"form too old, or of another page\""));
    assert!(!logged().contains("-guess"), "a password is in the log");

    // A password that occurs in no other value.
    let hash = service.block_on(formwork::auth::hash_password("s3cret-passw0rd"));
    let sql = "UPDATE admin_users SET password = ?";
    let change = service
        .app()
        .db()
        .execute(sql, [hash.expect("a hash").into()]);
    service.block_on(change).expect("an update");
    let browser = Browser::new(&service);
    let done = browser.try_sign_in("log-chef", "s3cret-passw0rd");
    assert_eq!(done.status, 303, "{done}");
    let line = line(&done);
    for part in [
        " INFO ",
        "admin area: signed in",
        "client=\"127.0.0.1\"",
        &format!("administrator={id}"),
    ] {
        assert!(line.contains(part), "{part} in {line}");
    }
    browser.page("/resources");
    let secret = browser.cookies.borrow()["formwork_admin"].clone();
    let log = logged();
    for hidden in ["s3cret-passw0rd", secret.as_str()] {
        assert!(!log.contains(hidden), "{hidden} is in the log");
    }
}

#[test]
fn too_many_attempts_have_their_own_reason_in_the_log() {
    listen();
    let service = service();
    service.account(AccountKind::Admin, "log-hunted@example.com");
    let attempt = |login: &str| Browser::new(&service).try_sign_in(login, "7even-guess");
    for _ in 0..5 {
        assert!(line(&attempt("log-hunted")).contains("reason=\"wrong password\""));
    }
    let limited = attempt("log-hunted");
    assert_eq!(limited.status, 429, "{limited}");
    assert!(line(&limited).contains("reason=\"too many attempts\""));
    // For its other name the answer does not change; the log has the reason.
    let other = attempt("log-hunted@example.com");
    assert_eq!(other.status, 422, "{other}");
    assert!(line(&other).contains("reason=\"too many attempts\""));
    assert!(!logged().contains("7even-guess"));
}
