//! Every status of docs/contract.md in both representations: a table.

use std::collections::BTreeSet;

use formwork::{
    auth::AccountKind,
    prelude::*,
    testing::{Answer, Client, Service},
};

use super::{
    kitchen, limited,
    support::{Expect, JSON, JSON_API, at_once, send},
};

/// Status, reason and request. `NEW` is the id of a dish of the row's own, `TAG` the entity tag of its
/// path, `{…}` the attributes of a resource, which JSON:API has in a document.
const ROWS: &str = r#"
    200 a page                         : guest  GET    /api/dishes
    200 a record                       : guest  GET    /api/dishes/NEW
    200 a blank record                 : admin  GET    /api/dishes/create
    200 a record to edit               : admin  GET    /api/dishes/NEW/edit
    200 a change                       : admin  PATCH  /api/dishes/NEW @If-Match=* {"portions": 2}
    200 the account of a token         : admin  GET    /api/token/user
    200 a page past the end            : guest  GET    /api/dishes?page=999
    201 a new record                   : admin  POST   /api/dishes {"title": "Soup"}
    201 a token                        : login  POST   /api/token {"email": "a@example.com", "password": "formwork", "device_name": "x"}
    204 a record deleted               : admin  DELETE /api/dishes/NEW
    204 a token revoked                : holder DELETE /api/token
    304 a record the client has        : guest  GET    /api/dishes/NEW @If-None-Match=TAG
    304 a list the client has          : guest  GET    /api/dishes @If-None-Match=TAG
    400 no JSON                        : admin  POST   /api/dishes "title
    400 no object                      : admin  POST   /api/dishes [1]
    400 an unknown parameter           : guest  GET    /api/dishes?colour=red
    400 an unknown include             : guest  GET    /api/dishes?include=cooks
    400 a filter that does not parse   : guest  GET    /api/dishes?filter[price][gt]=cheap
    400 a page of no size              : guest  GET    /api/dishes?pageLimit=0
    401 no token                       : guest  DELETE /api/dishes/NEW
    401 a bad token, on a public route : stranger GET  /api/dishes
    401 no account                     : guest  GET    /api/token/user
    403 the wrong kind of account      : customer DELETE /api/dishes/NEW
    403 a token without the ability    : clerk  GET    /api/dishes
    404 no route                       : guest  GET    /api/nothing
    404 no record                      : guest  GET    /api/dishes/99999
    404 no id                          : guest  GET    /api/dishes/abc
    405 another method                 : admin  DELETE /api/dishes
    405 another method of tokens       : admin  GET    /api/token
    406 no media type that is produced : other  GET    /api/dishes
    409 a record others depend on      : admin  DELETE /api/dishes/1
    409 a record that a hook rejects   : admin  POST   /api/dishes {"title": "Poison"}
    412 a change of another state      : admin  PATCH  /api/dishes/NEW @If-Match="another" {"portions": 2}
    412 a deletion of another state    : admin  DELETE /api/dishes/NEW @If-Match="another"
    413 a large body                   : admin  POST   /api/dishes {"title": "LARGE"}
    415 another media type             : odd    POST   /api/dishes {}
    415 no media type                  : untyped POST  /api/dishes {}
    422 a broken rule                  : admin  POST   /api/dishes {"title": "", "portions": "many"}
    422 a value that is taken          : admin  POST   /api/dishes {"title": "Soup", "slug": "soup"}
    422 a wrong login                  : login  POST   /api/token {"email": "a@example.com", "password": "guess", "device_name": "x"}
    422 a missing record to point to   : admin  POST   /api/notes {"dish_id": 99999, "text": "good"}
    500 a failure                      : admin  POST   /api/dishes {"title": "Broken"}
    500 a panic                        : guest  GET    /api/dishes/13"#;

/// docs/contract.md: "Routes", "Errors".
const STATUSES: [u16; 18] = [
    200, 201, 204, 304, 400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 422, 429, 500, 503,
];

#[test]
fn each_status_is_answered_in_both_representations() {
    let service = kitchen();
    let admin = service.admin();
    admin
        .post("/api/dishes", json!({"title": "Soup", "slug": "soup"}))
        .expect(201);
    admin
        .post("/api/notes", json!({"dish_id": 1, "text": "good"}))
        .expect(201);
    service.account(AccountKind::Customer, "a@example.com");
    let chef = service.account(AccountKind::Admin, "chef@example.com");
    let token = |ability| service.with_token(service.token(AccountKind::Admin, chef, &[ability]));
    let mut statuses = BTreeSet::from([429, 503]);
    for media in [JSON, JSON_API] {
        let unacceptable = if media == JSON {
            "text/html"
        } else {
            "application/vnd.api+json;x=y"
        };
        let sending = |sent| {
            service
                .admin()
                .header("Accept", media)
                .header("Content-Type", sent)
        };
        let callers = [
            ("guest", &speaking(service.guest(), media)),
            ("customer", &speaking(service.customer(), media)),
            ("admin", &speaking(service.admin(), media)),
            ("stranger", &speaking(service.with_token("1|guess"), media)),
            ("clerk", &speaking(token("notes:*"), media)),
            ("holder", &speaking(token("*"), media)),
            ("login", &service.guest().header("Accept", media)),
            ("other", &service.guest().header("Accept", unacceptable)),
            ("odd", &sending("application/vnd.api+json;x=y")),
            ("untyped", &sending("")),
        ];
        for row in ROWS.trim().lines() {
            let (status, request) = row.trim().split_once(" : ").expect("a row");
            let status = status[..3].parse().expect("a status");
            let request = complete(&service, callers[0].1, media, request);
            check_answer(&send(&service, &callers, &request), status, media, row);
            statuses.insert(status);
        }
    }
    assert_eq!(statuses, BTreeSet::from(STATUSES));
}

