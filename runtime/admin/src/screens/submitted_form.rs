//! A submitted form of a resource, and its differences from the saved values.

use formwork_core::action::{Action, ActionEntry, Allow};
use formwork_data::error::ValidationErrors;
use serde::Serialize;

use super::{
    super::{admin_request::AdminRequest, meta::Meta},
    shown::{Shown, ShownAction},
};

/// Letters of a name, at least and at most.
const NAME: (usize, usize) = (2, 128);

/// Letters of a description, at least and at most.
const DESCRIPTION: (usize, usize) = (2, 255);

/// The fields of the form.
#[derive(Debug)]
pub(super) struct SubmittedForm {
    pub name: String,
    pub description: String,
    pub actions: Vec<ShownAction>,
    /// The decision that the actions make.
    pub meta: Meta,
    /// Its mistakes.
    pub errors: ValidationErrors,
}

/// A field that differs from the saved value.
#[derive(Debug, Serialize)]
pub(super) struct Difference {
    what: &'static str,
    saved: String,
    typed: String,
}

impl SubmittedForm {
    /// A form that holds the saved values.
    pub fn unchanged(saved: &Shown) -> Self {
        Self {
            name: saved.name.clone(),
            description: saved.description.clone(),
            actions: saved.actions.clone(),
            meta: Meta::default(),
            errors: ValidationErrors::default(),
        }
    }

    /// The form of a request.
    pub fn read(request: &AdminRequest, saved: &Shown) -> Self {
        let mut form = Self {
            name: request.field("name"),
            description: request.field("description"),
            ..Self::unchanged(saved)
        };
        within("name", &form.name, NAME, &mut form.errors);
        let description = &form.description;
        within("description", description, DESCRIPTION, &mut form.errors);
        for action in &mut form.actions {
            decide(request, action, &mut form.meta, &mut form.errors);
        }
        form
    }

    /// The first field of the form, in its order, that has a mistake: `name`, `description`, an
    /// action; empty without mistakes.
    pub fn first_fault(&self) -> &str {
        let is_faulty = |field: &str| self.errors.iter().any(|(faulty, _)| faulty == field);
        let text = ["name", "description"]
            .into_iter()
            .find(|field| is_faulty(field));
        let mut actions = self.actions.iter().map(|action| action.name);
        let action = || actions.find(|name| is_faulty(&format!("allow_{name}")));
        text.or_else(action).unwrap_or_default()
    }

    /// The fields that differ from the saved values.
    pub fn differences(&self, saved: &Shown) -> Vec<Difference> {
        let texts = [
            ("Name", &saved.name, &self.name),
            ("Description", &saved.description, &self.description),
        ];
        let texts = texts
            .into_iter()
            .map(|(what, saved, typed)| (what, saved.clone(), typed.clone()));
        let actions = saved.actions.iter().zip(&self.actions);
        let actions = actions.map(|(saved, typed)| (saved.label, said(saved), said(typed)));
        let differ = |(_, saved, typed): &(_, String, String)| saved != typed;
        let told = |(what, saved, typed)| Difference { what, saved, typed };
        texts.chain(actions).filter(differ).map(told).collect()
    }
}

/// An action in words: `Enabled, Customers`.
fn said(action: &ShownAction) -> String {
    let state = if action.is_on { "Enabled" } else { "Disabled" };
    format!("{state}, {}", action.who)
}

/// An action as the form has it.
fn decide(
    request: &AdminRequest,
    it: &mut ShownAction,
    meta: &mut Meta,
    errors: &mut ValidationErrors,
) {
    let Some(action) = Action::named(it.name) else {
        return;
    };
    let is_on = request.has(&format!("on_{}", it.name));
    let field = format!("allow_{}", it.name);
    let Some(allow) = Allow::named(&request.field(&field)) else {
        errors.add(field, format!("Choose who may use {}.", it.name));
        it.is_on = is_on;
        return;
    };
    let entries = if is_on { &mut meta.on } else { &mut meta.off };
    entries.push(ActionEntry { action, allow });
    *it = ShownAction::new(action, allow, is_on);
}

fn within(field: &str, text: &str, (min, max): (usize, usize), errors: &mut ValidationErrors) {
    if text.is_empty() {
        errors.add(field, format!("The {field} field is required."));
    } else if text.contains('\0') {
        errors.add(field, format!("The {field} field must not contain U+0000."));
    } else if !(min..=max).contains(&text.chars().count()) {
        let message = format!("The {field} field must be between {min} and {max} characters.");
        errors.add(field, message);
    }
}
