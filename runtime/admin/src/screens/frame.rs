//! The frame of a page for the administrator who is signed in.

use formwork_core::state::ServiceState;

use super::super::{admin_request::AdminRequest, pages::Frame};

/// The frame, with the notice that the address names.
pub(super) fn frame<'a>(app: &'a ServiceState, request: &'a AdminRequest) -> Frame<'a> {
    let frame = Frame::new(app.config(), request.session.as_ref(), None);
    frame.noticing(&request.param("notice"))
}
