//! A resource as the screens show it: its actions, their contexts, and warnings.

use formwork_core::{
    action::{Action, ActionEntry},
    registry::Resource,
    state::ServiceState,
};

use super::{
    super::{meta::Meta, rows::Row},
    action::ShownAction,
    gains,
};

/// A resource as the screens show it.
#[derive(Debug)]
pub(super) struct Shown {
    pub id: i64,
    /// The segment of its pages: see [`Row::address`].
    pub address: String,
    /// The digest of the row in the form: see [`Row::print`].
    pub print: String,
    pub name: String,
    pub endpoint: String,
    /// Where it answers: `/api/menus`.
    pub path: String,
    pub description: String,
    /// Whether there is a decision that differs from the registration.
    pub is_decided: bool,
    /// Whether anything is registered under its key.
    pub is_registered: bool,
    pub actions: Vec<ShownAction>,
    /// Settings that are likely a mistake.
    pub warnings: Vec<String>,
    /// Settings that are damaged.
    pub faults: Vec<String>,
}

/// A row, and what is registered under its key.
pub(super) fn shown(app: &ServiceState, row: &Row) -> Shown {
    let entry = app.registry().find(&row.endpoint);
    let resource = entry.and_then(|entry| entry.resource.as_ref());
    let meta = row
        .meta
        .as_deref()
        .map(Meta::read)
        .filter(|_| resource.is_some());
    let decided = resource
        .map(|resource| decided(resource, meta.as_ref()))
        .unwrap_or_default();
    let actions: Vec<ShownAction> = decided
        .iter()
        .map(|(entry, is_on)| ShownAction::new(entry.action, entry.allow, *is_on))
        .collect();
    Shown {
        id: row.id,
        address: row.address(),
        print: row.print(),
        name: row.name.clone(),
        endpoint: row.endpoint.clone(),
        path: format!("{}/{}", app.config().api.prefix, row.endpoint),
        description: row.description.clone().unwrap_or_default(),
        is_decided: meta.is_some(),
        is_registered: resource.is_some(),
        warnings: entry
            .map(|entry| gains::standing(entry, &actions))
            .unwrap_or_default(),
        actions,
        faults: meta.map(|meta| meta.faults).unwrap_or_default(),
    }
}

/// The registered actions, and whether they are on, as the row has it: this replica's copy may be
/// older.
fn decided(resource: &Resource, meta: Option<&Meta>) -> Vec<(ActionEntry, bool)> {
    let decided = |registered: ActionEntry| {
        let Some(meta) = meta else {
            return (registered, true);
        };
        let of = |entries: &[ActionEntry]| {
            let mut entries = entries.iter().copied();
            entries.find(|entry| entry.action == registered.action)
        };
        match of(&meta.on) {
            Some(entry) => (entry, true),
            None => (of(&meta.off).unwrap_or(registered), false),
        }
    };
    let registered = |action: Action| {
        let mut entries = resource.registered().iter().copied();
        entries.find(|entry| entry.action == action)
    };
    Action::ALL
        .into_iter()
        .filter_map(registered)
        .map(decided)
        .collect()
}
