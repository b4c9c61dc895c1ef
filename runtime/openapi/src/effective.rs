//! Which actions are routed.

use formwork_core::{
    action::{Action, Allow},
    registry::Entry,
    state::ServiceState,
};

/// The routed actions of all entries with their contexts, by registry index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Effective(Vec<Vec<(Action, Allow)>>);

impl Effective {
    /// The actions that are routed now.
    pub fn of(app: &ServiceState) -> Self {
        let entries = app.registry().entries();
        let actions = entries.map(|(_, entry)| {
            let routed = Action::ALL.into_iter();
            let routed = routed.filter_map(|action| Some((action, routed_to(entry, action)?)));
            routed.collect()
        });
        Self(actions.collect())
    }

    /// The context; `None` where the action is not routed.
    pub fn allow(&self, index: usize, action: Action) -> Option<Allow> {
        let mut actions = self.0.get(index)?.iter();
        actions.find_map(|(known, allow)| (*known == action).then_some(*allow))
    }

    /// Whether any action is.
    pub fn is_routed(&self, index: usize) -> bool {
        self.0.get(index).is_some_and(|actions| !actions.is_empty())
    }

    /// Whether clients may see its records where another resource includes them, as
    /// [`Entry::check_included`] checks it: others are not described.
    pub fn can_be_included(&self, index: usize, entry: &Entry) -> bool {
        let seen = |action| self.allow(index, action).is_some();
        entry.resource.is_none() || seen(Action::Index) || seen(Action::Show)
    }
}

/// Whether an action is routed, and for which callers: no other function decides this.
fn routed_to(entry: &Entry, action: Action) -> Option<Allow> {
    entry.resource.as_ref()?.allow(action)
}
