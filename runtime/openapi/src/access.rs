//! Contexts and abilities in the words of OpenAPI.

use formwork_core::action::{Action, Allow};

use super::document::{Operation, Requirement};

/// Describes the callers that may use an operation. `action`: for an operation of a resource.
pub(super) fn guard(
    operation: &mut Operation,
    allow: Allow,
    abilities: &[&str],
    action: Option<Action>,
) {
    let bearer = Requirement { bearer: Some([]) };
    let no_token = Requirement::default();
    operation.security = match allow {
        Allow::All => vec![no_token, bearer],
        Allow::Guest => vec![no_token],
        Allow::Users | Allow::Customer | Allow::Admin => vec![bearer],
    };
    operation.context = Some(allow.name());
    operation.abilities = abilities
        .iter()
        .map(|ability| required_ability(ability, action))
        .collect();
    let mut text = vec![callers(allow).to_owned()];
    if !operation.abilities.is_empty() && allow != Allow::Guest {
        let abilities: Vec<String> = operation
            .abilities
            .iter()
            .map(|ability| format!("`{ability}`"))
            .collect();
        text.push(format!("A token has to cover {}.", abilities.join(" or ")));
    }
    operation.description = text.join(" ");
}

/// Whether a caller whose token is valid may be refused: 403.
pub(super) fn may_forbid(allow: Allow, abilities: &[&str]) -> bool {
    !matches!(allow, Allow::All | Allow::Users) || !abilities.is_empty()
}

fn callers(allow: Allow) -> &'static str {
    match allow {
        Allow::All => "For everyone, with a token or without.",
        Allow::Guest => "For requests without a token.",
        Allow::Users => "For every valid token.",
        Allow::Customer => "For tokens of customers.",
        Allow::Admin => "For tokens of administrators.",
    }
}

/// `menus:*` is required: for one action that action's own ability is required.
fn required_ability(required: &str, action: Option<Action>) -> String {
    let required = required.replace('.', ":");
    match (required.split_once(':').unwrap_or((&required, "*")), action) {
        ((resource, "*"), Some(action)) => format!("{resource}:{}", action.name()),
        _ => required,
    }
}
