//! The form of a resource.

use askama::Template;
use axum::http::StatusCode;
use formwork_core::{action::Allow, response::Response, state::ServiceState};
use formwork_data::error::{Error, Result};

use super::{
    super::{
        admin_request::AdminRequest,
        pages::{self, Frame, filters},
    },
    frame::frame,
    shown::Shown,
    shown_action::{ShownAction, callers},
    submitted_form::{Difference, SubmittedForm},
    values::Values,
};

/// The state of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// It was not sent yet.
    Opened,
    /// It was sent before the sign-in: it holds what was typed.
    Kept,
    /// It was sent with the token of another sign-in: it holds what was typed.
    Outdated,
    /// It breaks rules.
    Refused,
    /// Another administrator saved meanwhile.
    Overtaken,
    /// Another administrator deleted the settings: the registration applies again.
    Reset,
    /// Another administrator deleted it, and its resource is not registered.
    Gone,
}

impl State {
    const fn status(self) -> StatusCode {
        match self {
            Self::Opened | Self::Kept => StatusCode::OK,
            Self::Outdated => StatusCode::FORBIDDEN,
            Self::Refused => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Overtaken | Self::Reset | Self::Gone => StatusCode::CONFLICT,
        }
    }
}

/// The choices of "Allow Only", in the order in which the form shows them.
const CHOICES: [Allow; 5] = [
    Allow::Admin,
    Allow::Customer,
    Allow::Users,
    Allow::Guest,
    Allow::All,
];

#[derive(Template)]
#[template(path = "edit.html")]
struct Page<'a> {
    frame: Frame<'a>,
    resource: &'a Shown,
    values: &'a Values,
    /// The values it is loaded with, as JSON.
    loaded: String,
    /// With the mistake of each.
    actions: Vec<(&'a ShownAction, Option<&'a str>)>,
    /// Words of contexts, and their labels.
    choices: [(&'static str, &'static str); 5],
    name_error: Option<&'a str>,
    description_error: Option<&'a str>,
    is_refused: bool,
    state: State,
    is_overtaken: bool,
    is_kept: bool,
    is_same: bool,
    /// The field to begin with.
    focus: &'a str,
    differences: Vec<Difference>,
}

/// The form with its fields and mistakes, and, where another administrator saved meanwhile, the
/// saved values.
pub(super) fn answer(
    app: &ServiceState,
    request: &AdminRequest,
    state: State,
    (saved, submitted): (&Shown, &SubmittedForm),
) -> Result<Response> {
    let errors = &submitted.errors;
    let error_of = |field: &str| {
        let mut errors = errors.iter().filter(|(faulty, _)| *faulty == field);
        errors.next()?.1.first().map(String::as_str)
    };
    let actions = submitted.actions.iter();
    let actions = actions.map(|it| (it, error_of(&format!("allow_{}", it.name))));
    let status = state.status();
    let is_overtaken = status == StatusCode::CONFLICT;
    let page = Page {
        frame: frame(app, request),
        resource: saved,
        values: &submitted.values,
        loaded: serde_json::to_string(&Values::of(saved)).map_err(Error::internal)?,
        actions: actions.collect(),
        choices: CHOICES.map(|allow| (allow.name(), callers(allow))),
        name_error: error_of("name"),
        description_error: error_of("description"),
        is_refused: !errors.is_empty(),
        state,
        is_overtaken,
        is_kept: matches!(state, State::Kept | State::Outdated),
        is_same: submitted.is_same(saved),
        focus: if is_overtaken {
            "summary"
        } else {
            submitted.first_fault()
        },
        differences: submitted.differences(saved),
    };
    pages::show(status, &page)
}
