//! Errors with a status and a code of the project's own.

use std::{borrow::Cow, ops::RangeInclusive};

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
