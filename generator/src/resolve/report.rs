//! Collects the diagnostics of a run, each with its file.

use std::cell::{RefCell, RefMut};

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::manifest::Span;
use crate::merge::markers;

/// The diagnostics of a run, in the order in which they are found.
#[derive(Debug, Default)]
pub struct Diagnostics(RefCell<Vec<Diagnostic>>);

/// Reports the errors of one file.
#[derive(Debug, Clone, Copy)]
pub struct Report<'r> {
    /// The file.
    pub path: &'r str,
    diagnostics: &'r RefCell<Vec<Diagnostic>>,
}

/// A word and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub text: String,
    /// Its place.
    pub span: Span,
}

impl Diagnostics {
    /// Returns the report of a file.
    pub fn report<'r>(&'r self, path: &'r str) -> Report<'r> {
        Report {
            path,
            diagnostics: &self.0,
        }
    }

    /// Adds the diagnostics of another collection.
    pub fn append(&self, other: Self) {
        self.0.borrow_mut().append(&mut other.into_inner());
    }

    /// Returns the diagnostics as a list.
    pub fn into_inner(self) -> Vec<Diagnostic> {
        self.0.into_inner()
    }
}

impl<'r> Report<'r> {
    /// Adds an error with a suggested correction.
    pub fn reject(
        self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.error(code, span, message).help(help);
    }

    /// Adds an error. Its details follow in the same statement, before anything else is reported.
    pub fn error(
        self,
        code: Code,
        span: Span,
        message: impl Into<String>,
    ) -> RefMut<'r, Diagnostic> {
        let mut diagnostics = self.diagnostics.borrow_mut();
        let index = diagnostics.len();
        diagnostics.push(Diagnostic::new(code, self.path, span, message));
        RefMut::map(diagnostics, |diagnostics| &mut diagnostics[index])
    }

    /// Adds a warning with a suggested correction.
    pub fn warn(self, code: Code, span: Span, message: impl Into<String>, help: impl Into<String>) {
        let mut diagnostic = self.error(code, span, message);
        diagnostic.severity = Severity::Warning;
        diagnostic.help(help);
    }

    /// Returns the number of diagnostics so far.
    pub fn count(self) -> usize {
        self.diagnostics.borrow().len()
    }

    /// Checks whether git left conflict markers in this file, which keep it from being read; reports them.
    pub fn conflict(self, text: &str) -> bool {
        let Some(line) = markers::first(text) else {
            return false;
        };
        let span = Span::new(line.start, line.end);
        let help = "resolve the conflict, remove the markers, then run the command again";
        self.reject(Code::Conflict, span, "a git conflict begins here", help);
        true
    }
}
