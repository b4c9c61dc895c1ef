//! No input gives a 500 or a panic: query strings, paths, headers and bodies that properties make
//! up, against a router, in both renderings.

#[path = "../databases/mod.rs"]
mod databases;
#[macro_use]
#[path = "../databases/model.rs"]
mod model;
#[macro_use]
#[path = "../databases/parts.rs"]
mod parts;

mod inputs;
#[path = "../queries/museum.rs"]
mod museum;
mod soup;
#[path = "../http/support.rs"]
#[allow(dead_code, reason = "requests are sent to a router")]
mod support;
mod target;
mod wire;

use axum::http::StatusCode;
use formwork::prelude::*;
use proptest::{collection::vec, prelude::*, sample::select};

use inputs::{accept, attributes, encoded, json, media, parameter, sent, text};
use soup::{broken_json, forms, header_value, repeated, soup};
use support::cases;
use target::{status, survives};

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(100), ..ProptestConfig::default() })]

    #[test]
    fn query_strings(parameters in vec(parameter(), 0..5), record in any::<bool>(), json_api in any::<bool>()) {
        let path = if record { "/api/things/1" } else { "/api/things" };
        let path = format!("{path}?{}", parameters.join("&"));
        survives(&sent("GET", path, vec![accept(json_api)], Vec::new()))?;
    }

    #[test]
    fn raw_query_strings(query in "[!-~]{0,60}", json_api in any::<bool>()) {
        let path = format!("/api/things?{query}");
        survives(&sent("GET", path, vec![accept(json_api)], Vec::new()))?;
    }

    #[test]
    fn query_soup(
        query in prop_oneof![soup(), repeated(), forms()],
        record in any::<bool>(),
        json_api in any::<bool>(),
    ) {
        let path = if record { "/api/things/1" } else { "/api/things" };
        survives(&sent("GET", format!("{path}?{query}"), vec![accept(json_api)], Vec::new()))?;
    }

    #[test]
    fn almost_json(body in broken_json(), json_api in any::<bool>()) {
        for path in ["/api/things", "/api/token"] {
            let headers = vec![accept(json_api), ("Content-Type", media(json_api).to_owned())];
            survives(&sent("POST", path.to_owned(), headers, body.clone()))?;
        }
    }

    #[test]
    fn ids(id in text(), raw in "[!-~]{0,20}", tail in select(vec!["", "/edit", "/create", "/x"])) {
        for id in [encoded(&id), raw] {
            for method in ["GET", "DELETE", "HEAD", "OPTIONS", "TRACE"] {
                let path = format!("/api/things/{id}{tail}");
                // The rows that other rules look up stay.
                if method != "DELETE" || !matches!(id.as_str(), "1" | "2") {
                    survives(&sent(method, path, Vec::new(), Vec::new()))?;
                }
            }
        }
    }

    #[test]
    fn headers(
        values in vec((select(vec![
            "Accept", "Content-Type", "If-Match", "If-None-Match", "Authorization", "Host", "Origin",
            "X-Forwarded-For", "Content-Length", "Access-Control-Request-Method", "Idempotency-Key",
            "X-Request-Id", "User-Agent", "Expect",
        ]), prop_oneof![
            header_value(),
            select(vec![
                "*", "\"\"", "W/\"x\", *", "application/vnd.api+json; ext=", "a/b;q=2", ",,;;==",
                "application/json;q=0.5, */*;q=nan", "Bearer", "Bearer |", "Bearer 1|", "bearer 99|x",
                "-1", "18446744073709551616", "application/vnd.api+json;profile=\"",
            ]).prop_map(str::to_owned),
        ]), 0..5),
        method in select(vec!["GET", "POST", "OPTIONS", "DELETE"]),
        admin in any::<bool>(),
    ) {
        let path = if method == "DELETE" { "/api/token-of-nobody" } else { "/api/things" };
        let mut sent = sent(method, path.to_owned(), values, b"{}".to_vec());
        sent.admin = admin;
        survives(&sent)?;
    }

    #[test]
    fn bodies(body in attributes(), any in json(), json_api in any::<bool>()) {
        let media = media(json_api).to_owned();
        let document = json!({"data": {"type": "things", "attributes": body.clone()}});
        let bodies = [body, document, any.clone(), json!({"data": any})];
        for body in bodies {
            let headers = vec![accept(json_api), ("Content-Type", media.clone())];
            let body = body.to_string().into_bytes();
            survives(&sent("POST", "/api/things".to_owned(), headers, body))?;
        }
    }

    #[test]
    fn raw_bodies(body in vec(any::<u8>(), 0..64), json_api in any::<bool>(), path in select(vec!["/api/things", "/api/token"])) {
        let headers = vec![("Content-Type", media(json_api).to_owned())];
        survives(&sent("POST", path.to_owned(), headers, body.clone()))?;
        let form = vec![("Content-Type", "application/x-www-form-urlencoded".to_owned())];
        survives(&sent("POST", path.to_owned(), form, body))?;
    }
}

/// Requests of the properties do arrive: these are answered, not refused at the door.
#[test]
fn the_target_answers() {
    let list = sent("GET", "/api/things".to_owned(), Vec::new(), Vec::new());
    assert_eq!(
        status(&list).map(|(status, _)| status),
        Some(StatusCode::OK)
    );
    let json_api = vec![accept(true), ("Content-Type", media(true).to_owned())];
    let body = json!({"data": {"type": "things", "attributes": {"title": "x"}}});
    let body = body.to_string().into_bytes();
    let stored = status(&sent("POST", "/api/things".to_owned(), json_api, body));
    let (status, answer) = stored.expect("an answer");
    assert_eq!(status, StatusCode::CREATED, "{answer}");
}

/// Inputs that are worth keeping: each is near a limit of the database, the parser or the types.
#[test]
fn known_inputs() {
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    let words = vec!["a"; 3000].join("+");
    let list = vec!["1"; 30_000].join(",");
    let pattern = "%25".repeat(10_000);
    let sort = vec!["id"; 9000].join(",");
    let include = "a.".repeat(5000);
    let paths = [
        format!("?search={words}"),
        format!("?sort={sort}"),
        format!("?filter[id][in]={list}"),
        format!("?filter[title][like]={pattern}"),
        format!("?include={include}"),
    ];
    let short =
        "?search=%00 ?page=4294967295&pageLimit=50 ?page[after]=5b5d /%FF%FE /9223372036854775807";
    let paths = paths.into_iter().chain(short.split(' ').map(str::to_owned));
    let reads = paths.map(|path| ("GET", path, String::new()));
    let bodies = r#"{"title": "\u0000", "extra": "\u0000"}
        {"title": "x", "weight": 1e308, "visits": 1e18}
        {"title": "x", "price": 1e-400}
        {"title": "x", "found_at": "+262142-01-01T00:00:00Z"}
        {"title": "x", "title": 1}"#;
    let bodies = bodies.lines().map(str::to_owned).chain([deep]);
    let writes = bodies.map(|body| ("POST", String::new(), body));
    for (method, path, body) in reads.chain(writes) {
        let path = format!("/api/things{path}");
        for json_api in [false, true] {
            let headers = vec![accept(json_api), ("Content-Type", media(false).to_owned())];
            let sent = sent(method, path.clone(), headers, body.as_bytes().to_vec());
            if let Some((status, answer)) = status(&sent) {
                let short: String = path.chars().take(80).collect();
                assert!(
                    !status.is_server_error(),
                    "{short} {body}: {status} {answer}"
                );
            }
        }
    }
}
