//! Answers to what cannot be done (docs/contract.md, "Errors").

use formwork_core::config::ApiConfig;

use super::document::{Answer, Header, Named, OrRef};

/// A status, what its response is called among the components, and when it is answered.
type Refusal = (u16, &'static str, &'static str);

/// Every status below which requests are refused.
const ALL: [Refusal; 13] = [
    (
        400,
        "BadRequest",
        "The query string or the body makes no sense; the message names what.",
    ),
    (
        401,
        "Unauthorized",
        "No valid token where one is needed, or a token that is no good.",
    ),
    (
        403,
        "Forbidden",
        "The wrong kind of account, or a token that does not cover it.",
    ),
    (404, "NotFound", "No such record in the caller's reach."),
    (
        406,
        "NotAcceptable",
        "No media type of `Accept` can be produced.",
    ),
    (
        409,
        "Conflict",
        "The state of the data, or the identity in the document, is against it.",
    ),
    (
        412,
        "PreconditionFailed",
        "The record is not in the state that `If-Match` names.",
    ),
    (413, "ContentTooLarge", "The body is over the limit."),
    (
        415,
        "UnsupportedMediaType",
        "The body is in a media type that is not read.",
    ),
    (
        422,
        "UnprocessableContent",
        "Attributes of the body break rules: all of them at once.",
    ),
    (429, "TooManyRequests", "Too many requests, or attempts."),
    (
        500,
        "InternalServerError",
        "A fault of the service; the log knows more under the request's id.",
    ),
    (
        503,
        "ServiceUnavailable",
        "The service is busy, or is stopping: later it may work.",
    ),
];

/// Adds these refusals to the responses of an operation.
pub(super) fn refuse(responses: &mut Named<OrRef<Answer>>, statuses: &[u16]) {
    for (status, name, _) in ALL {
        if statuses.contains(&status) {
            responses.put(status.to_string(), OrRef::to("responses", name));
        }
    }
}

/// The responses among the components.
pub(super) fn components(
    api: &ApiConfig,
    content: &dyn Fn() -> Named<super::document::Media>,
) -> Named<Answer> {
    let answers = ALL.iter().map(|(status, name, description)| {
        let mut headers = headers(api);
        let own = match status {
            401 => Some("WWW-Authenticate"),
            429 | 503 => Some("Retry-After"),
            _ => None,
        };
        if let Some(name) = own {
            headers.put(name, OrRef::to("headers", name));
        }
        let answer = Answer {
            description: (*description).to_owned(),
            headers,
            content: content(),
        };
        (*name, answer)
    });
    answers.collect()
}

/// The headers that every answer has.
pub(super) fn headers(api: &ApiConfig) -> Named<OrRef<Header>> {
    let limits = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];
    let limits = limits.into_iter().filter(|_| api.rate_limit > 0);
    let names = ["X-Request-Id"].into_iter().chain(limits);
    names
        .map(|name| (name, OrRef::to("headers", name)))
        .collect()
}
