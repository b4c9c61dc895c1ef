//! The page that asks before rows are deleted. It is a GET, so that *Back* leads to it without
//! sending a form again.

use askama::Template;
use axum::http::{Method, StatusCode};
use formwork_core::{response::Response, state::ServiceState};
use formwork_data::error::Result;

use super::{
    super::{
        admin_request::AdminRequest,
        pages::{self, Frame},
    },
    frame::frame,
    gains,
    widening::CONFIRMED,
};

/// The question.
#[derive(Debug)]
pub(super) struct Question {
    /// The action.
    pub title: &'static str,
    /// Its effect.
    pub message: &'static str,
    /// The access that people gain by it, in sentences.
    pub gains: Vec<String>,
    /// The rows that it affects.
    pub names: Vec<Named>,
    /// Their keys.
    pub ids: Vec<i64>,
    /// The label of the button.
    pub button: &'static str,
    /// The list to go back to, below `admin.path`.
    pub back: &'static str,
}

/// One of them, in parts: a right-to-left text does not affect the others.
#[derive(Debug)]
pub(super) struct Named {
    /// Its name.
    pub text: String,
    /// Details that distinguish it from others of the same name.
    pub about: String,
    /// Its owner.
    pub whose: Option<String>,
}

#[derive(Template)]
#[template(path = "confirm.html")]
struct Page<'a> {
    frame: Frame<'a>,
    question: &'a Question,
    /// The value that says yes to it.
    confirmed: &'a str,
}

impl Question {
    /// The value of the form that answers it with yes.
    fn confirmed(&self) -> String {
        match self.gains.is_empty() {
            true => "1".to_owned(),
            false => gains::digest(&self.gains),
        }
    }
}

/// The question, unless it was asked and answered with yes. A form that was not confirmed is
/// redirected to it.
pub(super) fn confirm_first(
    app: &ServiceState,
    request: &AdminRequest,
    question: &Question,
) -> Result<Option<Response>> {
    let confirmed = question.confirmed();
    if request.method != Method::POST {
        let page = Page {
            frame: frame(app, request),
            question,
            confirmed: &confirmed,
        };
        return pages::show(StatusCode::OK, &page).map(Some);
    }
    let is_confirmed = request.field(CONFIRMED) == confirmed;
    Ok((!is_confirmed).then(|| to_question(app, &request.ids(), question.back)))
}

/// The page that asks about these rows.
fn to_question(app: &ServiceState, ids: &[i64], list: &str) -> Response {
    let query = selection(ids);
    pages::see(app.config(), &format!("{list}/delete?{query}"))
}

/// The query string that names these rows.
pub(super) fn selection(ids: &[i64]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(ids.iter().map(|id| ("ids", id.to_string())));
    query.finish()
}

/// Back to the list: no row was selected, or the selected ones are gone.
pub(super) fn without_selection(app: &ServiceState, ids: &[i64], list: &str) -> Response {
    let notice = if ids.is_empty() { "none" } else { "gone" };
    pages::see(app.config(), &format!("{list}?notice={notice}"))
}
