//! What is decided about a resource.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use serde::Serialize;
use serde_json::json;

use crate::{
    action::{Action, ActionEntry, Allow},
    app::App,
    error::{Error, Result, ValidationErrors},
    response::Response,
};

use super::{
    super::{
        ask::Ask,
        meta::Meta,
        pages,
        rows::{self, Row},
    },
    audit, frame,
    resources::find,
    shown::{Shown, ShownAction, shown, who},
};

/// Letters of a name, at least and at most.
const NAME: (usize, usize) = (2, 128);

/// Letters of a description, at least and at most.
const DESCRIPTION: (usize, usize) = (2, 255);

/// A choice of "Allow Only".
#[derive(Serialize)]
struct Choice {
    word: &'static str,
    label: &'static str,
}

/// In the order of the reference.
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
            label: who(allow),
        }
    }
}

/// The form.
pub(super) async fn form(app: &App, ask: &Ask, id: i64) -> Result<Response> {
    let row = find(ask, id).await?;
    untouched(app, ask, StatusCode::OK, &row)
}

/// The form, with what stands in the row.
fn untouched(app: &App, ask: &Ask, status: StatusCode, row: &Row) -> Result<Response> {
    let shown = shown(app, row);
    let words = (shown.name.clone(), shown.description.clone());
    let errors = ValidationErrors::default();
    answer(app, ask, status, (shown, words, errors))
}

/// The form, with the name and description that are typed, and what is wrong with it.
fn answer(
    app: &App,
    ask: &Ask,
    status: StatusCode,
    (shown, (name, description), errors): (Shown, (String, String), ValidationErrors),
) -> Result<Response> {
    let first =
        |(field, messages): (&str, &[String])| Some((field.to_owned(), messages.first()?.clone()));
    let errors: BTreeMap<String, String> = errors.iter().filter_map(first).collect();
    let error_of = |field: &str| errors.get(field).cloned();
    let of_actions: BTreeMap<&str, Option<String>> = shown
        .actions
        .iter()
        .map(|action| (action.name, error_of(&format!("allow_{}", action.name))))
        .collect();
    let page = json!({
        "title": shown.name,
        "tab": "edit",
        "resource": shown,
        "name": name,
        "description": description,
        "choices": CHOICES.map(Choice::of),
        "name_error": error_of("name"),
        "description_error": error_of("description"),
        "action_errors": of_actions,
        "is_refused": !errors.is_empty(),
        "is_stale": status == StatusCode::CONFLICT,
    });
    let frame = frame(app, ask);
    app.admin().pages.show("edit.html", status, &frame, &page)
}

/// Writes what the form says; it acts at once.
///
/// # Errors
///
/// 404 where the row is gone. The form is shown again where somebody else has saved since it was
/// opened, with status 409. Broken rules are shown beside their fields, with status 422.
pub(super) async fn save(app: &App, ask: &Ask, id: i64) -> Result<Response> {
    let mut row = find(ask, id).await?;
    if ask.field("seen") != row.print() {
        return untouched(app, ask, StatusCode::CONFLICT, &row);
    }
    let mut errors = ValidationErrors::default();
    let (name, description) = (ask.field("name"), ask.field("description"));
    within("name", &name, NAME, &mut errors);
    within("description", &description, DESCRIPTION, &mut errors);
    let mut shown = shown(app, &row);
    let meta = decided(ask, &mut shown, &mut errors);
    if !errors.is_empty() {
        let given = (shown, (name, description), errors);
        return answer(app, ask, StatusCode::UNPROCESSABLE_ENTITY, given);
    }
    (row.name, row.description) = (name, Some(description));
    let entry = app.registry().find(&row.endpoint);
    if let Some(resource) = entry.and_then(|entry| entry.resource.as_ref()) {
        row.meta = meta.written(resource.registered());
    }
    if !rows::update(&ask.db, &row, ask.now).await? {
        return Err(Error::NotFound("There is no such resource.".to_owned()));
    }
    app.admin().settings.refresh(app, &ask.db).await?;
    audit(ask, "settings of a resource saved", &row.endpoint);
    Ok(pages::see(
        app.config(),
        &format!("/resources/{id}/edit?notice=saved"),
    ))
}

/// The actions as the form has them; they are shown again where it is refused.
fn decided(ask: &Ask, shown: &mut Shown, errors: &mut ValidationErrors) -> Meta {
    let mut meta = Meta::default();
    for it in &mut shown.actions {
        let Some(action) = Action::named(it.name) else {
            continue;
        };
        let is_on = ask.has(&format!("on_{}", it.name));
        let field = format!("allow_{}", it.name);
        let Some(allow) = Allow::named(&ask.field(&field)) else {
            errors.add(field, format!("Choose whom {} is for.", it.name));
            it.is_on = is_on;
            continue;
        };
        let entries = if is_on { &mut meta.on } else { &mut meta.off };
        entries.push(ActionEntry { action, allow });
        *it = ShownAction::new(action, allow, is_on);
    }
    meta
}

fn within(field: &str, text: &str, (min, max): (usize, usize), errors: &mut ValidationErrors) {
    if text.is_empty() {
        errors.add(field, format!("The {field} field is required."));
    } else if !(min..=max).contains(&text.chars().count()) {
        let message = format!("The {field} field must be between {min} and {max} characters.");
        errors.add(field, message);
    }
}
