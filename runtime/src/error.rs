//! The errors of a service: one status each, and how they are shown (http.md, "Errors").

use std::{collections::BTreeMap, fmt};

use axum::http::StatusCode;
use formwork_vocabulary::inflect::words;
use serde::Serialize;

/// What fallible functions of the runtime, and of code that uses it, return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The source of an error nobody outside learns about.
pub type Source = Box<dyn std::error::Error + Send + Sync>;

/// Why a request was not answered as it wished.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// 400: the body is no JSON of the expected shape.
    #[error("{0}")]
    Malformed(String),
    /// 400: a query parameter is unknown, forbidden, or its value makes no sense.
    #[error("Invalid query parameter `{parameter}`: {message}")]
    BadParameter {
        /// The parameter as the client wrote it, such as `filter[price]`.
        parameter: String,
        /// What is wrong with it.
        message: String,
    },
    /// 400, 403 or 409: a JSON:API document is not what the standard, or the route, asks for.
    #[error("{}", .0.message())]
    Document(DocumentError),
    /// 401: no valid token where one is needed.
    #[error("{0}")]
    Unauthenticated(String),
    /// 403: the caller may not.
    #[error("{0}")]
    Forbidden(String),
    /// 403: the caller may not see what an include leads to.
    #[error("The include `{0}` is not permitted.")]
    ForbiddenInclude(String),
    /// 404: no such route, or no such record in reach of the caller.
    #[error("{0}")]
    NotFound(String),
    /// 405: the path exists, the method does not.
    #[error("The {method} method is not supported for this route.")]
    MethodNotAllowed {
        /// The method that was asked for.
        method: String,
        /// The value of `Allow`.
        allow: String,
    },
    /// 406: no media type the client accepts can be produced.
    #[error("{0}")]
    NotAcceptable(String),
    /// 409: the database refuses, because other rows depend on this one.
    #[error("{0}")]
    Conflict(String),
    /// 412: the record is not the one `If-Match` names, or is one that `If-None-Match` names.
    #[error("The record is not in the state that the request asks for.")]
    PreconditionFailed,
    /// 413: the body is over the limit.
    #[error("The request body is larger than {0} bytes.")]
    TooLarge(usize),
    /// 414: the target of the request is too long.
    #[error("The address of the request is too long.")]
    TargetTooLong,
    /// 431: the headers are too many, or too large.
    #[error("The headers of the request are too large.")]
    HeadersTooLarge,
    /// 415: the body is in a media type that is not read.
    #[error("{0}")]
    UnsupportedMediaType(String),
    /// 415: the body is compressed, or coded in another way.
    #[error("The body has to be sent without Content-Encoding.")]
    UnsupportedCoding,
    /// 422: attributes of the body break rules; all of them at once.
    #[error("{}", .0.message())]
    Validation(ValidationErrors),
    /// 429: too many attempts.
    #[error("Too Many Attempts.")]
    TooManyRequests {
        /// Seconds until the next attempt may succeed.
        retry_after: u64,
    },
    /// 503: the pool is exhausted, the service is stopping, or the request took too long.
    #[error("{0}")]
    Unavailable(String),
    /// 500: something is to be written still.
    #[error("not written yet: {0}")]
    Unfinished(String),
    /// 500: everything else. The client is told the request's id, the log the rest.
    #[error("{0}")]
    Internal(Source),
}

impl Error {
    /// 422 on one field: `Error::validation("email", "The email has already been taken.")`.
    pub fn validation(field: impl Into<String>, message: impl Into<String>) -> Self {
        let mut errors = ValidationErrors::default();
        errors.add(field, message);
        Self::Validation(errors)
    }

    /// 404 for a record that is not there, or not the caller's.
    pub fn not_found() -> Self {
        Self::NotFound("The record was not found.".to_owned())
    }

    /// 404 for the record with this id: `Record with identifier [9] not found.`
    pub fn record_not_found(id: impl fmt::Display) -> Self {
        Self::NotFound(format!("Record with identifier [{id}] not found."))
    }

