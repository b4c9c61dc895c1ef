//! Errors with a status and a code of the project's own.

use std::{borrow::Cow, ops::RangeInclusive};

use super::Error;

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

impl Error {
    /// An error with a status and a code of your own, which both renderings show beside the message:
    /// `Error::custom(StatusCode::PAYMENT_REQUIRED, "card_declined", "The card was declined.")`.
    ///
    /// The client gets the message as it is, also with 500 to 599. A status that is not one of
    /// errors, 400 to 599, makes it a 500 whose reason is only logged.
    pub fn custom(
        status: impl Into<u16>,
        code: impl Into<Cow<'static, str>>,
        message: impl Into<String>,
    ) -> Self {
        let (status, code) = (status.into(), code.into());
        if !STATUSES.contains(&status) {
            let reason = format!("`{status}` of the error `{code}` is not a status of errors");
            return Self::internal(reason);
        }
        Self::Custom(CustomError {
            status,
            code,
            message: message.into(),
        })
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
