//! The decision about a resource: `meta` of its row, as JSON.
//!
//! `{"actions": ["index"], "authorization": {"index": "all", "store": "admin"}}`: the actions that
//! are on, and the context of each. Without meta the registration applies. Actions whose settings
//! cannot be read are off.

use formwork_core::action::{Action, ActionEntry, Allow};
use serde_json::{Map, Value as Json, json};

/// A decision, understood as far as it can be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Meta {
    /// The actions that are on.
    pub on: Vec<ActionEntry>,
    /// The contexts of actions that are off, for when they are switched on again.
    pub off: Vec<ActionEntry>,
    /// Settings that cannot be read, in sentences.
    pub faults: Vec<String>,
}

impl Meta {
    /// Reads a decision.
    pub fn read(text: &str) -> Self {
        match Self::parts(text) {
            Some((actions, contexts)) => Self::of(&actions, &contexts),
            None => Self {
                faults: vec!["The settings cannot be read: every action is off.".to_owned()],
                ..Self::default()
            },
        }
    }

    fn parts(text: &str) -> Option<(Vec<String>, Map<String, Json>)> {
        let mut meta: Map<String, Json> = serde_json::from_str(text).ok()?;
        let actions = serde_json::from_value(meta.remove("actions")?).ok()?;
        let contexts = serde_json::from_value(meta.remove("authorization")?).ok()?;
        Some((actions, contexts))
    }

    fn of(actions: &[String], contexts: &Map<String, Json>) -> Self {
        let mut meta = Self::default();
        for action in Action::ALL {
            let name = action.name();
            let context = contexts.get(name).and_then(Json::as_str);
            let is_on = actions.iter().any(|on| on == name);
            match context.and_then(Allow::named) {
                Some(allow) if is_on => meta.on.push(ActionEntry { action, allow }),
                Some(allow) => meta.off.push(ActionEntry { action, allow }),
                None if is_on => meta.faults.push(format!(
                    "The context of `{name}` is unknown: the action is off."
                )),
                None => {}
            }
        }
        meta
    }

    /// The settings as they are stored; `None` where they equal the registration.
    pub fn written(&self, registered: &[ActionEntry]) -> Option<String> {
        let same = |entry: &ActionEntry| self.on.contains(entry);
        if self.on.len() == registered.len() && registered.iter().all(same) {
            return None;
        }
        let actions: Vec<&str> = self.on.iter().map(|entry| entry.action.name()).collect();
        let contexts: Map<String, Json> = self
            .on
            .iter()
            .chain(&self.off)
            .map(|entry| (entry.action.name().to_owned(), entry.allow.name().into()))
            .collect();
        Some(json!({"actions": actions, "authorization": contexts}).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formwork_core::actions;

    #[test]
    fn written_settings_are_read_back() {
        let meta = Meta {
            on: actions!["index", "show:users"].to_vec(),
            off: actions!["destroy:admin"].to_vec(),
            faults: Vec::new(),
        };
        let registered = actions!["index", "show", "destroy:admin"];
        let written = meta.written(registered).expect("a decision");
        assert_eq!(Meta::read(&written), meta);
    }

    #[test]
    fn settings_equal_to_the_registered_actions_are_no_decision() {
        let registered = actions!["index", "destroy:admin"];
        let meta = |on: &[ActionEntry]| Meta {
            on: on.to_vec(),
            ..Meta::default()
        };
        assert_eq!(meta(registered).written(registered), None);
        for other in [actions!["index"], actions!["index", "destroy"]] {
            assert!(meta(other).written(registered).is_some(), "{other:?}");
        }
    }

    #[test]
    fn unreadable_settings_switch_every_action_off() {
        for text in [
            "",
            "{",
            "null",
            "[]",
            "7",
            "{}",
            r#"{"actions": ["index"]}"#,
            r#"{"actions": "index", "authorization": {"index": "all"}}"#,
            r#"{"actions": [1], "authorization": {"index": "all"}}"#,
            r#"{"actions": ["index"], "authorization": ["all"]}"#,
        ] {
            let meta = Meta::read(text);
            assert_eq!((meta.on.len(), meta.faults.len()), (0, 1), "{text}");
        }
        let text = r#"{"actions": ["index", "show", "store", "update", "dance"],
            "authorization": {"index": "all", "show": "everyone", "store": 7, "dance": "all"}}"#;
        let meta = Meta::read(text);
        assert_eq!(meta.on, actions!["index"]);
        assert_eq!(meta.faults.len(), 3, "{:?}", meta.faults);
    }
}
