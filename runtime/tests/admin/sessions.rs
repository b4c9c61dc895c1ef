//! Sessions: when they begin and end, and what is stored of them.

use std::time::{Duration, Instant};

use formwork::{
    auth::{AccountKind, hash_password},
    literal::datetime,
};

use super::{Browser, change, change_with, service, signed_in};

#[test]
fn each_sign_in_has_a_session_of_its_own() {
    let service = service();
    service.account(AccountKind::Admin, "chef@example.com");
    let browser = Browser::new(&service);
    let token = super::browser::csrf(&browser.page("/login"));
    let secret = || {
        let words = [("login", "chef"), ("password", "formwork")];
        let answer = browser.post_with(&token, "/login", &words);
        assert_eq!(answer.status, 303, "{answer}");
        browser.cookies.borrow()["formwork_admin"].clone()
    };
    let (first, second) = (secret(), secret());
    assert_ne!(first, second);
    browser.page("/resources");
    let stolen = Browser::new(&service);
    stolen
        .cookies
        .borrow_mut()
        .insert("formwork_admin".to_owned(), first.clone());
    assert_eq!(
        stolen.get("/resources").status,
        303,
        "the one before is over"
    );
    // A cookie from before is replaced when the person signs in (session fixation).
    let fixed = Browser::new(&service);
    fixed
        .cookies
        .borrow_mut()
        .insert("formwork_admin".to_owned(), "a".repeat(40));
    fixed.sign_in("chef", "formwork");
    assert_ne!(fixed.cookies.borrow()["formwork_admin"], "a".repeat(40));
    assert_ne!(fixed.cookies.borrow()["formwork_admin"], first);
}

#[test]
fn a_session_ends_with_account_password_and_time() {
    let service = service();
    service.account(AccountKind::Admin, "chef@example.com");
    let fresh = || {
        let browser = Browser::new(&service);
        browser.sign_in("chef", "formwork");
        browser.page("/resources");
        browser
    };
    let browser = fresh();
    change(&service, "UPDATE admin_users SET is_activated = FALSE");
    assert_eq!(browser.get("/resources").status, 303);
    change(&service, "UPDATE admin_users SET is_activated = TRUE");
    assert_eq!(browser.get("/resources").status, 303, "it is over for good");

    let browser = fresh();
    let hash = service.block_on(hash_password("formwork")).expect("a hash");
    let sql = "UPDATE admin_users SET password = ?";
    service
        .block_on(
            service
                .app()
                .db()
                .execute(sql, [formwork::data::value::Value::from(hash)]),
        )
        .expect("an update");
    assert_eq!(
        browser.get("/resources").status,
        303,
        "another hash is another password"
    );

    for over in [
        "UPDATE admin_sessions SET created_at = ?",
        "UPDATE admin_sessions SET used_at = ?",
    ] {
        let browser = fresh();
        change_with(&service, over, [datetime("2026-01-01T00:00:00Z").into()]);
        assert_eq!(browser.get("/resources").status, 303, "{over}");
    }
    // Signing in sweeps what is over.
    fresh();
    let rows = service
        .app()
        .db()
        .rows("SELECT count(*) FROM admin_sessions", []);
    let rows = service.block_on(rows).expect("a count");
    assert_eq!(rows[0][0].as_int(), Some(1));
    change(&service, "DELETE FROM admin_users");
}

#[test]
fn a_session_knows_when_it_was_used() {
    let service = service();
    let browser = signed_in(&service);
    let used = || {
        let rows = service
            .app()
            .db()
            .rows("SELECT used_at FROM admin_sessions", []);
        service.block_on(rows).expect("a row")[0][0].to_string()
    };
    let hour_ago = service.app().now() - Duration::from_secs(60 * 60);
    change_with(
        &service,
        "UPDATE admin_sessions SET used_at = ?",
        [hour_ago.into()],
    );
    let before = used();
    browser.page("/resources");
    // Beside the request: it is written soon.
    let began = Instant::now();
    while used() == before {
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "it is never written"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn no_secret_is_stored() {
    let service = service();
    let browser = signed_in(&service);
    let secret = browser.cookies.borrow()["formwork_admin"].clone();
    let rows = service
        .app()
        .db()
        .rows("SELECT secret, password FROM admin_sessions", []);
    let rows = service.block_on(rows).expect("a row");
    for value in &rows[0] {
        assert!(!value.to_string().contains(&secret) && !value.to_string().contains("argon"));
    }
}
