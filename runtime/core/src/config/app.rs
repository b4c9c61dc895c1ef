//! Settings of a project's own: the section `app`.

use std::collections::BTreeMap;

use formwork_vocabulary::config::OWN;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};

use super::error::ConfigError;
use crate::typed;

/// The section `app`, as the file and the variables set it.
#[derive(Debug, Clone, Default)]
pub struct AppSettings {
    pub(super) values: Json,
    /// The variables that set values, by the places of these.
    variables: BTreeMap<String, String>,
}

impl AppSettings {
    /// Sets the value at a place to that of a variable; an empty one leaves what the file has.
    pub(super) fn set(&mut self, place: &str, variable: String, value: String) {
        if value.is_empty() {
            return;
        }
        let mut at = &mut self.values;
        for name in place.split('.') {
            if !at.is_object() {
                *at = Json::Object(Map::new());
            }
            at = &mut at[name];
        }
        *at = Json::String(value);
        self.variables.insert(place.to_owned(), variable);
    }

    /// The settings in a type of the project. A section that is not there has no members.
    ///
    /// # Errors
    ///
    /// Every mistake at once: unknown keys (with "did you mean"), values of another type, missing
    /// ones.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, ConfigError> {
        let none = Json::Object(Map::new());
        let values = if self.values.is_null() {
            &none
        } else {
            &self.values
        };
        let (read, mistakes) = typed::read(values);
        let wrong = mistakes.wrong.iter();
        let wrong = wrong.map(|(place, message)| match message.as_str() {
            typed::MISSING => format!("{} {message}", self.origin(place)),
            message => format!("{}: {message}", self.origin(place)),
        });
        let unknown = mistakes.unknown.iter().map(|(place, meant)| {
            let hint = meant
                .as_ref()
                .map(|meant| format!("; did you mean `{OWN}.{meant}`?"));
            format!(
                "{}: no such key{}",
                self.origin(place),
                hint.unwrap_or_default()
            )
        });
        let mistakes: Vec<String> = wrong.chain(unknown).collect();
        match read {
            Some(read) if mistakes.is_empty() => Ok(read),
            _ => Err(ConfigError::new(mistakes)),
        }
    }

    /// The variable, or the key of the file, that sets the value at a place.
    fn origin(&self, place: &str) -> String {
        match (self.variables.get(place), place) {
            (Some(variable), _) => variable.clone(),
            (None, "") => format!("formwork.yaml: {OWN}"),
            (None, place) => format!("formwork.yaml: {OWN}.{place}"),
        }
    }
}
