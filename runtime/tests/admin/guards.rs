//! The area's guards against use by others: tokens of forms, headers, methods, and that all
//! output is text.

use formwork::auth::AccountKind;

use super::{
    Browser, Page, area,
    browser::{csrf, form},
    service,
};

#[test]
fn a_form_without_its_token_changes_nothing() {
    let (service, browser) = area();
    let admin = service.admin();
    assert_eq!(admin.get("/api/token/user").status, 200);
    let other = Browser::new(&service);
    service.account(AccountKind::Admin, "other@example.com");
    other.sign_in("other", "formwork");
    let foreign = csrf(&other.page("/resources"));
    let own = csrf(&browser.page("/resources"));
    let revoke = [("ids", "1"), ("confirmed", "1")];
    for token in ["", "x", &foreign, &own[1..], &own.to_uppercase()] {
        let answer = browser.post_with(token, "/tokens/delete", &revoke);
        assert_eq!(answer.status, 403, "{token}: {answer}");
        answer.body.must_contain(["<h1>Forbidden</h1>"]);
    }
    let without = browser.send("POST", "/tokens/delete", Some(form(&revoke)), &[]);
    assert_eq!(without.status, 403, "{without}");
    for form in ["/logout", "/resources/delete", "/resources/1/edit"] {
        assert_eq!(browser.post_with("x", form, &[]).status, 403, "{form}");
    }
    assert_eq!(admin.get("/api/token/user").status, 200, "not revoked");
    let revoked = browser.post_with(&own, "/tokens/delete", &revoke);
    assert_eq!(revoked.status, 303, "{revoked}");
    assert_eq!(admin.get("/api/token/user").status, 401);
}

#[test]
fn a_form_of_another_site_changes_nothing() {
    let (service, browser) = area();
    let own = csrf(&browser.page("/resources"));
    let body = form(&[("csrf", &own), ("ids", "99")]);
    for (name, value, status) in [
        ("Sec-Fetch-Site", "same-origin", 303),
        ("Origin", service.url().as_str(), 303),
        ("Sec-Fetch-Site", "cross-site", 403),
        ("Sec-Fetch-Site", "same-site", 403),
        ("Origin", "https://evil.example", 403),
        ("Origin", "null", 403),
    ] {
        let headers = [(name, value)];
        let answer = browser.send("POST", "/tokens/delete", Some(body.clone()), &headers);
        assert_eq!(answer.status, status, "{name} {value}: {answer}");
    }
}

#[test]
fn signing_in_needs_the_token_of_the_page_too() {
    let service = service();
    service.account(AccountKind::Admin, "chef@example.com");
    let browser = Browser::new(&service);
    let fields = [("login", "chef"), ("password", "formwork")];
    let answer = browser.post_with("x", "/login", &fields);
    assert_eq!(answer.status, 403, "{answer}");
    // The form keeps its input, except for the password.
    answer.body.must_contain(["value=\"chef\""]);
    answer.body.must_lack(["formwork\""]);
    assert!(!browser.cookies.borrow().contains_key("formwork_admin"));
    // A person may try again from this page.
    let token = csrf(&answer.body);
    assert_eq!(browser.post_with(&token, "/login", &fields).status, 303);
}

const POLICY: &str = "content-security-policy";

#[test]
fn pages_are_not_cached_framed_or_sniffed() {
    let (_, browser) = area();
    for page in [
        "/resources",
        "/tokens",
        "/resources/dishes",
        "/resources/dishes/edit",
        "/resources/dishes/docs",
        "/nothing",
    ] {
        let answer = browser.get(page);
        let policy = answer.header(POLICY).unwrap_or_default();
        policy.must_contain(["default-src 'none'", "form-action 'self'"]);
        policy.must_contain(["frame-ancestors 'none'", "base-uri 'none'"]);
        policy.must_lack(["unsafe", "data:"]);
        for (name, value) in [
            ("x-frame-options", "DENY"),
            ("x-content-type-options", "nosniff"),
            ("cache-control", "no-store"),
            ("referrer-policy", "same-origin"),
            ("content-type", "text/html; charset=utf-8"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{page}: {name}");
        }
        assert!(answer.header("x-request-id").is_some());
        assert_eq!(answer.header("access-control-allow-origin"), None);
        answer
            .body
            .must_lack(["<style", " style=", "<script>", "javascript:"]);
        answer.body.must_lack([" onclick", " onload"]);
    }
    let origin = ("Origin", "https://evil.example");
    let answer = browser.send("GET", "/resources", None, &[origin]);
    assert_eq!(answer.header("access-control-allow-origin"), None);
    let headers = [origin, ("Access-Control-Request-Method", "POST")];
    let preflight = browser.send("OPTIONS", "/tokens/delete", None, &headers);
    assert_eq!(preflight.status, 405, "{preflight}");
}

#[test]
fn every_address_has_its_methods() {
    let (service, browser) = area();
    for (below, allow) in [
        ("", "GET, HEAD"),
        ("/login", "GET, HEAD, POST"),
        ("/logout", "POST"),
        ("/resources", "GET, HEAD"),
        ("/resources/delete", "GET, HEAD, POST"),
        ("/resources/dishes", "GET, HEAD"),
        ("/resources/dishes/edit", "GET, HEAD, POST"),
        ("/resources/dishes/docs", "GET, HEAD"),
        ("/tokens", "GET, HEAD"),
        ("/tokens/delete", "GET, HEAD, POST"),
    ] {
        for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
            let answer = browser.send(method, below, Some(String::new()), &[]);
            let is_allowed = allow.split(", ").any(|allowed| allowed == method);
            assert_eq!(answer.status != 405, is_allowed, "{method} {below}");
            if !is_allowed {
                assert_eq!(answer.header("allow"), Some(allow), "{method} {below}");
                let media = answer.header("content-type").unwrap_or_default();
                assert!(media.starts_with("text/html"), "{media}");
            }
        }
    }
    for below in [
        "/x",
        "/resources/x",
        "/resources/999",
        "/resources/999/edit",
        "/resources/1/x",
    ] {
        let answer = browser.get(below);
        assert_eq!(answer.status, 404, "{below}");
        answer.body.must_contain(["<h1>Not Found</h1>"]);
    }
    let get = browser.get("/resources");
    let head = browser.send("HEAD", "/resources", None, &[]);
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    assert_eq!(head.header("content-length"), get.header("content-length"));
    // Outside of the area, no response is a page.
    let outside = service.guest().get("/administrator");
    assert_eq!(outside.status, 404, "{outside}");
    assert_eq!(outside.header("content-type"), Some("application/json"));
}

#[test]
fn redirects_stay_within_the_admin_area() {
    let service = service();
    for path in [
        "//evil.example",
        "/%2F%2Fevil.example",
        "/login?next=//evil.example",
    ] {
        let answer = service.guest().get(&format!("/admin{path}"));
        let location = answer.header("location").unwrap_or("/admin/login");
        assert_eq!(location, "/admin/login", "{path}");
    }
}
