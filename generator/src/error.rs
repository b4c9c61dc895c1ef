//! Errors that decide the exit status.

use crate::exit::Exit;

/// A run that was refused, with every reason at once.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", problems.join("\n"))]
pub struct Refused {
    /// The status the command ends with.
    pub exit: Exit,
    /// The reasons, one line each.
    pub problems: Vec<String>,
}

impl Refused {
    /// A refusal for one reason.
    pub fn new(exit: Exit, problem: impl Into<String>) -> Refused {
        Refused {
            exit,
            problems: vec![problem.into()],
        }
    }

    /// `Ok` where there is no problem, else the refusal.
    ///
    /// # Errors
    /// The refusal, where `problems` is not empty.
    pub fn unless_empty(exit: Exit, problems: Vec<String>) -> Result<(), Refused> {
        if problems.is_empty() {
            Ok(())
        } else {
            Err(Refused { exit, problems })
        }
    }
}

/// Mistakes in manifests; they were shown to people where they were found.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("there are mistakes in the manifests")]
pub struct Mistaken {
    /// The same for programs (`diagnostic::to_json`).
    pub diagnostics: Vec<serde_json::Value>,
}
