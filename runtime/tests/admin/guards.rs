//! The area's guards against use by others: tokens of forms, headers, methods, and that all
//! output is text.

use super::{Browser, browser::csrf, service, signed_in};

/// A form that changes something, and what says whether it did.
const FORM: (&str, &[(&str, &str)]) = ("/tokens/delete", &[("ids", "1"), ("confirmed", "1")]);

#[test]
fn a_form_without_its_token_changes_nothing() {
    let service = service();
    let browser = signed_in(&service);
    let admin = service.admin();
    assert_eq!(admin.get("/api/token/user").status, 200);
    let other = Browser::new(&service);
    service.account(formwork::auth::AccountKind::Admin, "other@example.com");
    other.sign_in("other", "formwork");
    let foreign = csrf(&other.page("/resources"));
    let own = csrf(&browser.page("/resources"));
    let (path, fields) = FORM;
    for token in ["", "x", foreign.as_str(), &own[1..], &own.to_uppercase()] {
        let answer = browser.post_with(token, path, fields);
        assert_eq!(answer.status, 403, "{token}: {answer}");
        assert!(answer.body.contains("<h1>Forbidden</h1>"), "{answer}");
    }
    let unsent = browser.send("POST", path, Some("ids=1&confirmed=1".to_owned()), &[]);
    assert_eq!(unsent.status, 403, "{unsent}");
    for form in ["/logout", "/resources/delete", "/resources/1/edit"] {
        assert_eq!(browser.post_with("x", form, &[]).status, 403, "{form}");
    }
    assert_eq!(
        admin.get("/api/token/user").status,
        200,
        "the token is there still"
    );
    assert_eq!(browser.post_with(&own, path, fields).status, 303);
    assert_eq!(admin.get("/api/token/user").status, 401);
}

#[test]
fn a_form_of_another_site_changes_nothing() {
    let service = service();
    let browser = signed_in(&service);
    let own = csrf(&browser.page("/resources"));
    let body = super::browser::form(&[("csrf", &own), ("ids", "99")]);
    let status = |headers: &[(&str, &str)]| {
        browser
            .send("POST", "/tokens/delete", Some(body.clone()), headers)
            .status
    };
    assert_eq!(status(&[("Sec-Fetch-Site", "same-origin")]), 303);
    assert_eq!(status(&[("Origin", &service.url())]), 303);
    for other in [
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Site", "same-site"),
        ("Origin", "https://evil.example"),
        ("Origin", "null"),
    ] {
        assert_eq!(status(&[other]), 403, "{other:?}");
    }
}

#[test]
fn signing_in_needs_the_token_of_the_page_too() {
    let service = service();
    service.account(formwork::auth::AccountKind::Admin, "chef@example.com");
    let browser = Browser::new(&service);
    let words = [("login", "chef"), ("password", "formwork")];
    let answer = browser.post_with("x", "/login", &words);
    assert_eq!(answer.status, 403, "{answer}");
    assert!(
        answer.body.contains("value=\"chef\""),
        "what was typed is kept: {answer}"
    );
    assert!(
        !answer.body.contains("formwork\""),
        "but for the password: {answer}"
    );
    assert!(!browser.cookies.borrow().contains_key("formwork_admin"));
    // The page that says so is one to try again from.
    let token = csrf(&answer.body);
    assert_eq!(browser.post_with(&token, "/login", &words).status, 303);
}

