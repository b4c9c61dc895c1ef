//! The callers of an operation, and its responses to rejected requests.

use formwork_core::{
    action::{Action, Allow},
    config::{ApiConfig, SerializerKind},
    rendering::{JSON, JSON_API},
};

use super::{
    document::{Answer, Header, Media, Operation, OrRef, Requirement, content},
    schema::{Named, Schema, named},
};

/// The statuses of rejected requests, and the names of their responses among the components.
const ERRORS: [(u16, &str); 13] = [
    (400, "BadRequest"),
    (401, "Unauthorized"),
    (403, "Forbidden"),
    (404, "NotFound"),
    (406, "NotAcceptable"),
    (409, "Conflict"),
    (412, "PreconditionFailed"),
    (413, "ContentTooLarge"),
    (415, "UnsupportedMediaType"),
    (422, "UnprocessableContent"),
    (429, "TooManyRequests"),
    (500, "InternalServerError"),
    (503, "ServiceUnavailable"),
];

/// Describes the callers that may use an operation. `action`: for an operation of a resource.
pub(super) fn describe_callers(
    operation: &mut Operation,
    allow: Allow,
    abilities: &[&str],
    action: Option<Action>,
) {
    let bearer = Requirement { bearer: Some([]) };
    let no_token = Requirement::default();
    operation.security = match allow {
        Allow::All => vec![no_token, bearer],
        Allow::Guest => vec![no_token],
        Allow::Users | Allow::Customer | Allow::Admin => vec![bearer],
    };
    operation.context = Some(allow.name());
    let abilities = abilities.iter();
    operation.abilities = abilities
        .map(|ability| required_ability(ability, action))
        .collect();
    callers(allow).clone_into(&mut operation.description);
    if !operation.abilities.is_empty() && allow != Allow::Guest {
        let abilities = operation.abilities.join("` or `");
        operation.description += &format!(" A token has to cover `{abilities}`.");
    }
}

/// Returns whether a caller whose token is valid may be rejected: 403.
pub(super) fn may_forbid(allow: Allow, abilities: &[&str]) -> bool {
    !matches!(allow, Allow::All | Allow::Users) || !abilities.is_empty()
}

fn callers(allow: Allow) -> &'static str {
    match allow {
        Allow::All => "For everyone, with a token or without.",
        Allow::Guest => "For requests without a token.",
        Allow::Users => "For every valid token.",
        Allow::Customer => "For tokens of customers.",
        Allow::Admin => "For tokens of administrators.",
    }
}

/// Returns the ability that an action requires: `menus:index` if `menus:*` is required.
fn required_ability(required: &str, action: Option<Action>) -> String {
    let required = required.replace('.', ":");
    match (required.split_once(':').unwrap_or((&required, "*")), action) {
        ((resource, "*"), Some(action)) => format!("{resource}:{}", action.name()),
        _ => required,
    }
}

/// Adds the responses of these statuses to those of an operation.
pub(super) fn add_errors(responses: &mut Named<OrRef<Answer>>, statuses: &[u16]) {
    for (status, name) in ERRORS {
        if statuses.contains(&status) {
            responses.insert(status.to_string(), OrRef::to("responses", name));
        }
    }
}

/// Returns the headers that every response has.
pub(super) fn headers(api: &ApiConfig) -> Named<OrRef<Header>> {
    let limits = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];
    let limits = limits.into_iter().filter(|_| api.rate_limit > 0);
    let names = ["X-Request-Id"].into_iter().chain(limits);
    named(names.map(|name| (name, OrRef::to("headers", name))))
}

/// Returns the body of an error.
pub(super) fn error_content(api: &ApiConfig) -> Named<Media> {
    in_both_renderings(api, Schema::to("Error"), Schema::to("ErrorDocument"))
}

/// Returns a body in both renderings, as `api.serializer` says.
pub(super) fn in_both_renderings(api: &ApiConfig, data: Schema, document: Schema) -> Named<Media> {
    let plain = match api.serializer {
        SerializerKind::Data => data,
        SerializerKind::JsonApi => document.clone(),
    };
    content([(JSON, plain), (JSON_API, document)])
}
