//! The question before anything is deleted. It is asked for by GET: *Back* leads to it, where an
//! answer to a form that nobody keeps would have to be sent for once more.

use axum::http::{Method, StatusCode};
use formwork_core::{response::Response, state::ServiceState};
use formwork_data::error::Result;
use serde::Serialize;

use super::{
    super::{admin_request::AdminRequest, pages},
    frame::show,
};

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
    /// The list one comes from, below `admin.path`.
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

/// Asks; who sent a form that was not confirmed is led to the page that does.
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

/// Back to the list: nothing was selected, or nothing of that is there any more.
pub(super) fn nothing(app: &ServiceState, ids: &[i64], list: &str) -> Response {
    let notice = if ids.is_empty() { "none" } else { "gone" };
    pages::see(app.config(), &format!("{list}?notice={notice}"))
}
