//! Mistakes in the fields of a body.

use std::collections::BTreeMap;

use formwork_vocabulary::inflect::words;
use serde::Serialize;

/// Most fields in one answer.
const MOST_FIELDS: usize = 100;

/// Messages by field: what `errors` of a 422 holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ValidationErrors {
    fields: BTreeMap<String, Vec<String>>,
    /// JSON pointers of the fields in the request's body (RFC 6901).
    #[serde(skip)]
    pointers: BTreeMap<String, String>,
}

impl ValidationErrors {
    /// Adds a message to a field; the same message is added once. Of more than 100 fields, 100 are
    /// reported, so that the answer to a long list is bounded.
    pub fn add(&mut self, field: impl Into<String>, message: impl Into<String>) {
        let field = field.into();
        if self.is_full() && !self.has(&field) {
            return;
        }
        let messages = self.fields.entry(field).or_default();
        let message = message.into();
        if !messages.contains(&message) {
            messages.push(message);
        }
    }

    /// Adds all messages of another.
    pub fn merge(&mut self, other: Self) {
        for (field, messages) in other.fields {
            for message in messages {
                self.add(field.as_str(), message);
            }
        }
    }

    /// Whether there are no messages.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Whether no other field is reported any more.
    pub fn is_full(&self) -> bool {
        self.fields.len() >= MOST_FIELDS
    }

    /// Whether this field has a message.
    pub fn has(&self, field: &str) -> bool {
        self.fields.contains_key(field)
    }

    /// Whether this field or a part of it has a message.
    pub fn has_within(&self, field: &str) -> bool {
        let inside = format!("{field}.");
        self.has(field) || self.fields.keys().any(|known| known.starts_with(&inside))
    }

    /// Fields and their messages, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.fields
            .iter()
            .map(|(field, messages)| (field.as_str(), messages.as_slice()))
    }

    /// Notes the JSON pointer of each field.
    pub fn locate(&mut self, pointer: impl Fn(&str) -> String) {
        for field in self.fields.keys() {
            let known = self.pointers.entry(field.clone());
            known.or_insert_with(|| pointer(field));
        }
    }

    /// Renames a field and its members to their names in the rendering.
    pub fn rename(&mut self, field: &str, name: &str) {
        let inside = format!("{field}.");
        let is_meant = |known: &String| known == field || known.starts_with(&inside);
        let known: Vec<String> = self
            .fields
            .keys()
            .filter(|it| is_meant(it))
            .cloned()
            .collect();
        for known in known {
            let called = format!("{name}{}", &known[field.len()..]);
            let words = [&known, &called].map(|field| words(field));
            for message in self.fields.remove(&known).unwrap_or_default() {
                self.add(called.as_str(), message.replacen(&words[0], &words[1], 1));
            }
            if let Some(pointer) = self.pointers.remove(&known) {
                self.pointers.insert(called, pointer);
            }
        }
    }

    /// The JSON pointer of a field, if it is known.
    pub fn pointer(&self, field: &str) -> Option<&str> {
        self.pointers.get(field).map(String::as_str)
    }

    /// The message of the whole answer: the first of all, and how many more there are.
    pub fn message(&self) -> String {
        let mut messages = self.fields.values().flatten();
        let Some(first) = messages.next() else {
            return "The given data was invalid.".to_owned();
        };
        match messages.count() {
            0 => first.clone(),
            1 => format!("{first} (and 1 more error)"),
            more => format!("{first} (and {more} more errors)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_counts_the_rest() {
        let mut errors = ValidationErrors::default();
        errors.add("name", "The name field is required.");
        assert_eq!(errors.message(), "The name field is required.");
        errors.add("price", "The price field must be a number.");
        errors.add("price", "The price field must be a number.");
        assert_eq!(
            errors.message(),
            "The name field is required. (and 1 more error)"
        );
    }

    #[test]
    fn the_number_of_reported_fields_is_limited() {
        let mut errors = ValidationErrors::default();
        for at in 0..MOST_FIELDS + 5 {
            errors.add(format!("ids.{at}"), "x");
        }
        errors.add("ids.0", "y");
        assert_eq!(errors.iter().count(), MOST_FIELDS);
        assert_eq!(errors.message(), "x (and 100 more errors)");
    }

    #[test]
    fn a_field_may_be_called_by_another_name() {
        let mut errors = ValidationErrors::default();
        errors.add("type", "The selected type is invalid.");
        errors.add("type.0", "The type.0 field is required.");
        errors.add("typed", "The typed field is required.");
        errors.locate(|field| format!("/{field}"));
        errors.rename("type", "coupon_type");
        let seen: Vec<(&str, &str)> = errors
            .iter()
            .map(|(field, messages)| (field, messages[0].as_str()))
            .collect();
        let expected = [
            ("coupon_type", "The selected coupon type is invalid."),
            ("coupon_type.0", "The coupon type.0 field is required."),
            ("typed", "The typed field is required."),
        ];
        assert_eq!(seen, expected);
        assert_eq!(errors.pointer("coupon_type"), Some("/type"));
    }
}
