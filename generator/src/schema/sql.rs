//! The SQL of a change, which statement of it loses something, and what undoes it.

/// Statements, one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Sql {
    /// All of them.
    pub text: String,
    /// The first statement that loses values of rows.
    pub losing: Option<String>,
}

/// The statements that undo a migration, or the reason why there are none (docs/adr/0012).
pub(crate) type Down = Result<String, &'static str>;

/// The reason of a change that drops something.
pub(super) const DROPPED: &str = "what it dropped is gone";

/// The reason of a change of columns.
pub(super) const CHANGED: &str = "it changes columns, whose former values are not known";

impl Sql {
    /// One statement that loses values of rows.
    pub fn losing(statement: String) -> Self {
        Self {
            losing: Some(statement.trim_end().to_owned()),
            text: statement,
        }
    }

    /// Adds statements.
    pub fn push(&mut self, next: impl Into<Sql>) {
        let next = next.into();
        self.text.push_str(&next.text);
        self.losing = self.losing.take().or(next.losing);
    }
}

impl From<String> for Sql {
    fn from(text: String) -> Self {
        Self { text, losing: None }
    }
}

impl From<&str> for Sql {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}
