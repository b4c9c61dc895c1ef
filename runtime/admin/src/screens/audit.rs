//! What the log is told.

use super::super::ask::Ask;

/// What is done here is told to the log: who, and to what.
pub(super) fn audit(ask: &Ask, what: &str, which: impl std::fmt::Display) {
    let administrator = ask.session.as_ref().map(|session| session.account.id);
    tracing::info!(administrator, %which, "admin area: {what}");
}
