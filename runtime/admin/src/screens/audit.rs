//! Log lines about changes.

use super::super::admin_request::AdminRequest;

/// Logs a change, with the administrator and its subject.
pub(super) fn audit(request: &AdminRequest, what: &str, which: impl std::fmt::Display) {
    let administrator = request.session.as_ref().map(|session| session.account.id);
    tracing::info!(administrator, %which, "admin area: {what}");
}
