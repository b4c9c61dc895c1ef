//! The page that asks before rows are deleted. It is a GET, so that *Back* leads to it without
//! sending a form again.

use axum::http::{Method, StatusCode};
use formwork_core::{response::Response, state::ServiceState};
use formwork_data::error::Result;
use serde::Serialize;

use super::{
    super::{admin_request::AdminRequest, pages},
    frame::show,
};

/// The question.
#[derive(Debug, Serialize)]
pub(super) struct Question {
    /// The action.
    pub title: &'static str,
    /// Its effect.
    pub message: &'static str,
    /// To what.
    pub names: Vec<Named>,
    /// The keys of that.
    pub ids: Vec<i64>,
    /// What the button says.
    pub button: &'static str,
    /// The list to go back to, below `admin.path`.
    pub back: &'static str,
}

/// One of them, in parts: a right-to-left text does not affect the others.
#[derive(Debug, Serialize)]
pub(super) struct Named {
    /// What it is called.
    pub text: String,
    /// Details that distinguish it from others of the same name.
    pub about: String,
    /// Whose it is.
    pub whose: Option<String>,
}

/// Shows the question. A form that was not confirmed is redirected to it.
pub(super) fn confirm_first(
    app: &ServiceState,
    request: &AdminRequest,
    question: &Question,
) -> Result<Response> {
    if request.method == Method::POST {
        return Ok(to_question(app, &request.ids(), question.back));
    }
    show(app, request, ("confirm.html", StatusCode::OK), question)
}

/// Whether the question was asked, and answered with yes.
pub(super) fn is_confirmed(request: &AdminRequest) -> bool {
    request.method == Method::POST && request.has("confirmed")
}

/// The page that asks about these rows.
fn to_question(app: &ServiceState, ids: &[i64], list: &str) -> Response {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(ids.iter().map(|id| ("ids", id.to_string())));
    pages::see(app.config(), &format!("{list}/delete?{}", query.finish()))
}

/// Back to the list: no row was selected, or the selected ones are gone.
pub(super) fn without_selection(app: &ServiceState, ids: &[i64], list: &str) -> Response {
    let notice = if ids.is_empty() { "none" } else { "gone" };
    pages::see(app.config(), &format!("{list}?notice={notice}"))
}
