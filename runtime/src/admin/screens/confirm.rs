//! The question before anything is deleted.

use axum::http::StatusCode;
use serde::Serialize;

use crate::{app::App, error::Result, response::Response};

use super::{super::ask::Ask, frame};

/// What is asked.
#[derive(Debug, Serialize)]
pub(super) struct Question {
    /// What is about to be done.
    pub title: &'static str,
    /// What comes of it.
    pub message: &'static str,
    /// To what.
    pub names: Vec<Named>,
    /// The keys of that.
    pub ids: Vec<i64>,
    /// What the button says.
    pub button: &'static str,
    /// Where the answer goes, below `admin.path`.
    pub action: &'static str,
    /// Where one comes from, below `admin.path`.
    pub back: &'static str,
}

/// One of them, in parts: a text that runs the other way turns none of the others around.
#[derive(Debug, Serialize)]
pub(super) struct Named {
    /// What it is called.
    pub text: String,
    /// What tells it from others that are called so.
    pub about: String,
    /// Whose it is.
    pub whose: Option<String>,
}

/// Asks.
pub(super) fn ask_first(app: &App, ask: &Ask, question: &Question) -> Result<Response> {
    let frame = frame(app, ask);
    let pages = &app.admin().pages;
    pages.show("confirm.html", StatusCode::OK, &frame, question)
}

/// Whether the question was asked, and answered with yes.
pub(super) fn is_confirmed(ask: &Ask) -> bool {
    ask.has("confirmed")
}
