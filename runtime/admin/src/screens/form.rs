//! The form of a resource.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use formwork_core::{action::Allow, response::Response, state::ServiceState};
use formwork_data::error::{Error, Result};
use serde::Serialize;
use serde_json::json;

use super::{
    super::admin_request::AdminRequest, frame::show, shown::Shown, shown_action::callers,
    submitted_form::SubmittedForm, values::Values,
};

/// The state of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
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

/// A choice of "Allow Only".
#[derive(Serialize)]
struct Choice {
    word: &'static str,
    label: &'static str,
}

/// In the order in which the form shows them.
const CHOICES: [Allow; 5] = [
    Allow::Admin,
    Allow::Customer,
    Allow::Users,
    Allow::Guest,
    Allow::All,
];

impl Choice {
    fn of(allow: Allow) -> Self {
        Self {
            word: allow.name(),
            label: callers(allow),
        }
    }
}

/// The form with its fields and mistakes, and, where another administrator saved meanwhile, the
/// saved values.
pub(super) fn answer(
    app: &ServiceState,
    request: &AdminRequest,
    state: State,
    (saved, submitted): (&Shown, &SubmittedForm),
) -> Result<Response> {
    let first =
        |(field, messages): (&str, &[String])| Some((field.to_owned(), messages.first()?.clone()));
    let errors: BTreeMap<String, String> = submitted.errors.iter().filter_map(first).collect();
    let error_of = |field: &str| errors.get(field).cloned();
    let of_actions: BTreeMap<&str, Option<String>> = submitted
        .actions
        .iter()
        .map(|action| (action.name, error_of(&format!("allow_{}", action.name))))
        .collect();
    let status = state.status();
    let page = json!({
        "title": saved.name,
        "tab": "edit",
        "resource": saved,
        "name": submitted.values.name,
        "description": submitted.values.description,
        "loaded": serde_json::to_string(&Values::of(saved)).map_err(Error::internal)?,
        "actions": submitted.actions,
        "choices": CHOICES.map(Choice::of),
        "name_error": error_of("name"),
        "description_error": error_of("description"),
        "action_errors": of_actions,
        "is_refused": !errors.is_empty(),
        "state": state,
        "is_overtaken": status == StatusCode::CONFLICT,
        "is_kept": matches!(state, State::Kept | State::Outdated),
        "is_same": submitted.is_same(saved),
        "focus": if status == StatusCode::CONFLICT { "summary" } else { submitted.first_fault() },
        "differences": submitted.differences(saved),
    });
    show(app, request, ("edit.html", status), &page)
}
