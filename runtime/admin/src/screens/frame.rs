//! A page, and what stands around it.

use axum::http::StatusCode;
use formwork_core::{response::Response, state::ServiceState};
use formwork_data::error::Result;
use serde::Serialize;

use super::super::{admin_request::AdminRequest, area::area, pages::Frame};

/// A page for the administrator who is signed in.
pub(super) fn show(
    app: &ServiceState,
    request: &AdminRequest,
    (template, status): (&str, StatusCode),
    page: &impl Serialize,
) -> Result<Response> {
    let frame = Frame::new(app.config(), request.session.as_ref(), None);
    let frame = frame.noticing(&request.param("notice"));
    area(app)?.pages.show(template, status, &frame, page)
}
