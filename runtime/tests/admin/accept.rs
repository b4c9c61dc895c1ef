//! `Accept`: docs/contract.md, "Media types", last line. Pages are HTML for every client.

use formwork::testing::Service;

use super::{
    Page, area,
    browser::{csrf, form},
    service,
};

const BROWSER: &str =
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

/// Returns the status for the session of this cookie.
fn status(service: &Service, path: &str, secret: &str, accept: &str) -> u16 {
    let client = service.guest().header("Accept", accept);
    let cookie = format!("formwork_admin={secret}");
    let answer = client.header("Cookie", &cookie).get(path);
    if answer.status == 406 {
        assert!(answer.body.contains(" is produced here"), "{answer}");
        assert!(answer.header("x-request-id").is_some(), "{answer}");
    }
    answer.status
}

#[test]
fn pages_are_sent_to_clients_that_accept_html() {
    let (service, browser) = area();
    let secret = browser.secret();
    for path in ["/admin/resources", "/admin/resources/1/edit"] {
        for accept in [BROWSER, "text/html", "text/*", "*/*", ""] {
            assert_eq!(status(&service, path, &secret, accept), 200, "{accept}");
        }
        for accept in ["application/json", "text/plain", "text/html;q=0, */*"] {
            assert_eq!(status(&service, path, &secret, accept), 406, "{accept}");
        }
    }
    // A client without a session gets no other response.
    for path in ["/admin", "/admin/login", "/admin/nothing"] {
        assert_eq!(status(&service, path, "", "application/json"), 406);
    }
}

#[test]
fn a_request_whose_accept_header_is_refused_changes_no_data() {
    let (service, browser) = area();
    let id = browser.row("dishes");
    let token = csrf(&browser.page("/resources"));
    let fields = form(&[("csrf", &token), ("ids", &id), ("confirmed", "1")]);
    let cookie = format!("formwork_admin={}", browser.secret());
    let client = service.guest().header("Cookie", &cookie);
    let client = client.header("Content-Type", "application/x-www-form-urlencoded");
    let refused = client.send("POST", "/admin/resources/delete", Some(fields.clone()));
    assert_eq!(refused.status, 406, "{refused}");
    assert_eq!(browser.row("dishes"), id, "it still exists");
    let done = browser.send("POST", "/resources/delete", Some(fields), &[]);
    assert_eq!(done.status, 303, "{done}");
    assert_ne!(browser.row("dishes"), id);
}

#[test]
fn style_script_and_icon_are_sent_to_clients_that_accept_them() {
    let service = service();
    let page = super::Browser::new(&service).page("/login");
    let files = page.split('"').filter(|part| part.contains("/assets/"));
    let mut count = 0;
    for path in files {
        let (sent, media_type) = match path.rsplit('.').next() {
            Some("css") => ("text/css,*/*;q=0.1", "text/css"),
            Some("js") => ("*/*", "text/javascript"),
            _ => ("image/avif,image/webp,image/*,*/*;q=0.8", "image/svg+xml"),
        };
        for accept in [sent, media_type] {
            assert_eq!(status(&service, path, "", accept), 200, "{path}");
        }
        let client = service.guest().header("Accept", "application/json");
        assert_eq!(client.get(path).status, 406, "{path}");
        // Files are served from here, and never change.
        let client = service.guest().header("Accept", "*/*");
        let answer = client.get(path);
        let cached = answer.header("cache-control").expect("a rule for caches");
        assert!(cached.contains("immutable"), "{cached}");
        assert_eq!(client.send("POST", path, None).status, 405);
        assert_eq!(client.send("HEAD", path, None).body, "");
        let text = answer.body.replace("http://www.w3.org/2000/svg", "");
        text.must_lack(["http://", "https://"]);
        count += 1;
    }
    assert!(count >= 3, "{page}");
    assert_eq!(service.guest().get("/admin/assets/other.css").status, 404);
}
