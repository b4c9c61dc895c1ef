//! Errors that decide the exit status.

use crate::exit::Exit;

/// A run that was refused, with every reason at once.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", messages(problems).join("\n"))]
pub struct Refused {
    /// The status the command ends with.
    pub exit: Exit,
    /// The reasons.
    pub problems: Vec<Problem>,
    /// Help for the user, one line each.
    pub help: Vec<String>,
}

/// One reason of a refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The message.
    pub message: String,
    /// The statement of a migration that it is about.
    pub statement: Option<String>,
    /// The part of a manifest that it is about.
    pub subject: Option<Subject>,
    /// The same with its place, where it was found.
    pub located: Option<Located>,
}

/// A part of a unit that a problem is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The unit: `cart.menus`.
    pub unit: String,
    /// A column, or a table.
    pub name: String,
    /// Whether it is a table: the unit's own, or a pivot.
    pub is_table: bool,
}

/// A problem with its place in a manifest, as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// For people, with colours.
    pub text: String,
    /// For programs (`diagnostic::to_json`).
    pub json: serde_json::Value,
}

impl<T: Into<String>> From<T> for Problem {
    fn from(message: T) -> Problem {
        Problem {
            message: message.into(),
            statement: None,
            subject: None,
            located: None,
        }
    }
}

impl Problem {
    /// Returns the message, with the statement in a line of its own.
    #[must_use]
    pub fn text(&self) -> String {
        match &self.statement {
            Some(statement) => format!("{}\n    {statement}", self.message),
            None => self.message.clone(),
        }
    }

    /// The same, about a column of a unit.
    #[must_use]
    pub fn about_column(self, unit: &str, column: &str) -> Problem {
        self.about(unit, column, false)
    }

    /// The same, about a table of a unit.
    #[must_use]
    pub fn about_table(self, unit: &str, table: &str) -> Problem {
        self.about(unit, table, true)
    }

    fn about(self, unit: &str, name: &str, is_table: bool) -> Problem {
        let subject = Subject {
            unit: unit.to_owned(),
            name: name.to_owned(),
            is_table,
        };
        Problem {
            subject: Some(subject),
            ..self
        }
    }
}

/// The messages of problems.
pub fn messages(problems: &[Problem]) -> Vec<String> {
    problems.iter().map(Problem::text).collect()
}

impl Refused {
    /// A refusal for one reason.
    pub fn new(exit: Exit, problem: impl Into<Problem>) -> Refused {
        Refused::all(exit, vec![problem.into()])
    }

    /// A refusal for several reasons.
    pub fn all<P: Into<Problem>>(exit: Exit, problems: Vec<P>) -> Refused {
        Refused {
            exit,
            problems: problems.into_iter().map(Into::into).collect(),
            help: Vec::new(),
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
    pub fn unless_empty<P: Into<Problem>>(exit: Exit, problems: Vec<P>) -> Result<(), Refused> {
        if problems.is_empty() {
            Ok(())
        } else {
            Err(Refused::all(exit, problems))
        }
    }
}

/// Mistakes in manifests; they were shown to people where they were found.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("there are mistakes in the manifests")]
pub struct Mistaken {
    /// The status the command ends with: [`Exit::Markers`] where git's conflict markers are the
    /// only problem.
    pub exit: Exit,
    /// The same for programs (`diagnostic::to_json`).
    pub diagnostics: Vec<serde_json::Value>,
}

impl Exit {
    /// The exit status of an error: that of a [`Refused`] or a [`Mistaken`] in its chain, otherwise
    /// [`Exit::Failed`].
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
