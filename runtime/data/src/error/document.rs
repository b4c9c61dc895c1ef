//! Mistakes of a JSON:API document.

/// How a document is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentProblem {
    /// 400: it is not as the standard requires.
    Malformed,
    /// 403: it requests a change that the route does not support.
    Forbidden,
    /// 409: it is about another object than the route.
    Conflict,
}

/// The mistakes of a JSON:API document, with their places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentError {
    problem: DocumentProblem,
    faults: Vec<(String, String)>,
}

impl DocumentError {
    /// One fault at a JSON pointer (RFC 6901) into the document.
    pub fn new(
        problem: DocumentProblem,
        pointer: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        let faults = vec![(pointer.into(), message.into())];
        Self { problem, faults }
    }

    /// Adds the faults of another of the same kind.
    pub fn merge(&mut self, other: Self) {
        self.faults.extend(other.faults);
    }

    /// The kind of its faults.
    pub const fn problem(&self) -> DocumentProblem {
        self.problem
    }

    /// Pointers and messages.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.faults
            .iter()
            .map(|(pointer, message)| (pointer.as_str(), message.as_str()))
    }

    pub(super) fn message(&self) -> &str {
        self.faults
            .first()
            .map_or("The document is malformed.", |(_, message)| message)
    }
}
