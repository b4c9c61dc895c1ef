//! Errors as JSON:API writes them (jsonapi.org, "Error Objects").

use formwork_data::error::Error;
use serde::Serialize;

use super::document::VERSION;
use crate::status::Status;

/// The only header whose value is judged as a field is.
const IDEMPOTENCY_KEY: &str = "Idempotency-Key";

#[derive(Serialize)]
struct Errors<'a> {
    jsonapi: super::document::Implementation,
    errors: Vec<ErrorObject<'a>>,
}

#[derive(Serialize)]
struct ErrorObject<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    status: String,
    title: &'static str,
    detail: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Origin<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    meta: Option<Meta<'a>>,
}

/// What in the request is to blame.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Origin<'a> {
    Pointer(&'a str),
    Parameter(&'a str),
    Header(&'static str),
}

/// The attribute at fault: a pointer cannot name one that was not sent.
#[derive(Serialize)]
struct Meta<'a> {
    field: &'a str,
}

/// The document of an error: `message` is what clients are told, `id` names the request.
pub(crate) fn write_errors(error: &Error, message: &str, id: &str) -> serde_json::Result<Vec<u8>> {
    let errors = match error {
        Error::Validation(errors) => {
            let each = errors.iter().flat_map(|(field, messages)| {
                messages.iter().map(move |message| ErrorObject {
                    source: errors
                        .pointer(field)
                        .map(Origin::Pointer)
                        .or_else(|| header(field)),
                    meta: Some(Meta { field }),
                    ..object(error, message)
                })
            });
            each.collect()
        }
        Error::Document(faults) => faults
            .iter()
            .map(|(pointer, message)| ErrorObject {
                source: Some(Origin::Pointer(pointer)),
                ..object(error, message)
            })
            .collect(),
        _ => vec![ErrorObject {
            id: error.status().is_server_error().then_some(id),
            source: origin(error),
            ..object(error, message)
        }],
    };
    serde_json::to_vec(&Errors {
        jsonapi: VERSION,
        errors,
    })
}

fn object<'a>(error: &Error, detail: &'a str) -> ErrorObject<'a> {
    let status = error.status();
    ErrorObject {
        id: None,
        status: status.as_u16().to_string(),
        title: status.canonical_reason().unwrap_or("Error"),
        detail,
        source: None,
        meta: None,
    }
}

/// What is wrong with a request that a header makes the same as an earlier one.
fn header(field: &str) -> Option<Origin<'static>> {
    (field == IDEMPOTENCY_KEY).then_some(Origin::Header(IDEMPOTENCY_KEY))
}

fn origin(error: &Error) -> Option<Origin<'_>> {
    match error {
        Error::BadParameter { parameter, .. } => Some(Origin::Parameter(parameter)),
        Error::ForbiddenInclude(_) => Some(Origin::Parameter("include")),
        Error::NotAcceptable(_) => Some(Origin::Header("Accept")),
        Error::UnsupportedMediaType(_) => Some(Origin::Header("Content-Type")),
        Error::UnsupportedCoding => Some(Origin::Header("Content-Encoding")),
        Error::Unauthenticated(_) => Some(Origin::Header("Authorization")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;
    use formwork_data::error::ValidationErrors;

    fn written(error: &Error) -> Json {
        let body = write_errors(error, &error.to_string(), "7").expect("JSON");
        serde_json::from_slice(&body).expect("JSON")
    }

    #[test]
    fn fields_are_pointed_at() {
        let mut errors = ValidationErrors::default();
        errors.add("title", "Too short.");
        errors.add("title", "Too plain.");
        errors.locate(|field| format!("/data/attributes/{field}"));
        let seen = written(&Error::Validation(errors));
        assert_eq!(seen["jsonapi"], json!({"version": "1.1"}));
        assert_eq!(seen["errors"].as_array().map(Vec::len), Some(2));
        assert_eq!(
            seen["errors"][1],
            json!({
                "status": "422",
                "title": "Unprocessable Entity",
                "detail": "Too plain.",
                "source": {"pointer": "/data/attributes/title"},
                "meta": {"field": "title"},
            })
        );
    }

    #[test]
    fn parameters_and_headers_are_named() {
        let seen = written(&Error::bad_parameter("filter[x]", "Unknown."));
        assert_eq!(
            seen["errors"][0]["source"],
            json!({"parameter": "filter[x]"})
        );
        let seen = written(&Error::ForbiddenInclude("menus.media".to_owned()));
        let seen = &seen["errors"][0];
        assert_eq!(seen["source"], json!({"parameter": "include"}));
        assert_eq!(seen["status"], "403");
        assert_eq!(
            seen["detail"],
            "The include `menus.media` is not permitted."
        );
        let seen = written(&Error::NotAcceptable("No.".to_owned()));
        assert_eq!(seen["errors"][0]["source"], json!({"header": "Accept"}));
        let seen = written(&Error::not_found());
        assert_eq!(seen["errors"][0].get("source"), None);
        assert_eq!(seen["errors"][0].get("id"), None);
        assert_eq!(written(&Error::internal("x"))["errors"][0]["id"], "7");
    }
}
