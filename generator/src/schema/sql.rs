//! The SQL of a change, and which statement of it loses something.

/// Statements, one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Sql {
    /// All of them.
    pub text: String,
    /// The first statement that loses values of rows.
    pub losing: Option<String>,
}

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