/// Requests this media type, and sends it.
fn speaking<'s>(client: Client<'s>, media: &str) -> Client<'s> {
    client.header("Accept", media).header("Content-Type", media)
}

/// Completes the request of a row.
fn complete(service: &Service, guest: &Client<'_>, media: &str, request: &str) -> String {
    let mut request = request.to_owned();
    while request.contains("NEW") {
        let new = service
            .admin()
            .post("/api/dishes", json!({"title": "New"}))
            .expect(201);
        // The kitchen panics if its thirteenth dish is shown.
        let id = new.json["data"]["id"].to_string();
        request = if id == "13" {
            request
        } else {
            request.replace("NEW", &id)
        };
    }
    let path = request
        .split_whitespace()
        .nth(2)
        .expect("a path")
        .to_owned();
    if request.contains("TAG") {
        let tag = guest.get(&path).header("etag").expect("a tag").to_owned();
        request = request.replace("TAG", &tag);
    }
    let mut segments = path.split('/').skip(2);
    let kind = segments.next().filter(|kind| *kind != "token");
    if let (JSON_API, Some(kind), Some(at)) = (media, kind, request.find('{')) {
        let attributes: Json = serde_json::from_str(&request[at..]).expect("attributes");
        let mut data = json!({"type": kind, "attributes": attributes});
        if let Some(id) = segments.next() {
            data["id"] = json!(id);
        }
        request = format!("{}{}", &request[..at], json!({"data": data}));
    }
    request.replace("LARGE", &"x".repeat(1 << 20))
}

#[test]
fn a_service_that_cannot_answer_has_its_statuses_in_both_representations() {
    let busy = "database: { pool: { max: 1, acquire_timeout: 1s } }";
    let cases = [
        (429, "api: { rate_limit: 1 }", "/api/dishes"),
        (503, busy, "/api/dishes"),
        (503, "api: { request_timeout: 1s }", "/api/loaves/30000"),
        (503, "{}", "/health/ready"),
    ];
    at_once(cases.len(), |at| {
        let (status, yaml, path) = cases[at];
        let service = limited(yaml);
        let mut held = None;
        match yaml {
            "{}" => service.app().stop(),
            _ if status == 429 => drop(service.guest().get(path).expect(200)),
            _ if yaml == busy => held = service.block_on(service.app().db().begin()).ok(),
            _ => {}
        }
        let media = [JSON, JSON_API];
        at_once(media.len(), |at| {
            let answer = service.guest().header("Accept", media[at]).get(path);
            check_answer(&answer, status, media[at], yaml);
        });
        service.block_on(async { drop(held) });
    });
}

#[test]
fn too_many_wrong_logins_are_429_in_both_representations() {
    let service = kitchen();
    service.account(AccountKind::Customer, "a@example.com");
    let login = |media, password: &str| {
        let body = json!({"email": "a@example.com", "password": password, "device_name": "x"});
        let guest = service.guest().header("Accept", media);
        guest.post("/api/token", body)
    };
    for answer in at_once(5, |_| login(JSON, "guess")) {
        answer.expect(422);
    }
    for media in [JSON, JSON_API] {
        check_answer(&login(media, "formwork"), 429, media, "one too many");
    }
}

fn check_answer(answer: &Answer, status: u16, media: &str, row: &str) {
    let what = format!("{row} ({media}): {answer}");
    assert_eq!(answer.status, status, "{what}");
    let id = answer.header("x-request-id").expect("an id");
    assert_eq!(answer.header("vary"), Some("Accept"), "{what}");
    if [204, 304].contains(&status) {
        let empty = (answer.body.as_str(), answer.header("content-type"));
        return assert_eq!(empty, ("", None), "{what}");
    }
    assert_eq!(answer.header("content-type"), Some(media), "{what}");
    let json = &answer.json;
    assert_eq!(json["jsonapi"].is_object(), media == JSON_API, "{what}");
    match media {
        _ if status < 300 => {}
        JSON => {
            assert_eq!(json["status_code"], status, "{what}");
            assert!(json["message"].is_string(), "{what}");
            assert_eq!(json["errors"].is_object(), status == 422, "{what}");
        }
        _ => {
            assert_eq!(
                (json.get("data"), json["errors"].is_array()),
                (None, true),
                "{what}"
            );
            for error in json["errors"].as_array().expect("errors") {
                assert_eq!(error["status"], status.to_string(), "{what}");
                assert!(
                    error["title"].is_string() && error["detail"].is_string(),
                    "{what}"
                );
                let pointed = error["source"]["pointer"].is_string();
                assert!(pointed || status != 422, "{what}");
            }
        }
    }
    let needed = match status {
        401 => "www-authenticate",
        405 => "allow",
        429 | 503 => "retry-after",
        _ => "vary",
    };
    assert!(answer.header(needed).is_some(), "{needed}: {what}");
    // A failure is told by its id only.
    let secret = answer.body.contains("stove") || answer.body.contains("thirteenth");
    assert!(
        status != 500 || (answer.body.contains(id) && !secret),
        "{what}"
    );
}
