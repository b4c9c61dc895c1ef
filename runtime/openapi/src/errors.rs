//! Answers to refused requests.

use formwork_core::config::ApiConfig;

use super::document::{Answer, Header, Named, OrRef, named};

/// A status, the name of its response among the components, and its description.
type Refusal = (u16, &'static str, &'static str);

/// Every status below which requests are refused.
const ALL: [Refusal; 13] = [
    (
        400,
        "BadRequest",
        "The query string or the body is malformed; the message names the error.",
    ),
    (401, "Unauthorized", "The token is missing or invalid."),
    (
        403,
        "Forbidden",
        "The account or the token may not do this.",
    ),
    (
        404,
        "NotFound",
        "The record does not exist, or the caller may not see it.",
    ),
    (
        406,
        "NotAcceptable",
        "No media type of `Accept` can be produced.",
    ),
    (
        409,
        "Conflict",
        "The request conflicts with the data, or with the identity in the document.",
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
        "The media type of the body is not supported.",
    ),
    (
        422,
        "UnprocessableContent",
        "Attributes of the body are invalid; the errors list all of them.",
    ),
    (
        429,
        "TooManyRequests",
        "Too many requests or login attempts.",
    ),
    (
        500,
        "InternalServerError",
        "An error of the service; the log has details under the request's id.",
    ),
    (
        503,
        "ServiceUnavailable",
        "The service is busy or stopping; try again later.",
    ),
];

/// Adds these refusals to the responses of an operation.
pub(super) fn refuse(responses: &mut Named<OrRef<Answer>>, statuses: &[u16]) {
    for (status, name, _) in ALL {
        if statuses.contains(&status) {
            responses.insert(status.to_string(), OrRef::to("responses", name));
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
            headers.insert(name.into(), OrRef::to("headers", name));
        }
        let answer = Answer {
            description: (*description).to_owned(),
            headers,
            content: content(),
        };
        (*name, answer)
    });
    named(answers)
}

/// The headers that every answer has.
pub(super) fn headers(api: &ApiConfig) -> Named<OrRef<Header>> {
    let limits = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];
    let limits = limits.into_iter().filter(|_| api.rate_limit > 0);
    let names = ["X-Request-Id"].into_iter().chain(limits);
    named(names.map(|name| (name, OrRef::to("headers", name))))
}
