//! The cookie of the admin area beside others of its name.

use formwork::testing::Service;

use super::{browser::Browser, service, signed_in};

/// The answer to a request with this `Cookie`.
fn with_cookie(service: &Service, cookie: &str) -> formwork::testing::Answer {
    let client = service.guest().header("Accept", "text/html");
    client.header("Cookie", cookie).get("/admin/resources")
}

#[test]
fn a_foreign_cookie_of_the_same_name_does_not_end_the_session() {
    let service = service();
    let secret = signed_in(&service).cookies.borrow()["formwork_admin"].clone();
    let own = format!("formwork_admin={secret}");
    let other = format!("formwork_admin={}", "x".repeat(40));
    for cookies in [
        format!("{own}; {other}"),
        format!("{other}; {own}"),
        format!("formwork_admin=; formwork_admin=no.pe; {own}"),
        format!("{other}; {other}; a=b; {other}; {own}"),
        // Values that the area never hands out are not tried at all.
        format!("{}{own}", "formwork_admin=\"quoted\"; ".repeat(20)),
    ] {
        let page = with_cookie(&service, &cookies);
        assert_eq!(page.status, 200, "{cookies}: {page}");
        // Forms are tied to the cookie that let in.
        let client = service.guest().header("Accept", "text/html");
        let client = client.header("Content-Type", "application/x-www-form-urlencoded");
        let token = super::browser::csrf(&page.body);
        let body = super::browser::form(&[("csrf", token.as_str())]);
        let answer =
            client
                .header("Cookie", &cookies)
                .send("POST", "/admin/resources/delete", Some(body));
        let nothing = Some("/admin/resources?notice=none");
        assert_eq!(answer.header("location"), nothing, "{cookies}: {answer}");
    }
    let many = format!("{other}; {other}; {other}; {other}; {own}");
    assert_eq!(with_cookie(&service, &many).status, 303, "not for ever");
}

#[test]
fn signing_out_ends_the_session_of_each_cookie() {
    let service = service();
    let first = signed_in(&service);
    let second = Browser::new(&service);
    second.sign_in("chef", "formwork");
    let cookie = |browser: &Browser<'_>| {
        let secret = browser.cookies.borrow()["formwork_admin"].clone();
        format!("formwork_admin={secret}")
    };
    let (one, two) = (cookie(&first), cookie(&second));
    let both = format!("{one}; {two}");
    let token = super::browser::csrf(&with_cookie(&service, &both).body);
    let body = super::browser::form(&[("csrf", token.as_str())]);
    let client = service.guest().header("Accept", "text/html");
    let client = client.header("Content-Type", "application/x-www-form-urlencoded");
    let client = client.header("Cookie", &both);
    assert_eq!(client.send("POST", "/admin/logout", Some(body)).status, 303);
    for cookies in [one, two, both] {
        assert_eq!(with_cookie(&service, &cookies).status, 303, "{cookies}");
    }
}

#[test]
fn behind_a_proxy_with_https_cookies_are_secure() {
    let service = service();
    let cookie = |proto: &str| {
        let client = service.guest().header("Accept", "text/html");
        let answer = client
            .header("X-Forwarded-Proto", proto)
            .get("/admin/login");
        let cookie = answer.header("set-cookie").expect("a cookie");
        cookie.contains("; Secure")
    };
    assert!(!cookie("http"), "a browser on this machine");
    assert!(cookie("https"));
}
