//! What is decided about a resource.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use serde::Serialize;
use serde_json::json;

use crate::{action::Allow, app::App, error::Result, response::Response};

use super::{
    super::{
        ask::Ask,
        pages,
        rows::{self, Row},
    },
    audit, frame,
    resources::find,
    shown::{Shown, shown, who},
    typed::Typed,
};

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
    let stands = shown(app, &find(ask, id).await?);
    let typed = Typed::nothing(&stands);
    answer(app, ask, StatusCode::OK, (&stands, &typed))
}

/// The form, with what is typed, what is wrong with that, and, where somebody else has saved
/// meanwhile, what stands now.
fn answer(
    app: &App,
    ask: &Ask,
    status: StatusCode,
    (stands, typed): (&Shown, &Typed),
) -> Result<Response> {
    let first =
        |(field, messages): (&str, &[String])| Some((field.to_owned(), messages.first()?.clone()));
    let errors: BTreeMap<String, String> = typed.errors.iter().filter_map(first).collect();
    let error_of = |field: &str| errors.get(field).cloned();
    let of_actions: BTreeMap<&str, Option<String>> = typed
        .actions
        .iter()
        .map(|action| (action.name, error_of(&format!("allow_{}", action.name))))
        .collect();
    let is_overtaken = status == StatusCode::CONFLICT;
    let page = json!({
        "title": stands.name,
        "tab": "edit",
        "resource": stands,
        "name": typed.name,
        "description": typed.description,
        "actions": typed.actions,
        "choices": CHOICES.map(Choice::of),
        "name_error": error_of("name"),
        "description_error": error_of("description"),
        "action_errors": of_actions,
        "is_refused": !errors.is_empty(),
        "is_overtaken": is_overtaken,
        "focus": if is_overtaken { "summary" } else { typed.first_fault() },
        "differences": typed.differences(stands),
    });
    let frame = frame(app, ask);
    app.admin().pages.show("edit.html", status, &frame, &page)
}

/// Writes what the form says; it acts at once.
///
/// # Errors
///
/// 404 where the row is gone. Broken rules are shown beside their fields, with status 422.
pub(super) async fn save(app: &App, ask: &Ask, id: i64) -> Result<Response> {
    let row = find(ask, id).await?;
    let stands = shown(app, &row);
    let typed = Typed::read(ask, &stands);
    if ask.field("seen") != row.print() {
        return overtaken(app, ask, &row, &typed);
    }
    if !typed.errors.is_empty() {
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        return answer(app, ask, status, (&stands, &typed));
    }
    if !rows::update(&ask.db, &decided(app, &row, &typed), ask.now).await? {
        // Since the row was read: it stands otherwise by now, or is gone.
        return overtaken(app, ask, &find(ask, id).await?, &typed);
    }
    app.admin().settings.refresh(app, &ask.db).await?;
    audit(ask, "settings of a resource saved", &row.endpoint);
    Ok(pages::see(
        app.config(),
        &format!("/resources/{id}/edit?notice=saved"),
    ))
}

/// Somebody else has saved since the form was opened: it keeps what is typed, shows what stands
/// beside it, and can be sent again by who has seen that.
fn overtaken(app: &App, ask: &Ask, row: &Row, typed: &Typed) -> Result<Response> {
    answer(app, ask, StatusCode::CONFLICT, (&shown(app, row), typed))
}

/// The row as the form wants it.
fn decided(app: &App, row: &Row, typed: &Typed) -> Row {
    let entry = app.registry().find(&row.endpoint);
    let resource = entry.and_then(|entry| entry.resource.as_ref());
    let meta = match resource {
        Some(resource) => typed.meta.written(resource.registered()),
        // What is not registered here has no switches: another replica may know it.
        None => row.meta.clone(),
    };
    Row {
        name: typed.name.clone(),
        description: Some(typed.description.clone()),
        meta,
        ..row.clone()
    }
}
