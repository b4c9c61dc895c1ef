//! Errors that decide the exit status.

use crate::exit::Exit;

/// A run that was refused, with every reason at once.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", problems.join("\n"))]
pub struct Refused {
    /// The status the command ends with.
    pub exit: Exit,
    /// The reasons.
    pub problems: Vec<String>,
    /// What to do instead, one line each.
    pub help: Vec<String>,
}

impl Refused {
    /// A refusal for one reason.
    pub fn new(exit: Exit, problem: impl Into<String>) -> Refused {
        Refused::all(exit, vec![problem.into()])
    }

    /// A refusal for several reasons.
    pub fn all(exit: Exit, problems: Vec<String>) -> Refused {
        let help = Vec::new();
        Refused {
            exit,
            problems,
            help,
        }
    }

    /// The same with what to do instead.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Refused {
        self.help.push(help.into());
        self
    }

    /// `Ok` where there is no problem, else the refusal.
    ///
    /// # Errors
    /// The refusal, where `problems` is not empty.
    pub fn unless_empty(exit: Exit, problems: Vec<String>) -> Result<(), Refused> {
        if problems.is_empty() {
            Ok(())
        } else {
            Err(Refused::all(exit, problems))
        }
    }
}

/// Why something that the command line names is refused: this version does not do it.
pub fn not_yet(what: &str) -> String {
    format!("not yet: {what} comes with a later version; nothing was done")
}

/// Mistakes in manifests; they were shown to people where they were found.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("there are mistakes in the manifests")]
pub struct Mistaken {
    /// The status the command ends with: [`Exit::Markers`] where git's conflict markers are all that is wrong.
    pub exit: Exit,
    /// The same for programs (`diagnostic::to_json`).
    pub diagnostics: Vec<serde_json::Value>,
}

impl Exit {
    /// The status of an error: what a [`Refused`] or a [`Mistaken`] in its chain says, else [`Exit::Failed`].
    pub fn of(error: &anyhow::Error) -> Exit {
        let refused = |cause: &(dyn std::error::Error + 'static)| {
            let mistaken = cause.downcast_ref().map(|one: &Mistaken| one.exit);
            let refused = cause.downcast_ref().map(|one: &Refused| one.exit);
            refused.or(mistaken)
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
