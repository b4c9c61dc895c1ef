//! A submitted form of a resource, and its differences from the saved values.

use formwork_core::action::{Action, ActionEntry, Allow};
use formwork_data::error::ValidationErrors;

use super::{
    super::{admin_request::AdminRequest, meta::Meta},
    action::ShownAction,
    shown::Shown,
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
#[derive(Debug)]
pub(super) struct Difference {
    pub what: &'static str,
    pub saved: String,
    pub typed: String,
}

impl SubmittedForm {
    /// Returns a form that holds the saved values.
    pub fn unchanged(saved: &Shown) -> Self {
        Self {
            name: text(&saved.name),
            description: text(&saved.description),
            actions: saved.actions.clone(),
            meta: Meta::default(),
            errors: ValidationErrors::default(),
        }
    }

    /// Reads the form of a request.
    pub fn read(request: &AdminRequest, saved: &Shown) -> Self {
        let mut form = Self {
            name: text(&request.field("name")),
            description: text(&request.field("description")),
            ..Self::unchanged(saved)
        };
        within("name", &form.name, NAME, &mut form.errors);
        let description = &form.description;
        within("description", description, DESCRIPTION, &mut form.errors);
        for action in &mut form.actions {
            let is_on = request.has(&format!("on_{}", action.name));
            let allow = request.field(&format!("allow_{}", action.name));
            decide((is_on, &allow), action, &mut form.meta, &mut form.errors);
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

    /// Returns the fields that differ from the saved values.
    pub fn differences(&self, saved: &Shown) -> Vec<Difference> {
        let texts = [
            ("Name", text(&saved.name), self.name.clone()),
            (
                "Description",
                text(&saved.description),
                self.description.clone(),
            ),
        ];
        let actions = saved.actions.iter().zip(&self.actions);
        let actions = actions.map(|(saved, typed)| (saved.label, in_words(saved), in_words(typed)));
        let fields = texts.into_iter().chain(actions);
        let differing = fields.filter(|(_, saved, typed)| saved != typed);
        differing
            .map(|(what, saved, typed)| Difference { what, saved, typed })
            .collect()
    }
}

/// Returns an action in words: `Enabled, Customers`.
fn in_words(action: &ShownAction) -> String {
    let state = if action.is_on { "Enabled" } else { "Disabled" };
    format!("{state}, {}", action.who)
}

/// Returns a text as a field holds it: browsers send the ends of lines as CR LF (HTML, "form
/// submission").
fn text(text: &str) -> String {
    text.trim().replace("\r\n", "\n")
}

/// An action as the form has it.
fn decide(
    (is_on, allow): (bool, &str),
    it: &mut ShownAction,
    meta: &mut Meta,
    errors: &mut ValidationErrors,
) {
    let Some(action) = Action::named(it.name) else {
        return;
    };
    let Some(allow) = Allow::named(allow) else {
        let field = format!("allow_{}", it.name);
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
