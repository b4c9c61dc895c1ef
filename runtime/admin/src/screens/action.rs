//! An action of a resource as the screens show it.

use formwork_core::action::{Action, Allow};

/// An action as the screens show it.
#[derive(Debug, Clone)]
pub(super) struct ShownAction {
    pub name: &'static str,
    /// Its label, for people.
    pub label: &'static str,
    pub is_on: bool,
    /// The context it has, or has when it is switched on again.
    pub allow: &'static str,
    /// The callers that may pass, for people.
    pub who: &'static str,
    /// Whether everyone may change records by it.
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
            who: callers(allow),
            is_open: is_on && changes && matches!(allow, Allow::All | Allow::Guest),
        }
    }
}

/// The label of an action.
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

/// The callers that a context lets pass: the choices of "Allow Only".
pub(super) const fn callers(allow: Allow) -> &'static str {
    match allow {
        Allow::All => "All",
        Allow::Guest => "Guests",
        Allow::Users => "User or Customers",
        Allow::Customer => "Customers",
        Allow::Admin => "User (admin)",
    }
}
