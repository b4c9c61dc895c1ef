//! The page that asks before rows are deleted, or before more people may read or write rows.

use askama::Template;
use axum::http::{Method, StatusCode};
use formwork_core::{response::Response, state::ServiceState};
use formwork_data::error::Result;

use super::{
    super::{
        admin_request::{AdminRequest, Field},
        pages::{self, Frame},
    },
    gains,
};

/// The button that leads back to the form.
pub(super) const BACK: &str = "back";

/// The field that says yes: a digest of the sentences that were shown, if people gain access.
const CONFIRMED: &str = "confirmed";

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
    /// The fields that it sends again.
    pub fields: Vec<Field>,
    /// The path that it is sent to, below `admin.path`.
    pub action: String,
    /// The label of the button.
    pub button: &'static str,
    /// The list to go back to, below `admin.path`; without one, the form is shown again.
    pub list: Option<&'static str>,
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
    /// Returns the value of the form that answers it with yes.
    fn confirmed(&self) -> String {
        match self.gains.is_empty() {
            true => "1".to_owned(),
            false => gains::digest(&self.gains),
        }
    }

    /// Returns whether a form answers it with yes.
    pub fn is_confirmed(&self, request: &AdminRequest) -> bool {
        request.method == Method::POST && request.field(CONFIRMED) == self.confirmed()
    }

    /// Shows it.
    pub fn show(&self, app: &ServiceState, request: &AdminRequest) -> Result<Response> {
        let page = Page {
            frame: Frame::of(app, request),
            question: self,
            confirmed: &self.confirmed(),
        };
        pages::show(StatusCode::OK, &page)
    }
}

/// Returns the question about deleted rows, unless it was answered with yes. It is a GET, so that
/// *Back* leads to it without sending a form again: a form that was not confirmed is redirected.
pub(super) fn confirm_first(
    app: &ServiceState,
    request: &AdminRequest,
    question: &Question,
) -> Result<Option<Response>> {
    if request.method != Method::POST {
        return question.show(app, request).map(Some);
    }
    let address = format!("{}?{}", question.action, selection(&request.ids()));
    let is_confirmed = question.is_confirmed(request);
    Ok((!is_confirmed).then(|| pages::see(app.config(), &address)))
}

/// Returns the fields that name these rows.
pub(super) fn id_fields(ids: &[i64]) -> Vec<Field> {
    let field = |id: &i64| Field {
        name: "ids".to_owned(),
        value: id.to_string(),
    };
    ids.iter().map(field).collect()
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
