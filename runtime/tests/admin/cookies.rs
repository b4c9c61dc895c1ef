//! The cookie of the admin area alongside others of its name.

use formwork::testing::{Answer, Service};

use super::{
    area,
    browser::{assert_redirect, csrf, form, html},
    service, signed_in_again,
};

/// Returns the response to a request with this `Cookie`.
fn with_cookie(service: &Service, cookie: &str) -> Answer {
    html(service)
        .header("Cookie", cookie)
        .get("/admin/resources")
}

/// Sends a form with the token of the page that is shown for this `Cookie`.
fn post(service: &Service, cookie: &str, path: &str) -> Answer {
    let page = with_cookie(service, cookie);
    assert_eq!(page.status, 200, "{cookie}: {page}");
    let client = html(service).header("Cookie", cookie);
    client.send("POST", path, Some(form(&[("csrf", &csrf(&page.body))])))
}

#[test]
fn a_foreign_cookie_of_the_same_name_does_not_end_the_session() {
    let (service, browser) = area();
    let own = format!("formwork_admin={}", browser.secret());
    let other = format!("formwork_admin={}", "x".repeat(40));
    for cookies in [
        format!("{own}; {other}"),
        format!("{other}; {own}"),
        format!("formwork_admin=; formwork_admin=no.pe; {own}"),
        format!("{other}; {other}; a=b; {other}; {own}"),
        // Values that the area never hands out are not tried at all.
        format!("{}{own}", "formwork_admin=\"quoted\"; ".repeat(20)),
    ] {
        // Forms are tied to the cookie that opened the session.
        let answer = post(&service, &cookies, "/admin/resources/delete");
        assert_redirect(&answer, "/admin/resources?notice=none");
    }
    let many = format!("{other}; {other}; {other}; {other}; {own}");
    assert_eq!(with_cookie(&service, &many).status, 303, "not for ever");
}

#[test]
fn signing_out_ends_the_session_of_each_cookie() {
    let (service, first) = area();
    let second = signed_in_again(&service);
    let [one, two] = [first, second].map(|browser| format!("formwork_admin={}", browser.secret()));
    let both = format!("{one}; {two}");
    assert_eq!(post(&service, &both, "/admin/logout").status, 303);
    for cookies in [one, two, both] {
        assert_eq!(with_cookie(&service, &cookies).status, 303, "{cookies}");
    }
}

#[test]
fn behind_a_proxy_with_https_cookies_are_secure() {
    let service = service();
    let is_secure = |protocol: &str| {
        let client = html(&service).header("X-Forwarded-Proto", protocol);
        let answer = client.get("/admin/login");
        let cookie = answer.header("set-cookie").expect("a cookie");
        cookie.contains("; Secure")
    };
    assert!(!is_secure("http"), "a browser on this machine");
    assert!(is_secure("https"));
}
