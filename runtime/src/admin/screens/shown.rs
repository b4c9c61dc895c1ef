//! A resource as the screens show it: what is on, for whom, and what should be looked at.

use serde::Serialize;

use crate::{
    action::{Action, ActionEntry, Allow},
    app::App,
    registry::{Entry, Resource},
};

use super::super::{meta::Meta, rows::Row};

/// A resource as the screens show it.
#[derive(Debug, Serialize)]
pub(super) struct Shown {
    pub id: i64,
    /// What the form was made of: see [`Row::print`].
    pub print: String,
    pub name: String,
    pub endpoint: String,
    /// Where it answers: `/api/menus`.
    pub path: String,
    pub description: String,
    /// Whether somebody decided otherwise than it is registered.
    pub is_decided: bool,
    /// Whether anything is registered under its key.
    pub is_registered: bool,
    pub actions: Vec<ShownAction>,
    /// What whoever runs the service should look at.
    pub warnings: Vec<String>,
    /// What is damaged.
    pub faults: Vec<String>,
}

/// An action as the screens show it.
#[derive(Debug, Clone, Serialize)]
pub(super) struct ShownAction {
    pub name: &'static str,
    /// What it does, for people.
    pub label: &'static str,
    pub is_on: bool,
    /// The context it has, or has when it is switched on again.
    pub allow: &'static str,
    /// Whom that lets in, for people.
    pub who: &'static str,
    /// Whether anybody may change records by it.
    pub is_open: bool,
}

impl ShownAction {
    pub fn new(action: Action, allow: Allow, is_on: bool) -> Self {
        let changes = matches!(action, Action::Store | Action::Update | Action::Destroy);
        Self {
            name: action.name(),
            label: label(action),
            is_on,
            allow: allow.name(),
            who: who(allow),
            is_open: is_on && changes && matches!(allow, Allow::All | Allow::Guest),
        }
    }
}

/// What an action does.
const fn label(action: Action) -> &'static str {
    match action {
        Action::Index => "List records",
        Action::Create => "Form for a new record",
        Action::Store => "Create a record",
        Action::Show => "Read a record",
        Action::Edit => "Form for a record",
        Action::Update => "Change a record",
        Action::Destroy => "Delete a record",
    }
}

/// Whom a context lets in: the choices of "Allow Only".
pub(super) const fn who(allow: Allow) -> &'static str {
    match allow {
        Allow::All => "All",
        Allow::Guest => "Guests",
        Allow::Users => "User or Customers",
        Allow::Customer => "Customers",
        Allow::Admin => "User (admin)",
    }
}

/// A row, and what is registered under its key.
pub(super) fn shown(app: &App, row: &Row) -> Shown {
    let entry = app.registry().find(&row.endpoint);
    let resource = entry.and_then(|entry| entry.resource.as_ref());
    let meta = row
        .meta
        .as_deref()
        .map(Meta::read)
        .filter(|_| resource.is_some());
    let actions = resource
        .map(|resource| actions(resource, meta.as_ref()))
        .unwrap_or_default();
    Shown {
        id: row.id,
        print: row.print(),
        name: row.name.clone(),
        endpoint: row.endpoint.clone(),
        path: format!("{}/{}", app.config().api.prefix, row.endpoint),
        description: row.description.clone().unwrap_or_default(),
        is_decided: meta.is_some(),
        is_registered: resource.is_some(),
        warnings: warnings(entry, &actions),
        actions,
        faults: meta.map(|meta| meta.faults).unwrap_or_default(),
    }
}

/// The registered actions, as they are decided.
fn actions(resource: &Resource, meta: Option<&Meta>) -> Vec<ShownAction> {
    let shown = |registered: &ActionEntry| {
        let action = registered.action;
        let Some(meta) = meta else {
            return ShownAction::new(action, registered.allow, true);
        };
        let of = |entries: &[ActionEntry]| {
            let mut entries = entries.iter();
            entries
                .find(|entry| entry.action == action)
                .map(|entry| entry.allow)
        };
        match of(&meta.on) {
            Some(allow) => ShownAction::new(action, allow, true),
            None => ShownAction::new(action, of(&meta.off).unwrap_or(registered.allow), false),
        }
    };
    let registered = |action: Action| {
        resource
            .registered()
            .iter()
            .find(move |it| it.action == action)
    };
    Action::ALL
        .into_iter()
        .filter_map(registered)
        .map(shown)
        .collect()
}

fn warnings(entry: Option<&Entry>, actions: &[ShownAction]) -> Vec<String> {
    let open = actions.iter().filter(|action| action.is_open);
    let told = |action: &ShownAction| {
        let who = if action.allow == Allow::All.name() {
            "Everybody"
        } else {
            "Every guest"
        };
        format!(
            "{who} may {} here.",
            match action.name {
                "store" => "create records",
                "update" => "change records",
                _ => "delete records",
            }
        )
    };
    let doubts = entry.map(Entry::doubts).unwrap_or_default();
    open.map(told).chain(doubts).collect()
}
