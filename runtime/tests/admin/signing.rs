//! Signing in and out, and permissions.

use std::time::{Duration, Instant};

use formwork::{
    auth::AccountKind,
    data::{database::Dialect, value::Json},
};

use super::{
    Browser, Page, area,
    browser::{assert_redirect, csrf},
    change, change_with, column, configured, on_sqlite, service,
};

#[test]
fn pages_without_a_session_lead_to_the_login_form() {
    let browser = Browser::new(&service());
    for (page, next) in [
        ("", ""),
        ("/", ""),
        ("/resources", "?next=resources"),
        ("/resources/1", "?next=resources%2F1"),
        ("/resources/1/edit", "?next=resources%2F1%2Fedit"),
        ("/tokens", "?next=tokens"),
    ] {
        assert_redirect(&browser.get(page), &format!("/admin/login{next}"));
    }
    for (form, next) in [
        ("/resources/delete", "?next=resources%2Fdelete%3Fids%3D1"),
        ("/tokens/delete", "?next=tokens%2Fdelete%3Fids%3D1"),
        ("/logout", ""),
    ] {
        let answer = browser.post_with("x", form, &[("ids", "1"), ("confirmed", "1")]);
        assert_redirect(&answer, &format!("/admin/login{next}"));
    }
    let answer = browser.post_with("x", "/resources/1/edit", &[("name", "x")]);
    assert_eq!(answer.status, 403, "{answer}");
    answer.body.must_contain(["<h1>Sign in</h1>"]);
    let page = browser.page("/login");
    page.must_contain(["<label for=\"password\">"]);
    page.must_lack(["/tokens"]);
}

#[test]
fn username_and_email_sign_in_and_out() {
    let (service, browser) = area();
    browser.must_show("/resources", ["Sign out"]);
    let secret = browser.secret();
    assert_eq!(browser.get("/login").status, 303, "signed in already");

    // The session ends, not only the cookie: a copy of the cookie does not work any more.
    let answer = browser.post("/resources", "/logout", &[]);
    assert_redirect(&answer, "/admin/login");
    assert!(!browser.cookies.borrow().contains_key("formwork_admin"));
    browser.set_secret(&secret);
    assert_eq!(browser.get("/resources").status, 303);

    let other = Browser::new(&service);
    other.sign_in(" CHEF@example.com ", "formwork");
    other.page("/resources");
}

#[test]
fn the_cookie_is_kept_from_scripts_and_other_sites() {
    for (yaml, expected) in [
        ("admin: { path: /back/office }", "Path=/back/office"),
        (
            "api: { base_url: 'https://bistro.example' }",
            "Secure; Path=/admin",
        ),
    ] {
        let service = configured(yaml);
        service.account(AccountKind::Admin, "chef@example.com");
        let answer = Browser::new(&service).try_sign_in("chef", "formwork");
        let line = answer.header("set-cookie").expect("a cookie");
        let (_, attributes) = line.split_once(';').expect("attributes");
        let expected = format!(" HttpOnly; SameSite=Strict; {expected}");
        assert_eq!(attributes, expected);
    }
}

#[test]
fn failed_logins_get_one_message_and_are_counted() {
    let service = service();
    service.account(AccountKind::Admin, "chef@example.com");
    service.account(AccountKind::Admin, "asleep@example.com");
    service.account(AccountKind::Customer, "guest@example.com");
    change(
        &service,
        "UPDATE admin_users SET is_activated = FALSE WHERE username = 'asleep'",
    );
    let refused = |login: &str, password: &str| {
        let answer = Browser::new(&service).try_sign_in(login, password);
        assert_eq!(answer.status, 422, "{login}: {answer}");
        answer.body
    };
    for (login, password) in [
        ("chef", "wrong"),
        ("nobody", "formwork"),
        ("asleep", "formwork"),
        ("guest@example.com", "formwork"),
    ] {
        let page = refused(login, password);
        page.must_contain(["id=\"login-error\">The provided credentials are incorrect.<"]);
    }
    let missing = refused("", "");
    missing.must_contain(["The username or e-mail field is required."]);
    missing.must_contain(["The password field is required."]);

    // One account, here and at the token endpoint: five attempts a minute.
    for _ in 0..2 {
        refused("chef", "wrong");
    }
    let body = [
        ("username", "chef"),
        ("password", "wrong"),
        ("device_name", "x"),
    ];
    let issue = || {
        service
            .guest()
            .post("/api/token", Json::from_iter(body))
            .status
    };
    assert_eq!([issue(), issue()], [422, 422]);
    let limited = Browser::new(&service).try_sign_in("chef", "formwork");
    assert_eq!(limited.status, 429, "{limited}");
    assert!(limited.header("retry-after").is_some());
    limited.body.must_contain(["Too many attempts."]);
    assert_eq!(issue(), 429);
}

