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

    /// The refusal of what the command line names, but this version does not do.
    pub fn not_yet(what: &str) -> Refused {
        let problem = format!("not yet: {what} comes with a later version; nothing was done");
        Refused::new(Exit::Usage, problem)
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

impl Exit {
    /// The status of an error: what a [`Refused`] in its chain says, [`Exit::Usage`] for a [`Mistaken`], else
    /// [`Exit::Failed`].
    pub fn of(error: &anyhow::Error) -> Exit {
        let refused = |cause: &(dyn std::error::Error + 'static)| {
            let mistaken = cause.is::<Mistaken>().then_some(Exit::Usage);
            cause
                .downcast_ref()
                .map(|one: &Refused| one.exit)
                .or(mistaken)
        };
        error.chain().find_map(refused).unwrap_or(Exit::Failed)
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    #[test]
    fn a_refusal_keeps_its_status_under_context() {
        let error = anyhow::Error::from(Refused::new(Exit::Usage, "no")).context("while planning");
        assert_eq!(Exit::of(&error), Exit::Usage);
        let plain = Err::<(), _>(std::io::Error::other("disk"))
            .context("writing")
            .unwrap_err();
        assert_eq!(Exit::of(&plain).code(), 1);
    }
}
