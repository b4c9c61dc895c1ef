//! The page that asks before more people may read or write rows. It carries the form, and works
//! without scripts.

use axum::http::StatusCode;
use formwork_core::{response::Response, state::ServiceState};
use formwork_data::error::Result;
use serde_json::json;

use super::{
    super::admin_request::AdminRequest, frame::show, gains, shown::Shown,
    submitted_form::SubmittedForm,
};

/// The button that leads back to the form.
pub(super) const BACK: &str = "back";

/// The field that holds the digest of the sentences that were confirmed.
pub(super) const CONFIRMED: &str = "confirmed";

/// The question about a form, if it is to be asked and was not answered with yes.
pub(super) fn ask(
    app: &ServiceState,
    request: &AdminRequest,
    (saved, submitted): (&Shown, &SubmittedForm),
) -> Result<Option<Response>> {
    let entry = app.registry().find(&saved.endpoint);
    let sentences = entry
        .map(|entry| gains::sentences(entry, &saved.actions, &submitted.actions))
        .unwrap_or_default();
    let digest = gains::digest(&sentences);
    if sentences.is_empty() || request.field(CONFIRMED) == digest {
        return Ok(None);
    }
    let page = json!({
        "title": "Let more people in?",
        "resource": saved,
        "sentences": sentences,
        "confirmed": digest,
        "fields": request.carried(),
    });
    show(app, request, ("widening.html", StatusCode::OK), &page).map(Some)
}
