//! Signing in and out, and permissions.

use std::time::{Duration, Instant};

use formwork::{auth::AccountKind, data::database::Dialect, testing::Service};

use super::{Browser, change, config, extensions, on_sqlite, service, signed_in};

#[test]
fn pages_without_a_session_lead_to_the_login_form() {
    let service = service();
    let browser = Browser::new(&service);
    for (page, next) in [
        ("", ""),
        ("/", ""),
        ("/resources", "?next=resources"),
        ("/resources/1", "?next=resources%2F1"),
        ("/resources/1/edit", "?next=resources%2F1%2Fedit"),
        ("/tokens", "?next=tokens"),
    ] {
        let answer = browser.get(page);
        let there = format!("/admin/login{next}");
        assert_eq!(
            (answer.status, answer.header("location")),
            (303, Some(there.as_str())),
            "{page}"
        );
    }
    for (form, next) in [
        ("/resources/delete", "?next=resources%2Fdelete%3Fids%3D1"),
        ("/tokens/delete", "?next=tokens%2Fdelete%3Fids%3D1"),
        ("/logout", ""),
    ] {
        let answer = browser.post_with("x", form, &[("ids", "1"), ("confirmed", "1")]);
        let there = format!("/admin/login{next}");
        assert_eq!(
            (answer.status, answer.header("location")),
            (303, Some(there.as_str())),
            "{form}"
        );
    }
    let answer = browser.post_with("x", "/resources/1/edit", &[("name", "x")]);
    assert_eq!(answer.status, 403, "{answer}");
    assert!(answer.body.contains("<h1>Sign in</h1>"), "{answer}");
    let page = browser.page("/login");
    assert!(page.contains("<label for=\"password\">"), "{page}");
    assert!(!page.contains("/tokens"), "{page}");
}

#[test]
fn username_and_email_sign_in_and_out() {
    let service = service();
    let browser = signed_in(&service);
    assert!(browser.page("/resources").contains("Sign out"));
    let secret = browser.cookies.borrow()["formwork_admin"].clone();
    assert_eq!(
        browser.get("/login").status,
        303,
        "there is nothing to do there"
    );

    // The session, not the cookie, ends: a copy of the cookie does not work any more.
    let answer = browser.post("/resources", "/logout", &[]);
    assert_eq!(
        (answer.status, answer.header("location")),
        (303, Some("/admin/login"))
    );
    assert!(!browser.cookies.borrow().contains_key("formwork_admin"));
    browser
        .cookies
        .borrow_mut()
        .insert("formwork_admin".to_owned(), secret);
    assert_eq!(browser.get("/resources").status, 303);

    let other = Browser::new(&service);
    other.sign_in(" CHEF@example.com ", "formwork");
    other.page("/resources");
}

#[test]
fn the_cookie_is_kept_from_scripts_and_other_sites() {
    let line = |yaml: &str| {
        let service = Service::with_config(config(yaml), extensions());
        service.account(AccountKind::Admin, "chef@example.com");
        let browser = Browser::new(&service);
        let answer = browser.try_sign_in("chef", "formwork");
        answer.header("set-cookie").expect("a cookie").to_owned()
    };
    let plain = line("admin: { path: /back/office }");
    let (_, attributes) = plain.split_once(';').expect("attributes");
    assert_eq!(attributes, " HttpOnly; SameSite=Strict; Path=/back/office");
    let secure = line("api: { base_url: 'https://bistro.example' }");
    assert!(
        secure.ends_with("; HttpOnly; SameSite=Strict; Secure; Path=/admin"),
        "{secure}"
    );
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
        let error = answer
            .body
            .split("id=\"login-error\">")
            .nth(1)
            .unwrap_or_default();
        error.split('<').next().unwrap_or_default().to_owned()
    };
    for (login, password) in [
        ("chef", "wrong"),
        ("nobody", "formwork"),
        ("asleep", "formwork"),
        ("guest@example.com", "formwork"),
    ] {
        let told = refused(login, password);
        assert_eq!(told, "The provided credentials are incorrect.", "{login}");
    }
    let missing = Browser::new(&service).try_sign_in("", "");
    assert_eq!(missing.status, 422);
    assert!(
        missing
            .body
            .contains("The username or e-mail field is required."),
        "{missing}"
    );
    assert!(
        missing.body.contains("The password field is required."),
        "{missing}"
    );

    // One account, here and at the token endpoint: five attempts a minute.
    for _ in 0..2 {
        refused("chef", "wrong");
    }
    let body = formwork::data::value::Json::from_iter([
        ("username", "chef"),
        ("password", "wrong"),
        ("device_name", "x"),
    ]);
    for _ in 0..2 {
        assert_eq!(service.guest().post("/api/token", body.clone()).status, 422);
    }
    let limited = Browser::new(&service).try_sign_in("chef", "formwork");
    assert_eq!(limited.status, 429, "{limited}");
    assert!(limited.header("retry-after").is_some());
    assert!(limited.body.contains("Too many attempts."), "{limited}");
    assert_eq!(service.guest().post("/api/token", body).status, 429);
}