    /// 409.
    pub fn conflict(message: impl Into<String>) -> Self {
        Self::Conflict(message.into())
    }

    /// 401.
    pub fn unauthenticated(message: impl Into<String>) -> Self {
        Self::Unauthenticated(message.into())
    }

    /// 403.
    pub fn forbidden(message: impl Into<String>) -> Self {
        Self::Forbidden(message.into())
    }

    /// 400 naming a query parameter.
    pub fn bad_parameter(parameter: impl Into<String>, message: impl Into<String>) -> Self {
        Self::BadParameter {
            parameter: parameter.into(),
            message: message.into(),
        }
    }

    /// 500, logged: poured code that is to be filled by hand answers with it.
    pub fn unfinished(what: impl Into<String>) -> Self {
        Self::Unfinished(what.into())
    }

    /// 500, the source logged.
    pub fn internal(source: impl Into<Source>) -> Self {
        Self::Internal(source.into())
    }

    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Document(error) => error.status,
            Self::Malformed(_) | Self::BadParameter { .. } => StatusCode::BAD_REQUEST,
            Self::Unauthenticated(_) => StatusCode::UNAUTHORIZED,
            Self::Forbidden(_) | Self::ForbiddenInclude(_) => StatusCode::FORBIDDEN,
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed { .. } => StatusCode::METHOD_NOT_ALLOWED,
            Self::NotAcceptable(_) => StatusCode::NOT_ACCEPTABLE,
            Self::Conflict(_) => StatusCode::CONFLICT,
            Self::PreconditionFailed => StatusCode::PRECONDITION_FAILED,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::TargetTooLong => StatusCode::URI_TOO_LONG,
            Self::HeadersTooLarge => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            Self::UnsupportedMediaType(_) | Self::UnsupportedCoding => {
                StatusCode::UNSUPPORTED_MEDIA_TYPE
            }
            Self::Validation(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::TooManyRequests { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Unfinished(_) | Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

/// What is wrong with a JSON:API document, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentError {
    status: StatusCode,
    faults: Vec<(String, String)>,
}

impl DocumentError {
    /// One fault at a JSON pointer (RFC 6901) into the document.
    pub(crate) fn new(
        status: StatusCode,
        pointer: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        let faults = vec![(pointer.into(), message.into())];
        Self { status, faults }
    }

    /// Adds the faults of another of the same status.
    pub(crate) fn merge(&mut self, other: Self) {
        self.faults.extend(other.faults);
    }

    /// The status of its faults.
    pub(crate) const fn status(&self) -> StatusCode {
        self.status
    }

    /// Pointers and messages.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.faults
            .iter()
            .map(|(pointer, message)| (pointer.as_str(), message.as_str()))
    }

    fn message(&self) -> &str {
        self.faults
            .first()
            .map_or("The document is malformed.", |(_, message)| message)
    }
}

/// Most fields that one answer tells of.
const MOST_FIELDS: usize = 100;

/// Messages by field: what `errors` of a 422 holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ValidationErrors {
    fields: BTreeMap<String, Vec<String>>,
    /// Where in the request's body the fields stand, as JSON pointers (RFC 6901).
    #[serde(skip)]
    pointers: BTreeMap<String, String>,
}

impl ValidationErrors {
    /// Adds a message to a field; the same message is not said twice. What is wrong with more than
    /// 100 fields is told of 100: a list of any length costs an answer of a bounded one.
    pub fn add(&mut self, field: impl Into<String>, message: impl Into<String>) {
        let field = field.into();
        if self.is_full() && !self.has(&field) {
            return;
        }
        let messages = self.fields.entry(field).or_default();
        let message = message.into();
        if !messages.contains(&message) {
            messages.push(message);
        }
    }

