//! Bodies: their members, and the rules that a request holds against them.

mod attribute;
mod check;
mod domain;
mod example;
mod form;
mod format;
mod message;
mod number;
pub(crate) mod place;
mod rule;
pub mod rules;
mod subject;
mod targets;
mod validation;
mod weight;
mod written;

pub use attribute::{Attribute, attribute};
pub use check::keeps_all;
pub(crate) use check::{integer, scalar};
pub use domain::Domain;
pub(crate) use example::example;
pub use form::{Field, form, type_name};
pub(crate) use message::alone;
pub use rule::{Bound, Rule};
pub(crate) use subject::beside;
pub(crate) use targets::targets;
pub(crate) use validation::Reading;
pub use written::is_email;

use formwork_data::error::{DocumentError, DocumentProblem, Error, Result};
use serde_json::{Map, Value as Json};

use crate::rendering::{Rendering, type_attribute};
use place::Places;

/// The members of a body. Absent is not null.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Input {
    members: Map<String, Json>,
    /// The JSON pointers of the members in the body.
    places: Places,
    /// Mistakes that were found while the body was read, by field.
    refused: Vec<(String, String)>,
    /// Mistakes in the relationships of a document, by the field they write.
    mislinked: Vec<(String, DocumentError)>,
    /// The name of an attribute `type` in this rendering, where that is another.
    type_name: Option<String>,
}

impl Input {
    /// These members, as they are.
    pub fn new(members: Map<String, Json>) -> Self {
        Self {
            members,
            ..Self::default()
        }
    }

    /// Members with their JSON pointers in the body.
    pub(crate) fn sent(members: Map<String, Json>, places: Places) -> Self {
        Self {
            places,
            ..Self::new(members)
        }
    }

    /// The members of a body as rules and hooks get them: strings trimmed, except passwords and
    /// inside JSON attributes; an empty one becomes null in a nullable attribute.
    pub fn normalised(members: Map<String, Json>, attributes: &[Attribute]) -> Self {
        let mut input = Self::new(members);
        for (name, value) in &mut input.members {
            let has = |rule: Rule| {
                attributes.iter().any(|attribute| {
                    attribute.name() == name
                        && attribute
                            .rules(true)
                            .chain(attribute.rules(false))
                            .any(|r| *r == rule)
                })
            };
            if has(Rule::Json) {
                continue;
            }
            trim(name, value);
            if value.as_str() == Some("") && has(Rule::Nullable) {
                *value = Json::Null;
            }
        }
        for attribute in attributes {
            let mut rules = attribute.rules(true).chain(attribute.rules(false));
            if let Some((member, rest)) = attribute.name().split_once('.')
                && rules.any(|rule| *rule == Rule::Nullable)
                && let Some(value) = input.members.get_mut(member)
            {
                nullify(value, rest);
            }
        }
        input
    }

    /// The value of a member; `special.type` and `items.0.menu_id` reach into it.
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.members.get(name).or_else(|| {
            let (member, rest) = name.split_once('.')?;
            rest.split('.')
                .try_fold(self.members.get(member)?, |value, part| match value {
                    Json::Object(members) => members.get(part),
                    Json::Array(items) => items.get(part.parse::<usize>().ok()?),
                    _ => None,
                })
        })
    }

    /// Whether a member was sent, null or not.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The value of a member that is a string.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_str()
    }

    /// Whether a member was sent and is not empty: neither null, nor an empty string or list.
    pub fn filled(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| !is_blank(value))
    }

    /// The same body with another value of a member: for actions that change a body before the
    /// rules see it. Mistakes that were noted already stay.
    #[must_use]
    pub fn with(mut self, member: &str, value: impl Into<Json>) -> Self {
        self.members.insert(member.to_owned(), value.into());
        self
    }

    /// The members of the body by their names.
    pub fn members(&self) -> &Map<String, Json> {
        &self.members
    }

    /// Sets a member that has another JSON pointer in the body.
    pub(crate) fn put(&mut self, member: &str, value: Json, pointer: String) {
        self.members.insert(member.to_owned(), value);
        self.places.put(member, pointer);
    }

    /// Notes what is wrong with a field before any rule has seen it.
    pub(crate) fn refuse(&mut self, field: String, message: String) {
        self.refused.push((field, message));
    }

    /// Mistakes that were found before any rule ran: fields and messages.
    pub fn refused(&self) -> impl Iterator<Item = (&str, &str)> {
        self.refused
            .iter()
            .map(|(field, message)| (field.as_str(), message.as_str()))
    }

    /// Notes that a field is linked as it cannot be: to an object of another type, to several or one.
    pub(crate) fn mislink(&mut self, field: &str, fault: DocumentError) {
        self.mislinked.push((field.to_owned(), fault));
    }

    /// Checks what a document links to, in the fields that count.
    ///
    /// # Errors
    /// 400 with every linkage of another shape; 409 with every identifier of another type (JSON:API
    /// 1.1, "Updating a Resource's Relationships").
    pub(crate) fn check_linkage(&self, counts: impl Fn(&str) -> bool) -> Result<()> {
        let of_kind = |problem| {
            let faults = self.mislinked.iter();
            let faults =
                faults.filter(|(field, fault)| fault.problem() == problem && counts(field));
            let merged = faults
                .map(|(_, fault)| fault.clone())
                .reduce(|mut all, other| {
                    all.merge(other);
                    all
                });
            merged.map_or(Ok(()), |all| Err(Error::Document(all)))
        };
        of_kind(DocumentProblem::Malformed)?;
        of_kind(DocumentProblem::Conflict)
    }

    /// The pointer to a field, or to what it is missing from.
    pub(crate) fn pointer(&self, field: &str) -> String {
        let member = field.split('.').next().unwrap_or(field);
        self.places.pointer(field, self.members.get(member))
    }

    /// A refusal with the pointers of the fields in the sent body.
    pub(crate) fn locate(&self, error: Error) -> Error {
        match error {
            Error::Validation(mut errors) => {
                errors.locate(|field| self.pointer(field));
                if let Some(name) = &self.type_name {
                    errors.rename("type", name);
                }
                Error::Validation(errors)
            }
            other => other,
        }
    }

    /// An attribute `type` may be sent under the name it has in JSON:API, and has this name if the
    /// body or the answer is a document.
    pub(crate) fn name_type(&mut self, attributes: &[Attribute], key: &str, rendering: Rendering) {
        let known = |name: &str| attributes.iter().any(|attribute| attribute.name() == name);
        let other = type_attribute(key);
        if !known("type") || known(&other) {
            return;
        }
        if self.places.is_document() || rendering.is_json_api() {
            self.type_name = Some(other.clone());
        }
        if self.members.contains_key("type") {
            return;
        }
        if let Some(value) = self.members.remove(&other) {
            self.members.insert("type".to_owned(), value);
            self.places.rename("type", &other);
        }
    }

    /// Removes the value at a path: `special.type`, `lines.2`.
    pub(crate) fn remove(&mut self, path: &str) {
        let Some((outer, name)) = path.rsplit_once('.') else {
            self.members.remove(path);
            return;
        };
        let mut parts = outer.split('.');
        let member = parts.next().and_then(|name| self.members.get_mut(name));
        let inner = parts.fold(member, |value, part| match value? {
            Json::Object(members) => members.get_mut(part),
            Json::Array(items) => items.get_mut(part.parse::<usize>().ok()?),
            _ => None,
        });
        match (inner, name.parse::<usize>()) {
            (Some(Json::Object(members)), _) => {
                members.remove(name);
            }
            (Some(Json::Array(items)), Ok(at)) if at < items.len() => {
                items.remove(at);
            }
            _ => {}
        }
    }

    pub(crate) fn retain(&mut self, keep: impl Fn(&str) -> bool) {
        self.members.retain(|name, _| keep(name));
    }
}