#[test]
fn failed_logins_take_the_same_time() {
    let service = service();
    service.account(AccountKind::Admin, "chef@example.com");
    for login in ["chef", "nobody"] {
        let browser = Browser::new(&service);
        let token = csrf(&browser.page("/login"));
        let began = Instant::now();
        browser.post_with(&token, "/login", &[("login", login), ("password", "wrong")]);
        // The floor of the token endpoint: no rejection is sent sooner.
        assert!(began.elapsed() >= Duration::from_millis(400), "{login}");
    }
}

#[test]
fn users_without_permission_get_an_explanation_and_can_sign_out() {
    let (service, browser) = area();
    change(&service, "UPDATE admin_users SET super_user = FALSE");
    for page in [
        "",
        "/resources",
        "/tokens",
        "/resources/1",
        "/resources/1/edit",
    ] {
        let answer = browser.get(page);
        assert_eq!(answer.status, 403, "{page}: {answer}");
        answer.body.must_contain(["Ext.Api.Manage", "Sign out"]);
    }
    let token = csrf(&browser.get("/resources").body);
    for form in ["/resources/delete", "/tokens/delete", "/resources/1/edit"] {
        let fields = [("ids", "1"), ("confirmed", "1")];
        let answer = browser.post_with(&token, form, &fields);
        assert_eq!(answer.status, 403, "{form}");
    }
    for (permissions, status) in [
        ("'[\"Ext.Api.Manage\"]'", 200),
        ("'[\"Ext.Api.*\"]'", 200),
        ("'[\"Ext.Other\"]'", 403),
        ("'{'", 403),
        ("NULL", 403),
    ] {
        // Servers refuse to store invalid JSON.
        if permissions == "'{'" && !on_sqlite(&service) {
            continue;
        }
        let sql = format!("UPDATE admin_users SET permissions = {permissions}");
        change(&service, sql.leak());
        assert_eq!(browser.get("/resources").status, status, "{permissions}");
    }
    assert_eq!(browser.post_with(&token, "/logout", &[]).status, 303);
    assert_eq!(browser.get("/resources").status, 303);
}

#[test]
fn a_password_that_changes_during_a_login_opens_no_session() {
    let service = service();
    service.account(AccountKind::Admin, "chef@example.com");
    // The login is recorded after the password was verified, before the session begins.
    let trigger: &[&str] = match service.app().db().dialect() {
        Dialect::Sqlite => &[
            "CREATE TRIGGER meanwhile AFTER UPDATE OF last_login ON admin_users BEGIN \
             UPDATE admin_users SET password = 'another' WHERE user_id = NEW.user_id; END",
        ],
        Dialect::Mysql => &[
            "CREATE TRIGGER meanwhile BEFORE UPDATE ON admin_users FOR EACH ROW \
             SET NEW.password = 'another'",
        ],
        _ => &[
            "CREATE FUNCTION meanwhile() RETURNS trigger LANGUAGE plpgsql AS \
             $$ BEGIN NEW.password = 'another'; RETURN NEW; END $$",
            "CREATE TRIGGER meanwhile BEFORE UPDATE OF last_login ON admin_users \
             FOR EACH ROW EXECUTE FUNCTION meanwhile()",
        ],
    };
    for sql in trigger {
        change(&service, sql);
    }
    let browser = Browser::new(&service);
    browser.try_sign_in("chef", "formwork");
    assert_redirect(&browser.get("/resources"), "/admin/login?next=resources");
}

#[test]
fn an_older_hash_is_upgraded_and_the_session_lasts() {
    let service = service();
    service.account(AccountKind::Admin, "chef@example.com");
    // bcrypt, as in the reference.
    let hash = "$2y$04$5f1nPKBBLm0JbU0aeWZZ7uQqQwqSbcTGm013ta68SF0fGaw0sCU8C";
    change_with(
        &service,
        "UPDATE admin_users SET password = ?",
        [hash.into()],
    );
    let browser = Browser::new(&service);
    browser.sign_in("chef", "formwork");
    browser.page("/resources");
    let stored = column(&service, "SELECT password FROM admin_users");
    assert!(stored[0].to_string().starts_with("$argon2id$"));
}
