//! `Accept`: docs/contract.md, "Media types", last line.

use formwork::testing::Service;

use super::magazine;
use super::page::references;

/// The `Accept` that browsers send when an address is opened.
const BROWSER: &str =
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

fn status(service: &Service, path: &str, accept: &str) -> u16 {
    let client = service.guest().header("Accept", accept);
    let head = client.send("HEAD", path, None);
    let answer = client.get(path);
    assert_eq!(head.status, answer.status, "{path} {accept}");
    if answer.status == 406 {
        assert!(answer.body.contains(" is produced here"), "{answer}");
        // The unaccepted representation is not one the client has already.
        let known = client.header("If-None-Match", "*").get(path);
        assert_eq!(known.status, 406, "{known}");
    }
    answer.status
}

#[test]
fn the_description_is_sent_to_clients_that_accept_json() {
    let service = magazine();
    let path = "/api/openapi.json";
    for accept in [
        "application/json",
        "application/json; charset=utf-8",
        "application/*",
        "*/*",
        "",
        BROWSER,
        // Swagger UI, and what generators send.
        "application/json,*/*",
        "text/yaml, application/json;q=0.1",
        "application/openapi+json, application/json;q=0.9",
    ] {
        assert_eq!(status(&service, path, accept), 200, "{accept}");
    }
    for accept in [
        "text/html",
        "application/vnd.api+json",
        "application/json;q=0, */*",
        "*/*;q=0",
        "text/*",
        "nonsense",
    ] {
        assert_eq!(status(&service, path, accept), 406, "{accept}");
    }
    // Mistakes of the parameters come first.
    let client = service.guest().header("Accept", "text/html");
    assert_eq!(client.send("POST", path, None).status, 405);
}

#[test]
fn the_page_and_its_files_are_sent_to_clients_that_accept_them() {
    let service = magazine();
    for accept in [
        BROWSER,
        "text/html",
        "Text/HTML; charset=utf-8",
        "application/json, text/html;q=0.1",
        "text/*;q=0, text/html",
        "image/avif,image/webp,image/*,*/*;q=0.8",
        "text/*",
        "*/*",
        "",
    ] {
        assert_eq!(status(&service, "/api/docs", accept), 200, "{accept}");
    }
    for accept in [
        "application/json",
        "application/*",
        "text/plain",
        "*",
        "html",
        "text/html;q=0, */*",
        "text/*;q=0, */*",
        "*/*;q=0",
    ] {
        assert_eq!(status(&service, "/api/docs", accept), 406, "{accept}");
    }
    let page = service.guest().header("Accept", BROWSER).get("/api/docs");
    let files = references(&page.body);
    let files: Vec<&String> = files
        .iter()
        .filter(|place| place.ends_with(".css") || place.ends_with(".js"))
        .collect();
    assert_eq!(files.len(), 4, "{}", page.body);
    for place in files {
        let path = format!("/api/{place}");
        let (sent, other) = match place.ends_with(".css") {
            true => ("text/css,*/*;q=0.1", "text/javascript"),
            false => ("text/javascript", "text/css"),
        };
        for accept in [sent, "*/*", "text/*"] {
            assert_eq!(status(&service, &path, accept), 200, "{path}: {accept}");
        }
        for accept in [other, "image/*"] {
            assert_eq!(status(&service, &path, accept), 406, "{path}: {accept}");
        }
    }
}