/// Whether the rule `required` refuses a value.
pub(super) fn is_blank(value: &Json) -> bool {
    match value {
        Json::Null => true,
        Json::String(text) => text.trim().is_empty(),
        Json::Array(items) => items.is_empty(),
        Json::Object(members) => members.is_empty(),
        Json::Bool(_) | Json::Number(_) => false,
    }
}

/// Makes empty texts at a path inside of a member null: `*.note`.
fn nullify(value: &mut Json, path: &str) {
    let (part, rest) = path.split_once('.').unwrap_or((path, ""));
    let enter = |value: &mut Json| match value {
        value if !rest.is_empty() => nullify(value, rest),
        Json::String(text) if text.is_empty() => *value = Json::Null,
        _ => {}
    };
    match value {
        Json::Array(items) if part == "*" => items.iter_mut().for_each(enter),
        Json::Object(members) if part == "*" => members.values_mut().for_each(enter),
        Json::Object(members) => members.get_mut(part).into_iter().for_each(enter),
        _ => {}
    }
}

/// A space may be part of a password.
fn trim(name: &str, value: &mut Json) {
    match value {
        Json::String(_) if name.contains("password") => {}
        Json::String(text) => {
            let trimmed = text.trim();
            if trimmed.len() != text.len() {
                *value = Json::String(trimmed.to_owned());
            }
        }
        Json::Array(items) => items.iter_mut().for_each(|item| trim(name, item)),
        Json::Object(members) => {
            members
                .iter_mut()
                .for_each(|(name, member)| trim(name, member));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::input::{attribute, rules};

    fn input(body: Json, attributes: &[Attribute]) -> Input {
        let Json::Object(members) = body else {
            panic!("an object")
        };
        Input::normalised(members, attributes)
    }

    #[test]
    fn strings_are_trimmed_except_passwords_and_json() {
        const ATTRIBUTES: &[Attribute] = &[
            attribute("data", &[rules::json()]),
            attribute("note", &[rules::nullable()]),
            attribute("place", &[rules::array()]),
            attribute("place.street", &[rules::nullable()]),
            attribute("place.city", &[rules::string()]),
            attribute("lines.*.note", &[rules::nullable()]),
            attribute("words.*", &[rules::nullable()]),
        ];
        let body = json!({
            "place": {"street": " ", "city": " "}, "words": ["", "a"],
            "lines": [{"note": ""}, {"note": "x", "other": ""}],
            "name": "  Puff ", "password": " a ", "data": {"a": " b "}, "note": "  ", "tags": [" x"],
            "title": " ",
        });
        let input = input(body, ATTRIBUTES);
        assert_eq!(input.text("name"), Some("Puff"));
        assert_eq!(input.text("password"), Some(" a "));
        assert_eq!(input.text("data.a"), Some(" b "));
        assert_eq!(input.get("note"), Some(&Json::Null));
        assert_eq!(input.text("tags.0"), Some("x"));
        assert_eq!(input.text("title"), Some(""));
        for null in ["place.street", "words.0", "lines.0.note"] {
            assert_eq!(input.get(null), Some(&Json::Null), "{null}");
        }
        assert_eq!(input.text("place.city"), Some(""));
        assert_eq!(input.text("lines.1.other"), Some(""));
        assert!(input.has("note") && !input.has("other"));
        assert!(!input.filled("note") && input.filled("name"));
    }
}
