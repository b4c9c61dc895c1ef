//! `Accept`: docs/contract.md, "Media types", last line. Pages are HTML for every client.

use formwork::testing::Service;

use super::{browser::csrf, browser::form, service, signed_in};

const BROWSER: &str =
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

/// The status for the session of this cookie.
fn status(service: &Service, path: &str, cookie: &str, accept: &str) -> u16 {
    let client = service.guest().header("Accept", accept);
    let answer = client.header("Cookie", cookie).get(path);
    if answer.status == 406 {
        assert!(answer.body.contains(" is produced here"), "{answer}");
        assert!(answer.header("x-request-id").is_some(), "{answer}");
    }
    answer.status
}

#[test]
fn pages_are_sent_to_clients_that_accept_html() {
    let service = service();
    let browser = signed_in(&service);
    let secret = browser.cookies.borrow()["formwork_admin"].clone();
    let cookie = format!("formwork_admin={secret}");
    for path in ["/admin/resources", "/admin/resources/1/edit"] {
        for accept in [BROWSER, "text/html", "text/*", "*/*", ""] {
            assert_eq!(status(&service, path, &cookie, accept), 200, "{accept}");
        }
        for accept in ["application/json", "text/plain", "text/html;q=0, */*"] {
            assert_eq!(status(&service, path, &cookie, accept), 406, "{accept}");
        }
    }
    // A client without a session gets no other answer.
    for path in ["/admin", "/admin/login", "/admin/nothing"] {
        assert_eq!(status(&service, path, "", "application/json"), 406);
    }
}

#[test]
fn a_request_whose_accept_header_is_refused_changes_no_data() {
    let service = service();
    let browser = signed_in(&service);
    let id = browser.row("dishes");
    let token = csrf(&browser.page("/resources"));
    let fields = [
        ("csrf", token.as_str()),
        ("ids", id.as_str()),
        ("confirmed", "1"),
    ];
    let secret = browser.cookies.borrow()["formwork_admin"].clone();
    let client = service
        .guest()
        .header("Cookie", &format!("formwork_admin={secret}"))
        .header("Content-Type", "application/x-www-form-urlencoded");
    let delete = |accept: &str| {
        let client = client.clone().header("Accept", accept);
        let answer = client.send("POST", "/admin/resources/delete", Some(form(&fields)));
        answer.status
    };
    assert_eq!(delete("application/json"), 406);
    assert_eq!(browser.row("dishes"), id, "it is there still");
    assert_eq!(delete(BROWSER), 303);
    assert_ne!(browser.row("dishes"), id);
}

#[test]
fn style_script_and_icon_are_sent_to_clients_that_accept_them() {
    let service = service();
    let page = signed_in(&service).page("/resources");
    let files = page.split('"').filter(|part| part.contains("/assets/"));
    let mut seen = 0;
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
        seen += 1;
    }
    assert!(seen >= 3, "{page}");
}
