//! Every status of docs/contract.md in both renderings: a table.

use std::collections::BTreeSet;

use formwork::{
    prelude::{Json, json},
    testing::{Answer, Client, Service},
};

use super::{config, extensions, requests::*};

/// How a client speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rendering {
    Data,
    JsonApi,
}

impl Rendering {
    pub fn media(self) -> &'static str {
        match self {
            Self::Data => "application/json",
            Self::JsonApi => "application/vnd.api+json",
        }
    }

    /// The client, asking for this rendering and sending it.
    pub fn client(self, client: Client<'_>) -> Client<'_> {
        let client = client.header("Accept", self.media());
        client.header("Content-Type", self.media())
    }

    /// The attributes of a record as a body of this rendering.
    pub fn body(self, kind: &str, id: Option<&str>, attributes: Json) -> Json {
        if self == Self::Data {
            return attributes;
        }
        let mut data = json!({"type": kind, "attributes": attributes});
        if let Some(id) = id {
            data["id"] = json!(id);
        }
        json!({"data": data})
    }
}

/// A request, and the status it is answered with.
struct Row {
    status: u16,
    why: &'static str,
    config: &'static str,
    ask: fn(&Service, Rendering) -> Answer,
}

const fn row(status: u16, why: &'static str, ask: fn(&Service, Rendering) -> Answer) -> Row {
    Row {
        status,
        why,
        config: "",
        ask,
    }
}

/// The same with a configuration of its own.
const fn configured(config: &'static str, row: Row) -> Row {
    Row { config, ..row }
}

const ROWS: &[Row] = &[
    row(200, "a page", page),
    row(200, "a record", record),
    row(200, "a blank record", blank),
    row(200, "a record to edit", edit),
    row(200, "a change", change),
    row(200, "the account of a token", account),
    row(200, "a page past the end", past_the_end),
    row(201, "a new record", store),
    row(201, "a token", login),
    row(204, "a record deleted", delete),
    row(204, "a token revoked", revoke),
    row(304, "a record the client has", known_record),
    row(304, "a list the client has", known_list),
    row(400, "no JSON", no_json),
    row(400, "no object", no_object),
    row(400, "an unknown parameter", unknown_parameter),
    row(400, "an unknown include", unknown_include),
    row(400, "a filter that does not parse", bad_filter),
    row(400, "a page of no size", bad_page),
    row(401, "no token", no_token),
    row(401, "a token that is no good, on a public route", bad_token),
    row(401, "no account", no_account),
    row(403, "the wrong kind of account", wrong_account),
    row(403, "a token without the ability", no_ability),
    row(404, "no route", no_route),
    row(404, "no record", no_record),
    row(404, "no id", no_id),
    row(405, "another method", other_method),
    row(405, "another method of tokens", other_token_method),
    row(406, "nothing that is produced", not_acceptable),
    row(409, "a record others depend on", depended_on),
    row(409, "what a hook refuses", refused_by_hook),
    row(412, "a change of another state", changed_since),
    row(412, "a deletion of another state", deleted_since),
    row(413, "a large body", large_body),
    row(415, "another media type", other_media),
    row(415, "no media type", no_media),
    row(422, "a broken rule", broken_rule),
    row(422, "a value that is taken", taken),
    row(422, "what is not there to point to", dangling),
    row(422, "a wrong login", wrong_login),
    configured(
        "api: { rate_limit: 2 }",
        row(429, "one request too many", too_many),
    ),
    row(429, "one wrong login too many", too_many_logins),
    row(500, "a failure", failure),
    row(500, "a panic", panicked),
    configured(
        "database: { pool: { max: 1, acquire_timeout: 1s } }",
        row(503, "no free connection", no_connection),
    ),
    configured(
        "api: { request_timeout: 1s }",
        row(503, "a request that takes too long", too_long),
    ),
    row(503, "a service that stops", stopping),
];

/// docs/contract.md: "Routes", "Errors".
const STATUSES: [u16; 18] = [
    200, 201, 204, 304, 400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 422, 429, 500, 503,
];

#[test]
fn each_status_is_answered_as_data() {
    judge(Rendering::Data);
}

#[test]
fn each_status_is_answered_as_a_document() {
    judge(Rendering::JsonApi);
}

fn judge(rendering: Rendering) {
    for row in ROWS {
        let service = Service::limited(config(row.config), extensions());
        let answer = (row.ask)(&service, rendering);
        let what = format!("{} ({rendering:?}): {answer}", row.why);
        assert_eq!(answer.status, row.status, "{what}");
        assert!(answer.header("x-request-id").is_some(), "{what}");
        assert_eq!(answer.header("vary"), Some("Accept"), "{what}");
        match row.status {
            204 | 304 => check_empty(&answer, &what),
            status if status < 300 => check_media(&answer, rendering, &what),
            _ => check_error(&answer, row.status, rendering, &what),
        }
    }
}

#[test]
fn no_status_of_the_contract_is_missing() {
    let seen: BTreeSet<u16> = ROWS.iter().map(|row| row.status).collect();
    assert_eq!(seen, BTreeSet::from(STATUSES));
}

fn check_empty(answer: &Answer, what: &str) {
    assert_eq!(answer.body, "", "{what}");
    assert_eq!(answer.header("content-type"), None, "{what}");
}

fn check_media(answer: &Answer, rendering: Rendering, what: &str) {
    assert_eq!(
        answer.header("content-type"),
        Some(rendering.media()),
        "{what}"
    );
    assert_eq!(
        answer.json.get("jsonapi").is_some(),
        rendering == Rendering::JsonApi,
        "{what}"
    );
}

fn check_error(answer: &Answer, status: u16, rendering: Rendering, what: &str) {
    check_media(answer, rendering, what);
    match rendering {
        Rendering::Data => {
            assert_eq!(answer.json["status_code"], status, "{what}");
            assert!(answer.json["message"].is_string(), "{what}");
            assert_eq!(answer.json["errors"].is_object(), status == 422, "{what}");
        }
        Rendering::JsonApi => {
            let errors = answer.json["errors"].as_array().expect("errors");
            assert!(!errors.is_empty(), "{what}");
            for error in errors {
                assert_eq!(error["status"], status.to_string(), "{what}");
                assert!(
                    error["title"].is_string() && error["detail"].is_string(),
                    "{what}"
                );
                let pointed = error["source"]["pointer"].is_string();
                assert!(pointed || status != 422, "{what}");
            }
            assert_eq!(answer.json.get("data"), None, "{what}");
        }
    }
    let needed = match status {
        401 => "www-authenticate",
        405 => "allow",
        429 | 503 => "retry-after",
        _ => return,
    };
    assert!(answer.header(needed).is_some(), "{needed}: {what}");
}
