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
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'a str>,
    title: &'static str,
    detail: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<ErrorSource<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    meta: Option<Meta<'a>>,
}

/// The part of the request that is at fault.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum ErrorSource<'a> {
    Pointer(&'a str),
    Parameter(&'a str),
    Header(&'static str),
}

/// The attribute at fault: a pointer cannot name one that was not sent.
#[derive(Serialize)]
struct Meta<'a> {
    field: &'a str,
}

/// The document of an error: `message` is for clients, `id` names the request.
pub(crate) fn write_errors(error: &Error, message: &str, id: &str) -> serde_json::Result<Vec<u8>> {
    let errors = match error {
        Error::Validation(errors) => {
            let each = errors.iter().flat_map(|(field, messages)| {
                messages.iter().map(move |message| ErrorObject {
                    source: errors
                        .pointer(field)
                        .map(ErrorSource::Pointer)
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
                source: Some(ErrorSource::Pointer(pointer)),
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

fn object<'a>(error: &'a Error, detail: &'a str) -> ErrorObject<'a> {
    let status = error.status();
    ErrorObject {
        id: None,
        status: status.as_u16().to_string(),
        code: match error {
            Error::Custom(error) => Some(error.code()),
            _ => None,
        },
        title: status.canonical_reason().unwrap_or("Error"),
        detail,
        source: None,
        meta: None,
    }
}

/// The source of a mistake in the header `Idempotency-Key`.
fn header(field: &str) -> Option<ErrorSource<'static>> {
    (field == IDEMPOTENCY_KEY).then_some(ErrorSource::Header(IDEMPOTENCY_KEY))
}

fn origin(error: &Error) -> Option<ErrorSource<'_>> {
    match error {
        Error::BadParameter { parameter, .. } => Some(ErrorSource::Parameter(parameter)),
        Error::ForbiddenInclude(_) => Some(ErrorSource::Parameter("include")),
        Error::NotAcceptable(_) => Some(ErrorSource::Header("Accept")),
        Error::UnsupportedMediaType(_) => Some(ErrorSource::Header("Content-Type")),
        Error::UnsupportedCoding => Some(ErrorSource::Header("Content-Encoding")),
        Error::Unauthenticated(_) => Some(ErrorSource::Header("Authorization")),
        _ => None,
    }
}
