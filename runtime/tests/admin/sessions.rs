//! Sessions: when they begin and end, and what is stored of them.

use std::time::{Duration, Instant};

use formwork::{auth::AccountKind, literal::datetime};

use super::{
    Browser, area, browser::csrf, change, change_with, column, service, set_password,
    signed_in_again,
};

#[test]
fn each_sign_in_has_a_session_of_its_own() {
    let service = service();
    service.account(AccountKind::Admin, "chef@example.com");
    let browser = Browser::new(&service);
    let token = csrf(&browser.page("/login"));
    let sign_in = || {
        let fields = [("login", "chef"), ("password", "formwork")];
        let answer = browser.post_with(&token, "/login", &fields);
        assert_eq!(answer.status, 303, "{answer}");
        browser.secret()
    };
    let (first, second) = (sign_in(), sign_in());
    assert_ne!(first, second);
    browser.page("/resources");
    let stolen = Browser::new(&service);
    stolen.set_secret(&first);
    let answer = stolen.get("/resources");
    assert_eq!(answer.status, 303, "the previous session is over");
    // A previous cookie is replaced when the person signs in (session fixation).
    let fixed = Browser::new(&service);
    fixed.set_secret(&"a".repeat(40));
    fixed.sign_in("chef", "formwork");
    assert!(!["a".repeat(40), first, second].contains(&fixed.secret()));
}

#[test]
fn a_session_ends_with_account_password_and_time() {
    let (service, browser) = area();
    let open = || {
        let browser = signed_in_again(&service);
        browser.page("/resources");
        browser
    };
    change(&service, "UPDATE admin_users SET is_activated = FALSE");
    assert_eq!(browser.get("/resources").status, 303);
    change(&service, "UPDATE admin_users SET is_activated = TRUE");
    assert_eq!(browser.get("/resources").status, 303, "it is over for good");

    let browser = open();
    set_password(&service, "formwork");
    let answer = browser.get("/resources");
    assert_eq!(answer.status, 303, "another hash is another password");

    for sql in [
        "UPDATE admin_sessions SET created_at = ?",
        "UPDATE admin_sessions SET used_at = ?",
    ] {
        let browser = open();
        change_with(&service, sql, [datetime("2026-01-01T00:00:00Z").into()]);
        assert_eq!(browser.get("/resources").status, 303, "{sql}");
    }
    // Signing in deletes expired sessions.
    open();
    let rows = column(&service, "SELECT count(*) FROM admin_sessions");
    assert_eq!(rows[0].as_int(), Some(1));
    change(&service, "DELETE FROM admin_users");
}

#[test]
fn a_session_knows_when_it_was_used() {
    let (service, browser) = area();
    let used = || column(&service, "SELECT used_at FROM admin_sessions")[0].to_string();
    let hour_ago = service.app().now() - Duration::from_secs(60 * 60);
    change_with(
        &service,
        "UPDATE admin_sessions SET used_at = ?",
        [hour_ago.into()],
    );
    let before = used();
    browser.page("/resources");
    // It is written alongside the request.
    let began = Instant::now();
    while used() == before {
        assert!(began.elapsed() < Duration::from_secs(60), "never written");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn no_secret_is_stored() {
    let (service, browser) = area();
    for sql in [
        "SELECT secret FROM admin_sessions",
        "SELECT password FROM admin_sessions",
    ] {
        let stored = column(&service, sql)[0].to_string();
        assert!(!stored.contains(&browser.secret()), "{sql}");
        assert!(!stored.contains("argon"), "{sql}");
    }
}
