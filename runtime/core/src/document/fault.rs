//! Mistakes of a document, as an error.

use formwork_data::error::{DocumentError, DocumentProblem, Error};

/// 400 at this pointer (RFC 6901).
pub(super) fn malformed(pointer: impl Into<String>, message: impl Into<String>) -> Error {
    fault(DocumentProblem::Malformed, pointer, message)
}

/// A fault of this kind at this pointer (RFC 6901).
pub(super) fn fault(
    problem: DocumentProblem,
    pointer: impl Into<String>,
    message: impl Into<String>,
) -> Error {
    Error::Document(DocumentError::new(problem, pointer, message))
}
