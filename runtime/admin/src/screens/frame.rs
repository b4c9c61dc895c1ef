//! What stands around a page.

use formwork_core::state::ServiceState;

use super::super::{ask::Ask, pages::Frame};

/// The frame of a page for who is signed in.
pub(super) fn frame<'a>(app: &'a ServiceState, ask: &'a Ask) -> Frame<'a> {
    Frame::new(app.config(), ask.session.as_ref(), None).noticing(&ask.param("notice"))
}
