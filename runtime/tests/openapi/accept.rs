//! `Accept`: docs/contract.md, "Media types", last line.

use formwork::testing::Service;

use crate::{accepting, magazine, page::references};

/// The `Accept` that browsers send for an address that a user opens.
const BROWSER: &str =
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

/// Asserts the status for each of these headers.
#[track_caller]
fn assert_statuses(service: &Service, path: &str, status: u16, headers: &[&str]) {
    for accept in headers {
        let client = accepting(&service.guest(), accept);
        let answer = client.get(path);
        assert_eq!(answer.status, status, "{path}: {accept}");
        let head = client.send("HEAD", path, None);
        assert_eq!(head.status, status, "{path}: {accept}");
        if status == 406 {
            assert!(answer.body.contains(" is produced here"), "{answer}");
            // The unaccepted representation is not one that the client has already.
            let cached = client.header("If-None-Match", "*").get(path);
            assert_eq!(cached.status, 406, "{cached}");
        }
    }
}

#[test]
fn the_description_is_sent_to_clients_that_accept_json() {
    let service = magazine();
    let path = "/api/openapi.json";
    let accepted = [
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
    ];
    assert_statuses(&service, path, 200, &accepted);
    let rejected = [
        "text/html",
        "application/vnd.api+json",
        "application/json;q=0, */*",
        "*/*;q=0",
        "text/*",
        "nonsense",
    ];
    assert_statuses(&service, path, 406, &rejected);
    // The method is checked first.
    let client = accepting(&service.guest(), "text/html");
    assert_eq!(client.send("POST", path, None).status, 405);
}

#[test]
fn the_page_and_its_files_are_sent_to_clients_that_accept_them() {
    let service = magazine();
    let accepted = [
        BROWSER,
        "text/html",
        "Text/HTML; charset=utf-8",
        "application/json, text/html;q=0.1",
        "text/*;q=0, text/html",
        "image/avif,image/webp,image/*,*/*;q=0.8",
        "text/*",
        "*/*",
        "",
    ];
    assert_statuses(&service, "/api/docs", 200, &accepted);
    let rejected = [
        "application/json",
        "application/*",
        "text/plain",
        "*",
        "html",
        "text/html;q=0, */*",
        "text/*;q=0, */*",
        "*/*;q=0",
    ];
    assert_statuses(&service, "/api/docs", 406, &rejected);
    let page = accepting(&service.guest(), BROWSER).get("/api/docs");
    let files = references(&page.body).into_iter();
    let files = files.filter(|file| file.ends_with(".css") || file.ends_with(".js"));
    let files: Vec<String> = files.map(|file| format!("/api/{file}")).collect();
    assert_eq!(files.len(), 4, "{}", page.body);
    for file in files {
        let (sent, other) = match file.ends_with(".css") {
            true => ("text/css,*/*;q=0.1", "text/javascript"),
            false => ("text/javascript", "text/css"),
        };
        assert_statuses(&service, &file, 200, &[sent, "*/*", "text/*"]);
        assert_statuses(&service, &file, 406, &[other, "image/*"]);
    }
}
