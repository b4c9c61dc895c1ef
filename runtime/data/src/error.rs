//! The errors of a service. `formwork-core` maps them to statuses; the numbers here are for
//! readers.

mod answer;
mod document;
mod validation;

use std::{borrow::Cow, fmt, ops::RangeInclusive};

pub use document::{DocumentError, DocumentProblem};
pub use validation::ValidationErrors;

/// The result of fallible functions of the runtime, and of code that uses it.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The source of an error, which clients do not see.
pub type Source = Box<dyn std::error::Error + Send + Sync>;

/// The error of a request.
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
        /// The reason why it is refused.
        message: String,
    },
    /// 400, 403 or 409: a JSON:API document is not what the standard, or the route, asks for.
    #[error("{}", .0.message())]
    Document(DocumentError),
    /// 401: no valid token where one is needed.
    #[error("{0}")]
    Unauthenticated(String),
    /// 403: the caller may not do this.
    #[error("{0}")]
    Forbidden(String),
    /// 403: the caller may not see the target of an include.
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
    /// 415: the body is in a media type that is not read.
    #[error("{0}")]
    UnsupportedMediaType(String),
    /// 415: the body is compressed, or coded in another way.
    #[error("The body has to be sent without Content-Encoding.")]
    UnsupportedCoding,
    /// 422: attributes of the body break rules; all of them at once.
    #[error("{}", .0.message())]
    Validation(ValidationErrors),
    /// A status and a code of the project's own.
    #[error("{}", .0.message())]
    Custom(CustomError),
    /// 429: too many attempts.
    #[error("Too Many Attempts.")]
    TooManyRequests {
        /// Seconds until the next attempt may succeed.
        retry_after: u64,
    },
    /// 503: the pool is exhausted, the service is stopping, or the request took too long.
    #[error("{0}")]
    Unavailable(String),
    /// 503: the database rolled the transaction back in favour of another one. It may be repeated.
    #[error("The database is busy; try again later.")]
    Deadlock,
    /// 500: the user's code is not written yet.
    #[error("not written yet: {0}")]
    Unfinished(String),
    /// 500: everything else. The answer has the request's id, and the log has the details.
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

    /// 404 for a record that does not exist, or that the caller may not see.
    pub fn not_found() -> Self {
        Self::NotFound("The record was not found.".to_owned())
    }

    /// 404 for the record with this id: `Record with identifier [9] not found.`
    pub fn record_not_found(id: impl fmt::Display) -> Self {
        Self::NotFound(format!("Record with identifier [{id}] not found."))
    }

    /// 409 with this message: the request is valid, but other rows or the state of the record forbid the
    /// change, as when an order that is on its way is to be deleted.
    pub fn conflict(message: impl Into<String>) -> Self {
        Self::Conflict(message.into())
    }

    /// 401 with this message, for callers without valid credentials. For a known caller that lacks
    /// the right, return [`Error::forbidden`].
    pub fn unauthenticated(message: impl Into<String>) -> Self {
        Self::Unauthenticated(message.into())
    }

    /// 403 with this message, for a known caller that lacks the right. If the caller may not know
    /// that the record exists, return [`Error::not_found`].
    pub fn forbidden(message: impl Into<String>) -> Self {
        Self::Forbidden(message.into())
    }

    /// An error with a status and a code of your own, which both renderings show beside the message:
    /// `Error::custom(StatusCode::PAYMENT_REQUIRED, "card_declined", "The card was declined.")`.
    ///
    /// The client gets the message unchanged, also with a status of 500 to 599. With a status that
    /// is not an error (400 to 599), the answer is a 500, and its reason is only logged.
    pub fn custom(
        status: impl Into<u16>,
        code: impl Into<Cow<'static, str>>,
        message: impl Into<String>,
    ) -> Self {
        let error = CustomError::new(status.into(), code.into(), message.into());
        error.map_or_else(Self::internal, Self::Custom)
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
}

impl ValidationErrors {
    /// `Ok` without messages.
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

/// The statuses of errors (RFC 9110, sections 15.5 and 15.6).
const STATUSES: RangeInclusive<u16> = 400..=599;

/// An error with a status and a code of the project's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomError {
    status: u16,
    code: Cow<'static, str>,
    message: String,
}

impl CustomError {
    /// An error with this status; `Err` says what is wrong with the status.
    pub(super) fn new(
        status: u16,
        code: Cow<'static, str>,
        message: String,
    ) -> Result<Self, String> {
        if STATUSES.contains(&status) {
            return Ok(Self {
                status,
                code,
                message,
            });
        }
        Err(format!(
            "`{status}` of the error `{code}` is not a status of errors"
        ))
    }

    /// The status: 400 to 599.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The code, by which programs tell the error from others of its status.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// The message for the client.
    pub fn message(&self) -> &str {
        &self.message
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_of_success_is_no_error() {
        let error = Error::custom(402_u16, "card_declined", "The card was declined.");
        assert!(matches!(&error, Error::Custom(it) if it.status() == 402));
        assert_eq!(error.to_string(), "The card was declined.");
        for status in [0_u16, 200, 304, 399, 600] {
            let error = Error::custom(status, "odd", "Odd.");
            assert!(matches!(error, Error::Internal(_)), "{status}");
        }
    }
}