#[test]
fn failed_logins_take_the_same_time() {
    let service = service();
    service.account(AccountKind::Admin, "chef@example.com");
    let took = |login: &str| {
        let browser = Browser::new(&service);
        browser.get("/login");
        let began = Instant::now();
        browser.try_sign_in(login, "wrong");
        began.elapsed()
    };
    let quickest = |login: &str| (0..2).map(|_| took(login)).min().expect("two");
    let (there, nobody) = (quickest("chef"), quickest("nobody"));
    // The floor of the token endpoint: no refusal comes sooner.
    let floor = Duration::from_millis(400);
    assert!(there >= floor && nobody >= floor, "{there:?} {nobody:?}");
}

#[test]
fn users_without_permission_get_an_explanation_and_can_sign_out() {
    let service = service();
    let browser = signed_in(&service);
    let set = |permissions: &'static str| change(&service, permissions);
    set("UPDATE admin_users SET super_user = FALSE");
    for page in [
        "",
        "/resources",
        "/tokens",
        "/resources/1",
        "/resources/1/edit",
    ] {
        let answer = browser.get(page);
        assert_eq!(answer.status, 403, "{page}: {answer}");
        assert!(answer.body.contains("Ext.Api.Manage") && answer.body.contains("Sign out"));
    }
    let token = super::browser::csrf(&browser.get("/resources").body);
    for form in ["/resources/delete", "/tokens/delete", "/resources/1/edit"] {
        assert_eq!(
            browser
                .post_with(&token, form, &[("ids", "1"), ("confirmed", "1")])
                .status,
            403
        );
    }
    set("UPDATE admin_users SET permissions = '[\"Ext.Api.Manage\"]'");
    browser.page("/resources");
    set("UPDATE admin_users SET permissions = '[\"Ext.Api.*\"]'");
    browser.page("/resources");
    for none in [
        "UPDATE admin_users SET permissions = '[\"Ext.Other\"]'",
        "UPDATE admin_users SET permissions = '{'",
        "UPDATE admin_users SET permissions = NULL",
    ] {
        // Servers refuse what is no JSON.
        if none.contains('{') && !on_sqlite(&service) {
            continue;
        }
        set(none);
        assert_eq!(browser.get("/resources").status, 403, "{none}");
    }
    assert_eq!(browser.post_with(&token, "/logout", &[]).status, 303);
    assert_eq!(browser.get("/resources").status, 303);
}

#[test]
fn a_password_that_changes_during_a_login_opens_no_session() {
    let service = service();
    service.account(AccountKind::Admin, "chef@example.com");
    // The login is remembered after the password was verified, before the session begins.
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
    let answer = browser.get("/resources");
    assert_eq!(
        (answer.status, answer.header("location")),
        (303, Some("/admin/login?next=resources")),
        "{answer}"
    );
}

#[test]
fn an_older_hash_is_upgraded_and_the_session_lasts() {
    let service = service();
    service.account(AccountKind::Admin, "chef@example.com");
    // bcrypt, as the reference has it.
    let hash = "$2y$04$5f1nPKBBLm0JbU0aeWZZ7uQqQwqSbcTGm013ta68SF0fGaw0sCU8C";
    let sql = "UPDATE admin_users SET password = ?";
    let older = service.app().db().execute(sql, [hash.into()]);
    service.block_on(older).expect("an update");
    let browser = Browser::new(&service);
    browser.sign_in("chef", "formwork");
    browser.page("/resources");
    let rows = service
        .app()
        .db()
        .rows("SELECT password FROM admin_users", []);
    let rows = service.block_on(rows).expect("a row");
    assert!(rows[0][0].to_string().starts_with("$argon2id$"));
}
