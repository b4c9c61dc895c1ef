//! What the log is told.

use super::super::admin_request::AdminRequest;

/// What is done here is told to the log: who, and to what.
pub(super) fn audit(request: &AdminRequest, what: &str, which: impl std::fmt::Display) {
    let administrator = request.session.as_ref().map(|session| session.account.id);
    tracing::info!(administrator, %which, "admin area: {what}");
}
