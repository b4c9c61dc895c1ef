//! Why a command failed.

use std::fmt;

use formwork_data::error::Error;

/// Why a command failed, in sentences.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Failure(String);

impl Failure {
    /// Says why.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<Error> for Failure {
    /// The console may show details that clients may not see.
    fn from(error: Error) -> Self {
        match error {
            Error::Validation(errors) => {
                let messages = errors.iter().flat_map(|(_, messages)| messages).cloned();
                Self(messages.collect::<Vec<_>>().join("\n"))
            }
            other => Self(other.to_string()),
        }
    }
}

/// The result of a command.
pub(super) type Outcome = Result<(), Failure>;
