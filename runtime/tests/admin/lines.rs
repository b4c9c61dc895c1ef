//! Lines about signing in, in the log.

use formwork::{auth::AccountKind, testing::Answer};

use super::{
    Browser, Page, change,
    log::{listen, logged, told_of},
    service, set_password,
};

/// Returns the one line about a sign-in.
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
        line.must_contain([" WARN ", "a login was refused", "client=\"127.0.0.1\""]);
        line.must_contain(["place=\"admin area\"", "kind=\"admin\""]);
        line.must_contain([
            format!("account=\"{shown}\""),
            format!("reason=\"{reason}\""),
        ]);
    }
    let fields = [("login", "log-chef"), ("password", "6ix-guess")];
    let foreign = Browser::new(&service).post_with("x", "/login", &fields);
    assert_eq!(foreign.status, 403, "{foreign}");
    line(&foreign).must_contain(["reason=\"form too old, or of another page\""]);
    assert!(!logged().contains("-guess"), "a password is in the log");

    // A password that occurs in no other value.
    set_password(&service, "s3cret-passw0rd");
    let browser = Browser::new(&service);
    let done = browser.try_sign_in("log-chef", "s3cret-passw0rd");
    assert_eq!(done.status, 303, "{done}");
    let line = line(&done);
    line.must_contain([" INFO ", "admin area: signed in", "client=\"127.0.0.1\""]);
    line.must_contain([format!("administrator={id}")]);
    browser.page("/resources");
    logged().must_lack(["s3cret-passw0rd", &browser.secret()]);
}

#[test]
fn too_many_attempts_have_their_own_reason_in_the_log() {
    listen();
    let service = service();
    service.account(AccountKind::Admin, "log-hunted@example.com");
    let attempt = |login: &str| Browser::new(&service).try_sign_in(login, "7even-guess");
    for _ in 0..5 {
        line(&attempt("log-hunted")).must_contain(["reason=\"wrong password\""]);
    }
    // For its other name the response does not change; the log has the reason.
    for (login, status) in [("log-hunted", 429), ("log-hunted@example.com", 422)] {
        let limited = attempt(login);
        assert_eq!(limited.status, status, "{limited}");
        line(&limited).must_contain(["reason=\"too many attempts\""]);
    }
    assert!(!logged().contains("7even-guess"));
}
