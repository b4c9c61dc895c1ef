//! The page that asks before more people may read or write rows. It carries the form, and works
//! without scripts.

use askama::Template;
use axum::http::StatusCode;
use formwork_core::{response::Response, state::ServiceState};
use formwork_data::error::Result;

use super::{
    super::{
        admin_request::{AdminRequest, Field},
        pages::{self, Frame},
    },
    frame::frame,
    gains,
    shown::Shown,
    submitted_form::SubmittedForm,
};

/// The button that leads back to the form.
pub(super) const BACK: &str = "back";

/// The field that holds the digest of the sentences that were confirmed.
pub(super) const CONFIRMED: &str = "confirmed";

#[derive(Template)]
#[template(path = "widening.html")]
struct Page<'a> {
    frame: Frame<'a>,
    resource: &'a Shown,
    /// The access that people gain.
    sentences: Vec<String>,
    /// The value that says yes to it.
    confirmed: String,
    /// The form.
    fields: Vec<Field>,
}

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
    let page = Page {
        frame: frame(app, request),
        resource: saved,
        sentences,
        confirmed: digest,
        fields: request.carried(),
    };
    pages::show(StatusCode::OK, &page).map(Some)
}
