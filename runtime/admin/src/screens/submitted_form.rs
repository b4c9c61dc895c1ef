//! A submitted form of a resource, and its differences from the saved values.

use formwork_core::action::{Action, ActionEntry, Allow};
use formwork_data::error::ValidationErrors;

use super::{
    super::{admin_request::AdminRequest, meta::Meta},
    shown::Shown,
    shown_action::{ShownAction, callers},
    values::Values,
};

/// Letters of a name, at least and at most.
const NAME: (usize, usize) = (2, 128);

/// Letters of a description, at least and at most.
const DESCRIPTION: (usize, usize) = (2, 255);

/// The fields of the form.
#[derive(Debug)]
pub(super) struct SubmittedForm {
    pub values: Values,
    pub actions: Vec<ShownAction>,
    /// The decision that the actions make.
    pub meta: Meta,
    /// Its mistakes.
    pub errors: ValidationErrors,
    /// The values it was loaded with, if it says so.
    loaded: Option<Values>,
}

/// A field that differs from the saved value, or from the loaded one.
#[derive(Debug)]
pub(super) struct Difference {
    pub what: &'static str,
    pub saved: String,
    pub typed: String,
    pub loaded: Option<String>,
}

impl SubmittedForm {
    /// A form that holds the saved values.
    pub fn unchanged(saved: &Shown) -> Self {
        Self {
            values: Values::of(saved),
            actions: saved.actions.clone(),
            meta: Meta::default(),
            errors: ValidationErrors::default(),
            loaded: None,
        }
    }

    /// The form of a request.
    pub fn read(request: &AdminRequest, saved: &Shown) -> Self {
        let loaded = Values::loaded(request);
        Self::holding(Values::sent(request, saved), loaded, saved)
    }

    /// The form of an outdated request: fields that the user did not change hold the values that
    /// were saved meanwhile.
    pub fn read_over(request: &AdminRequest, saved: &Shown) -> Self {
        let (sent, loaded) = (Values::sent(request, saved), Values::loaded(request));
        let values = match &loaded {
            Some(loaded) => sent.over(loaded, &Values::of(saved)),
            None => sent,
        };
        Self::holding(values, loaded, saved)
    }

    fn holding(values: Values, loaded: Option<Values>, saved: &Shown) -> Self {
        let mut form = Self::unchanged(saved);
        within("name", &values.name, NAME, &mut form.errors);
        let description = &values.description;
        within("description", description, DESCRIPTION, &mut form.errors);
        for action in &mut form.actions {
            if let Some(sent) = values.actions.get(action.name) {
                decide(sent, action, &mut form.meta, &mut form.errors);
            }
        }
        Self {
            values,
            loaded,
            ..form
        }
    }

    /// Whether it holds the saved values.
    pub fn is_same(&self, saved: &Shown) -> bool {
        self.values == Values::of(saved)
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

    /// The fields that differ from the saved values, or whose saved values differ from the loaded.
    pub fn differences(&self, saved: &Shown) -> Vec<Difference> {
        let (now, loaded) = (Values::of(saved), self.loaded.as_ref());
        let text = |what, of: fn(&Values) -> &String| Difference {
            what,
            saved: of(&now).clone(),
            typed: of(&self.values).clone(),
            loaded: loaded.map(|loaded| of(loaded).clone()),
        };
        let texts = [
            text("Name", |values| &values.name),
            text("Description", |values| &values.description),
        ];
        let action = |it: &ShownAction| Difference {
            what: it.label,
            saved: in_words(&now, it.name),
            typed: in_words(&self.values, it.name),
            loaded: loaded.map(|loaded| in_words(loaded, it.name)),
        };
        let all = texts.into_iter().chain(saved.actions.iter().map(action));
        let differs = |it: &Difference| {
            it.saved != it.typed || it.loaded.as_ref().is_some_and(|loaded| *loaded != it.saved)
        };
        all.filter(differs).collect()
    }
}

/// An action in words: `Enabled, Customers`.
fn in_words(values: &Values, action: &str) -> String {
    let Some((is_on, allow)) = values.actions.get(action) else {
        return String::new();
    };
    let state = if *is_on { "Enabled" } else { "Disabled" };
    let who = Allow::named(allow).map_or("", callers);
    format!("{state}, {who}")
}

/// An action as the form has it.
fn decide(
    (is_on, allow): &(bool, String),
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
        it.is_on = *is_on;
        return;
    };
    let entries = if *is_on { &mut meta.on } else { &mut meta.off };
    entries.push(ActionEntry { action, allow });
    *it = ShownAction::new(action, allow, *is_on);
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