    /// Adds all messages of another.
    pub fn merge(&mut self, other: Self) {
        for (field, messages) in other.fields {
            for message in messages {
                self.add(field.as_str(), message);
            }
        }
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Whether no other field is told of any more.
    pub(crate) fn is_full(&self) -> bool {
        self.fields.len() >= MOST_FIELDS
    }

    /// Whether something is wrong with this field.
    pub fn has(&self, field: &str) -> bool {
        self.fields.contains_key(field)
    }

    /// Whether something is wrong with this field, or with something in it.
    pub(crate) fn has_within(&self, field: &str) -> bool {
        let inside = format!("{field}.");
        self.has(field) || self.fields.keys().any(|known| known.starts_with(&inside))
    }

    /// Fields and their messages, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.fields
            .iter()
            .map(|(field, messages)| (field.as_str(), messages.as_slice()))
    }

    /// Notes where in the request's body each field stands.
    pub(crate) fn locate(&mut self, pointer: impl Fn(&str) -> String) {
        let located = self.fields.keys();
        self.pointers = located
            .map(|field| (field.clone(), pointer(field)))
            .collect();
    }

    /// Calls a field, and the members of it, by the name its rendering has for it.
    pub(crate) fn rename(&mut self, field: &str, name: &str) {
        let inside = format!("{field}.");
        let is_meant = |known: &String| known == field || known.starts_with(&inside);
        let known: Vec<String> = self
            .fields
            .keys()
            .filter(|it| is_meant(it))
            .cloned()
            .collect();
        for known in known {
            let called = format!("{name}{}", &known[field.len()..]);
            let words = [&known, &called].map(|field| words(field));
            for message in self.fields.remove(&known).unwrap_or_default() {
                self.add(called.as_str(), message.replacen(&words[0], &words[1], 1));
            }
            if let Some(pointer) = self.pointers.remove(&known) {
                self.pointers.insert(called, pointer);
            }
        }
    }

    /// Where in the request's body a field stands, if that is known.
    pub(crate) fn pointer(&self, field: &str) -> Option<&str> {
        self.pointers.get(field).map(String::as_str)
    }

    /// The message of the whole answer: the first of all, and how many more there are.
    pub fn message(&self) -> String {
        let mut messages = self.fields.values().flatten();
        let Some(first) = messages.next() else {
            return "The given data was invalid.".to_owned();
        };
        match messages.count() {
            0 => first.clone(),
            1 => format!("{first} (and 1 more error)"),
            more => format!("{first} (and {more} more errors)"),
        }
    }

    /// Nothing when all is well.
    ///
    /// # Errors
    ///
    /// 422 with every message.
    pub fn into_result(self) -> Result<()> {
        if self.is_empty() {
            Ok(())
        } else {
            Err(Error::Validation(self))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_counts_the_rest() {
        let mut errors = ValidationErrors::default();
        errors.add("name", "The name field is required.");
        assert_eq!(errors.message(), "The name field is required.");
        errors.add("price", "The price field must be a number.");
        errors.add("price", "The price field must be a number.");
        assert_eq!(
            errors.message(),
            "The name field is required. (and 1 more error)"
        );
        assert!(errors.into_result().is_err());
    }

    #[test]
    fn so_many_fields_are_told_of_and_no_more() {
        let mut errors = ValidationErrors::default();
        for at in 0..MOST_FIELDS + 5 {
            errors.add(format!("ids.{at}"), "x");
        }
        errors.add("ids.0", "y");
        assert_eq!(errors.iter().count(), MOST_FIELDS);
        assert_eq!(errors.message(), "x (and 100 more errors)");
    }

    #[test]
    fn a_field_may_be_called_by_another_name() {
        let mut errors = ValidationErrors::default();
        errors.add("type", "The selected type is invalid.");
        errors.add("type.0", "The type.0 field is required.");
        errors.add("typed", "The typed field is required.");
        errors.locate(|field| format!("/{field}"));
        errors.rename("type", "coupon_type");
        let seen: Vec<(&str, &str)> = errors
            .iter()
            .map(|(field, messages)| (field, messages[0].as_str()))
            .collect();
        let expected = [
            ("coupon_type", "The selected coupon type is invalid."),
            ("coupon_type.0", "The coupon type.0 field is required."),
            ("typed", "The typed field is required."),
        ];
        assert_eq!(seen, expected);
        assert_eq!(errors.pointer("coupon_type"), Some("/type"));
    }
}
