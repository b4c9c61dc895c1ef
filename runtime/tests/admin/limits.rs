//! The area alongside the API: what means something in one of them alone, and the limits of both.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use formwork::testing::{Client, Service};

use super::{
    Browser, Page, area,
    browser::{csrf, form, html},
    change, config, configured, extensions, service, signed_in,
};

#[test]
fn cookies_and_tokens_do_not_mix() {
    let (service, browser) = area();
    let cookie = format!("formwork_admin={}", browser.secret());
    let by_cookie = service.guest().header("Cookie", &cookie);
    assert_eq!(by_cookie.get("/api/token/user").status, 401);
    assert_eq!(by_cookie.get("/api/notes").status, 401);
    // A token does not open the area, and a wrong one does not close it.
    let browse = |client: Client<'_>| {
        let client = client.header("Accept", "text/html");
        client.get("/admin/resources").status
    };
    assert_eq!(browse(service.admin()), 303);
    let wrong = service.with_token("1|nonsense").header("Cookie", &cookie);
    assert_eq!(browse(wrong), 200);
}

#[test]
fn requests_are_limited_by_address_and_by_session() {
    let service = Service::limited(config("api: { rate_limit: 6 }"), extensions());
    let service = Arc::new(service);
    let browser = signed_in(&service);
    for _ in 0..30 {
        if browser.get("/resources").status != 200 {
            break;
        }
    }
    let limited = browser.get("/resources");
    assert_eq!(limited.status, 429, "{limited}");
    assert!(limited.header("retry-after").is_some());
    assert_eq!(limited.header("ratelimit-remaining"), Some("0"));
    limited.body.must_contain(["<h1>Too Many Requests</h1>"]);
    // A session is counted separately: the address may sign in. Pages are not counted.
    for _ in 0..30 {
        Browser::new(&service).page("/login");
    }
    let attempt = |attempt: usize| {
        let login = format!("nobody{attempt}");
        Browser::new(&service).try_sign_in(&login, "wrong").status
    };
    // One is spent on the session. Sign-ins and the API have counts of their own.
    let statuses: Vec<u16> = (0..6).map(attempt).collect();
    assert_eq!(statuses, [&[422; 5][..], &[429]].concat());
    assert_eq!(service.guest().get("/api/dishes").status, 200);
}

#[test]
fn bodies_are_limited_and_are_forms() {
    let service = configured("api: { body_limit: 2KiB }");
    let browser = signed_in(&service);
    let long = "x".repeat(3000);
    let answer = browser.post("/resources", "/resources/delete", &[("ids", &long)]);
    assert_eq!(answer.status, 413, "{answer}");
    let media = answer.header("content-type").unwrap_or_default();
    assert!(media.starts_with("text/html"), "{media}");
    let json = Some("{}".to_owned());
    let answer = browser.send("POST", "/tokens/delete", json, &[]);
    assert_eq!(answer.status, 403, "a form without a token: {answer}");
    let client = service.guest().header("Cookie", "formwork_admin_form=abc");
    let client = client.header("Accept", "text/html");
    let answer = client.send("POST", "/admin/login", Some(form(&[("login", "a")])));
    assert_eq!(answer.status, 415, "{answer}");
}

#[test]
fn the_body_of_a_sign_in_has_at_most_16_kib() {
    let service = configured("");
    let browser = Browser::new(&service);
    let sign_in = |length| browser.try_sign_in("nobody", &"x".repeat(length)).status;
    assert_eq!((sign_in(15 * 1024), sign_in(16 * 1024)), (422, 413));
    let page = browser.page("/login");
    let fields = [("csrf", &*csrf(&page)), ("name", &"x".repeat(16 * 1024))];
    let without_session = browser.send("POST", "/resources/1", Some(form(&fields)), &[]);
    assert_eq!(without_session.status, 413, "{without_session}");
}

#[test]
fn without_tables_signing_in_is_refused_and_the_service_works() {
    let service = service();
    change(&service, "DROP TABLE api_resources");
    let migration = "DELETE FROM formwork_migrations WHERE name = 'create_api_resources'";
    change(&service, migration);
    // Pending migrations are looked for once a second.
    let began = Instant::now();
    let mut answer = html(&service).get("/admin/login");
    while answer.status == 200 && began.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(20));
        answer = html(&service).get("/admin/login");
    }
    assert_eq!(answer.status, 503, "{answer}");
    answer.body.must_contain(["Migrations are pending."]);
    let replica = service.replica(extensions());
    assert_eq!(replica.guest().get("/api/dishes").status, 200);
}
