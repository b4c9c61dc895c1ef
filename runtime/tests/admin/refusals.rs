//! Error pages: a signed-in administrator stays signed in, and sees the navigation.

use super::{Browser, Page, area, browser::assert_redirect, browser::csrf};

#[test]
fn error_pages_of_a_session_keep_the_navigation() {
    let (_, browser) = area();
    for (status, method, below) in [
        (404, "GET", "/nothing"),
        (404, "GET", "/resources/999"),
        (404, "GET", "/resources/999/edit"),
        (405, "PUT", "/tokens"),
        (403, "POST", "/tokens/delete"),
        (400, "GET", "/tokens?search=%00"),
    ] {
        let body = (method != "GET").then(|| "csrf=x".to_owned());
        let answer = browser.send(method, below, body, &[]);
        assert_eq!(answer.status, status, "{answer}");
        answer.body.must_contain([
            "href=\"/admin/resources\"",
            "href=\"/admin/tokens\"",
            "action=\"/admin/logout\"",
            "<span><bdi>chef</bdi></span>",
        ]);
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    }
    // The form works from there.
    let token = csrf(&browser.get("/nothing").body);
    assert_eq!(browser.post_with(&token, "/logout", &[]).status, 303);
    assert_redirect(&browser.get("/resources"), "/admin/login?next=resources");
}

#[test]
fn error_pages_without_a_session_show_no_account() {
    let (service, _browser) = area();
    let answer = Browser::new(&service).get("/nothing");
    assert_eq!(answer.status, 404);
    answer
        .body
        .must_lack(["/logout", "/admin/tokens", "chef", "name=\"csrf\""]);
}