#[test]
fn pages_are_not_cached_framed_or_sniffed() {
    let service = service();
    let browser = signed_in(&service);
    let id = browser.row("dishes");
    for page in [
        "/resources".to_owned(),
        "/tokens".to_owned(),
        format!("/resources/{id}"),
        format!("/resources/{id}/edit"),
        format!("/resources/{id}/docs"),
        "/nothing".to_owned(),
    ] {
        let answer = browser.get(&page);
        let header = |name: &str| answer.header(name).unwrap_or_default().to_owned();
        let policy = header("content-security-policy");
        for part in [
            "default-src 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
        ] {
            assert!(policy.contains(part), "{page}: {policy}");
        }
        assert!(
            !policy.contains("unsafe") && !policy.contains("data:"),
            "{policy}"
        );
        assert_eq!(header("x-frame-options"), "DENY");
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("cache-control"), "no-store");
        assert_eq!(header("referrer-policy"), "same-origin");
        assert_eq!(header("content-type"), "text/html; charset=utf-8");
        assert!(answer.header("x-request-id").is_some());
        assert!(answer.header("access-control-allow-origin").is_none());
        for inline in [
            "<style",
            " style=",
            "<script>",
            " onclick",
            " onload",
            "javascript:",
        ] {
            assert!(!answer.body.contains(inline), "{page}: {inline}");
        }
    }
    let asked = [("Origin", "https://evil.example")];
    let answer = browser.send("GET", "/resources", None, &asked);
    assert_eq!(answer.header("access-control-allow-origin"), None);
    let asked = [asked[0], ("Access-Control-Request-Method", "POST")];
    let preflight = browser.send("OPTIONS", "/tokens/delete", None, &asked);
    assert_eq!(preflight.status, 405, "{preflight}");
}

#[test]
fn style_and_script_are_served_from_here_and_kept() {
    let service = service();
    let page = Browser::new(&service).page("/login");
    let mut seen = 0;
    for part in page
        .split(['"'])
        .filter(|part| part.starts_with("/admin/assets/"))
    {
        let client = service.guest().header("Accept", "*/*");
        let answer = client.get(part);
        assert_eq!(answer.status, 200, "{part}");
        let cached = answer.header("cache-control").expect("a word to caches");
        assert!(cached.contains("immutable"), "{cached}");
        assert_eq!(client.send("POST", part, None).status, 405);
        assert_eq!(client.send("HEAD", part, None).body, "");
        for outside in ["http://", "https://"] {
            let text = answer.body.replace("http://www.w3.org/2000/svg", "");
            assert!(!text.contains(outside), "{part}");
        }
        seen += 1;
    }
    assert!(seen >= 3, "{page}");
    assert_eq!(service.guest().get("/admin/assets/other.css").status, 404);
}

#[test]
fn every_address_has_its_methods() {
    let service = service();
    let browser = signed_in(&service);
    let id = browser.row("dishes");
    for (below, allow) in [
        ("", "GET, HEAD"),
        ("/login", "GET, HEAD, POST"),
        ("/logout", "POST"),
        ("/resources", "GET, HEAD"),
        ("/resources/delete", "GET, HEAD, POST"),
        (&format!("/resources/{id}"), "GET, HEAD"),
        (&format!("/resources/{id}/edit"), "GET, HEAD, POST"),
        (&format!("/resources/{id}/docs"), "GET, HEAD"),
        ("/tokens", "GET, HEAD"),
        ("/tokens/delete", "GET, HEAD, POST"),
    ] {
        for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
            let answer = browser.send(method, below, Some(String::new()), &[]);
            let known = allow.split(", ").any(|known| known == method);
            assert_eq!(answer.status == 405, !known, "{method} {below}: {answer}");
            if !known {
                assert_eq!(answer.header("allow"), Some(allow), "{method} {below}");
                assert!(
                    answer
                        .header("content-type")
                        .is_some_and(|it| it.starts_with("text/html"))
                );
            }
        }
    }
    for nothing in [
        "/x",
        "/resources/x",
        "/resources/999",
        "/resources/999/edit",
        "/resources/1/x",
    ] {
        let answer = browser.get(nothing);
        assert_eq!(answer.status, 404, "{nothing}");
        assert!(answer.body.contains("<h1>Not Found</h1>"), "{answer}");
    }
    let (get, head) = (
        browser.get("/resources"),
        browser.send("HEAD", "/resources", None, &[]),
    );
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    assert_eq!(head.header("content-length"), get.header("content-length"));
    // Outside of the area, no answer is a page.
    let beside = service.guest().get("/administrator");
    assert_eq!(
        (beside.status, beside.header("content-type")),
        (404, Some("application/json"))
    );
}

#[test]
fn redirects_stay_within_the_admin_area() {
    let service = service();
    for path in [
        "/admin//evil.example",
        "/admin/%2F%2Fevil.example",
        "/admin/login?next=//evil.example",
    ] {
        let answer = service.guest().get(path);
        assert!(
            answer
                .header("location")
                .is_none_or(|it| it == "/admin/login"),
            "{path}"
        );
    }
}
