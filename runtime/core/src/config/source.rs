//! Where configuration comes from: the file, then variables, which win.

use std::{collections::BTreeMap, ffi::OsString};

use formwork_vocabulary::config::{OWN, find, meant};
use serde_json::Value as Json;

use super::{app::AppSettings, error::ConfigError};

/// A value and where it was written, for messages.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Setting {
    pub value: Json,
    pub origin: String,
}

/// The values that were set, by key.
pub(super) type Settings = BTreeMap<&'static str, Setting>;

/// Gathers what the file and the variables set, and the settings of the project's own.
///
/// # Errors
///
/// Where the file is no mapping: then no key is known, and each would seem to be missing.
pub(super) fn gather(
    yaml: &str,
    variables: impl IntoIterator<Item = (String, String)>,
) -> Result<GatheredSettings, ConfigError> {
    let mut gathered = GatheredSettings::default();
    let unreadable = match serde_saphyr::from_str::<Option<Json>>(yaml) {
        Ok(Some(Json::Object(sections))) => {
            sections
                .into_iter()
                .for_each(|(name, value)| gathered.walk(name, value));
            None
        }
        Ok(None | Some(Json::Null)) => None,
        Ok(Some(_)) => Some("formwork.yaml is not a mapping of keys to values".to_owned()),
        Err(error) => Some(format!("formwork.yaml: {error}")),
    };
    let mut variables: Vec<_> = variables.into_iter().filter_map(variable).collect();
    // `DATABASE_URL` sorts before `FORMWORK_…`: variables that name Formwork win.
    variables.sort();
    variables
        .into_iter()
        .for_each(|(name, key, value)| gathered.variable(name, &key, value));
    match unreadable {
        None => Ok(gathered),
        Some(mistake) => {
            gathered.mistakes.insert(0, mistake);
            Err(ConfigError::new(gathered.mistakes))
        }
    }
}

/// Returns the variables that configure a service. Others may be anything.
///
/// # Errors
///
/// Every such variable whose value is not UTF-8.
pub(super) fn environment(
    variables: impl Iterator<Item = (OsString, OsString)>,
) -> Result<Vec<(String, String)>, Vec<String>> {
    let (mut ours, mut mistakes) = (Vec::new(), Vec::new());
    for (name, value) in variables {
        let Some(name) = name.to_str().filter(|name| configures(name)) else {
            continue;
        };
        match value.into_string() {
            Ok(value) => ours.push((name.to_owned(), value)),
            Err(_) => mistakes.push(format!("{name}: the value is not UTF-8")),
        }
    }
    if mistakes.is_empty() {
        Ok(ours)
    } else {
        Err(mistakes)
    }
}

fn configures(name: &str) -> bool {
    variable((name.to_owned(), String::new())).is_some()
}

/// Name, key and value of a variable that configures a service.
fn variable((name, value): (String, String)) -> Option<(String, String, String)> {
    if name == "DATABASE_URL" {
        return Some((name, "database.url".to_owned(), value));
    }
    let path = name.strip_prefix("FORMWORK_")?;
    let key = path.to_ascii_lowercase().replace("__", ".");
    (key.contains('.') || key == "database").then_some((name, key, value))
}

/// Settings of the file and the variables, and keys that do not exist.
#[derive(Default)]
pub(super) struct GatheredSettings {
    pub settings: Settings,
    pub app: AppSettings,
    pub mistakes: Vec<String>,
}

impl GatheredSettings {
    fn walk(&mut self, path: String, value: Json) {
        if path == OWN {
            self.app.values = value;
            return;
        }
        let key = find(&path);
        if let Some(key) = key.filter(|key| key.holds_value()) {
            let key = key.name;
            let origin = format!("formwork.yaml: {key}");
            self.settings.insert(key, Setting { value, origin });
            return;
        }
        match value {
            _ if key.is_none() => {
                self.mistake(format!("formwork.yaml: {path}: {}", unknown(&path)));
            }
            Json::Object(members) => {
                for (name, value) in members {
                    self.walk(format!("{path}.{name}"), value);
                }
            }
            Json::Null => {}
            kinds if path == "database" => self.walk("database.kinds".to_owned(), kinds),
            _ => self.mistake(format!(
                "formwork.yaml: {path} must be a value, not a mapping"
            )),
        }
    }

    /// A variable without a value leaves the key as the file has it.
    fn variable(&mut self, name: String, path: &str, value: String) {
        let path = if path == "database" {
            "database.kinds"
        } else {
            path
        };
        if let Some(below) = path.strip_prefix(OWN).and_then(|it| it.strip_prefix('.')) {
            self.app.set(below, name, value);
            return;
        }
        match find(path).filter(|key| key.holds_value()) {
            None => self.mistake(format!("{name}: {}", unknown(path))),
            Some(_) if value.is_empty() => {}
            Some(key) => {
                self.settings.insert(
                    key.name,
                    Setting {
                        value: Json::String(value),
                        origin: name,
                    },
                );
            }
        }
    }

    fn mistake(&mut self, mistake: String) {
        self.mistakes.push(mistake);
    }
}

fn unknown(path: &str) -> String {
    match meant(path) {
        Some(meant) => format!("no such key; did you mean `{meant}`?"),
        None => "no such key".to_owned(),
    }
}
