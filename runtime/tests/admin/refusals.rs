//! Error pages: a signed-in administrator stays signed in, and sees the navigation.

use super::{Browser, browser::csrf, service, signed_in};

#[test]
fn error_pages_of_a_session_keep_the_navigation() {
    let service = service();
    let browser = signed_in(&service);
    let body = || Some("csrf=x".to_owned());
    for (status, answer) in [
        (404, browser.get("/nothing")),
        (404, browser.get("/resources/999")),
        (404, browser.get("/resources/999/edit")),
        (405, browser.send("PUT", "/tokens", body(), &[])),
        (403, browser.send("POST", "/tokens/delete", body(), &[])),
        (400, browser.get("/tokens?search=%00")),
    ] {
        assert_eq!(answer.status, status, "{answer}");
        for part in [
            "href=\"/admin/resources\"",
            "href=\"/admin/tokens\"",
            "action=\"/admin/logout\"",
            "<span><bdi>chef</bdi></span>",
        ] {
            assert!(answer.body.contains(part), "{part} in {answer}");
        }
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    }
    // The form works from there.
    let token = csrf(&browser.get("/nothing").body);
    assert_eq!(browser.post_with(&token, "/logout", &[]).status, 303);
    assert_eq!(
        browser.get("/resources").header("location"),
        Some("/admin/login?next=resources")
    );
}

#[test]
fn error_pages_without_a_session_show_no_account() {
    let service = service();
    let browser = signed_in(&service);
    drop(browser.page("/resources"));
    let answer = Browser::new(&service).get("/nothing");
    assert_eq!(answer.status, 404);
    for part in ["/logout", "/admin/tokens", "chef", "name=\"csrf\""] {
        assert!(!answer.body.contains(part), "{part} in {answer}");
    }
}
