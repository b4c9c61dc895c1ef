//! The area beside the API: what means something in one of them alone, and the limits of both.

use std::time::Duration;

use formwork::{
    auth::AccountKind,
    testing::{Client, Service},
};

use super::{Browser, browser::form, change, config, extensions, service, signed_in};

#[test]
fn cookies_and_tokens_do_not_mix() {
    let service = service();
    let browser = signed_in(&service);
    let cookie = format!(
        "formwork_admin={}",
        browser.cookies.borrow()["formwork_admin"]
    );
    let by_cookie = service.guest().header("Cookie", &cookie);
    assert_eq!(by_cookie.get("/api/token/user").status, 401);
    assert_eq!(by_cookie.get("/api/notes").status, 401);
    // A token does not open the area, and a wrong one does not close it.
    let browsing = |client: Client<'_>| {
        let client = client.header("Accept", "text/html");
        client.get("/admin/resources").status
    };
    assert_eq!(browsing(service.admin()), 303);
    let wrong = service.with_token("1|nonsense").header("Cookie", &cookie);
    assert_eq!(browsing(wrong), 200);
}

#[test]
fn requests_are_limited_by_address_and_by_session() {
    let service = Service::limited(config("api: { rate_limit: 12 }"), extensions());
    service.account(AccountKind::Admin, "chef@example.com");
    let browser = Browser::new(&service);
    browser.sign_in("chef", "formwork");
    for _ in 0..30 {
        if browser.get("/resources").status != 200 {
            break;
        }
    }
    let limited = browser.get("/resources");
    assert_eq!(limited.status, 429, "{limited}");
    assert!(limited.header("retry-after").is_some());
    assert_eq!(limited.header("ratelimit-remaining"), Some("0"));
    assert!(
        limited.body.contains("<h1>Too Many Requests</h1>"),
        "{limited}"
    );
    // A session is counted separately: the address may sign in.
    for _ in 0..30 {
        assert_eq!(
            Browser::new(&service).get("/login").status,
            200,
            "pages are not counted"
        );
    }
    let again = |attempt: usize| {
        let login = format!("nobody{attempt}");
        let form = [("login", login.as_str()), ("password", "wrong")];
        Browser::new(&service)
            .post("/login", "/login", &form)
            .status
    };
    // One is spent on the session.
    let statuses: Vec<u16> = (0..12).map(again).collect();
    assert_eq!(statuses[..11], [422; 11], "{statuses:?}");
    assert_eq!(statuses[11], 429, "sign-ins have a count of their own");
    assert_eq!(
        service.guest().get("/api/dishes").status,
        200,
        "the API has its own"
    );
}

#[test]
fn bodies_are_limited_and_are_forms() {
    let service = Service::with_config(config("api: { body_limit: 2KiB }"), extensions());
    let browser = signed_in(&service);
    let long = "x".repeat(3000);
    let answer = browser.post("/resources", "/resources/delete", &[("ids", &long)]);
    assert_eq!(answer.status, 413, "{answer}");
    assert!(
        answer
            .header("content-type")
            .is_some_and(|it| it.starts_with("text/html"))
    );
    let json = Some("{}".to_owned());
    let answer = browser.send("POST", "/tokens/delete", json, &[]);
    assert_eq!(answer.status, 403, "a form without a token: {answer}");
    let client = service.guest().header("Cookie", "formwork_admin_form=abc");
    let client = client.header("Accept", "text/html");
    let answer = client.send("POST", "/admin/login", Some(form(&[("login", "a")])));
    assert_eq!(answer.status, 415, "{answer}");
}

#[test]
fn without_tables_signing_in_is_refused_and_the_service_works() {
    let service = service();
    change(&service, "DROP TABLE api_resources");
    change(
        &service,
        "DELETE FROM formwork_migrations WHERE name = 'create_api_resources'",
    );
    std::thread::sleep(Duration::from_millis(1100));
    let answer = Browser::new(&service).get("/login");
    assert_eq!(answer.status, 503, "{answer}");
    assert!(answer.body.contains("Migrations are pending."), "{answer}");
    let replica = service.replica(extensions());
    assert_eq!(replica.guest().get("/api/dishes").status, 200);
}
