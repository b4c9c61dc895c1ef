//! The values of a resource's form: as they were loaded, as they are saved, as they were sent.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{super::admin_request::AdminRequest, shown::Shown};

/// The values of the fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Values {
    pub name: String,
    pub description: String,
    /// Whether each action is on, and its context.
    pub actions: BTreeMap<String, (bool, String)>,
}

impl Values {
    /// The saved values.
    pub fn of(saved: &Shown) -> Self {
        let actions = saved.actions.iter();
        Self {
            name: text(&saved.name),
            description: text(&saved.description),
            actions: actions
                .map(|it| (it.name.to_owned(), (it.is_on, it.allow.to_owned())))
                .collect(),
        }
    }

    /// The values that a form sends about these actions.
    pub fn sent(request: &AdminRequest, saved: &Shown) -> Self {
        let action = |name: &str| {
            let is_on = request.has(&format!("on_{name}"));
            (is_on, request.field(&format!("allow_{name}")))
        };
        let actions = saved.actions.iter();
        Self {
            name: text(&request.field("name")),
            description: text(&request.field("description")),
            actions: actions
                .map(|it| (it.name.to_owned(), action(it.name)))
                .collect(),
        }
    }

    /// The values that a form was loaded with; `None` where it does not say so: it was opened
    /// before the service was upgraded.
    pub fn loaded(request: &AdminRequest) -> Option<Self> {
        serde_json::from_str(&request.field(LOADED)).ok()
    }

    /// These, but the saved value of each field that has the loaded one: its value was not chosen
    /// by the person who sends the form.
    pub fn over(mut self, loaded: &Self, saved: &Self) -> Self {
        if self.name == loaded.name {
            self.name.clone_from(&saved.name);
        }
        if self.description == loaded.description {
            self.description.clone_from(&saved.description);
        }
        for (name, sent) in &mut self.actions {
            if let (Some(loaded), Some(saved)) = (loaded.actions.get(name), saved.actions.get(name))
                && sent == loaded
            {
                sent.clone_from(saved);
            }
        }
        self
    }
}

/// The field that holds the loaded values, as JSON.
pub(super) const LOADED: &str = "loaded";

/// A text as a field holds it: browsers send the ends of lines as CR LF (HTML, "form submission").
fn text(text: &str) -> String {
    text.trim().replace("\r\n", "\n")
}
