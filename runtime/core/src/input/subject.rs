//! A value under its rules, with the rest of the body.

use formwork_data::error::Result;
use serde_json::Value as Json;

use super::{
    Attribute, Input, Rule, check, is_blank,
    message::{Measure, message},
};

/// A value of a body, and its path.
#[derive(Clone, Copy)]
pub(super) struct Subject<'s> {
    /// The attribute whose rules it has to keep.
    pub attribute: &'s Attribute,
    /// Its path: `lines.2.name` for the attribute `lines.*.name`.
    pub path: &'s str,
    /// `None` where it was not sent.
    pub value: Option<&'s Json>,
    /// The whole body.
    pub input: &'s Input,
    /// The row that is updated.
    pub row: Option<&'s Input>,
}

impl<'s> Subject<'s> {
    /// The value that another attribute will have.
    fn other(&self, name: &str) -> Option<&'s Json> {
        self.written(&beside(name, self.attribute.name(), self.path))
    }

    /// The value at a path after the change: a member that is not sent keeps its value.
    fn written(&self, path: &str) -> Option<&'s Json> {
        let member = path.split('.').next().unwrap_or(path);
        match self.row {
            Some(row) if !self.input.members().contains_key(member) => row.get(path),
            _ => self.input.get(path),
        }
    }

    fn filled(&self, name: &str) -> bool {
        self.other(name).is_some_and(|value| !is_blank(value))
    }

    /// Whether a rule leaves it out of the body.
    pub fn is_excluded(&self, rule: Rule) -> bool {
        matches!(rule, Rule::ExcludeWithout(other) if !self.filled(other))
    }

    /// Whether a rule demands a value that is not there.
    pub fn misses(&self, rule: Rule) -> bool {
        match rule {
            Rule::Required => self.value.is_none_or(is_blank),
            Rule::Present => self.value.is_none(),
            Rule::RequiredIf(other, words) => self.stays_blank() && self.has_word(other, words),
            Rule::RequiredWithout(others) => {
                self.stays_blank() && others.iter().any(|name| !self.filled(name))
            }
            _ => false,
        }
    }

    /// Whether it has no value after the change.
    fn stays_blank(&self) -> bool {
        let value = self.value.or_else(|| self.written(self.path));
        value.is_none_or(is_blank)
    }

    /// Whether the value that it keeps is another one than `same` demands.
    pub fn differs(&self, rule: Rule) -> bool {
        let kept = self.written(self.path).filter(|value| !is_blank(value));
        matches!(rule, Rule::Same(other) if kept.is_some() && self.other(other) != kept)
    }

    fn has_word(&self, other: &str, words: &[&str]) -> bool {
        match self.other(other) {
            Some(Json::Null) => words.contains(&"null"),
            Some(value) => words.iter().any(|word| check::means(value, word)),
            None => false,
        }
    }

    /// Whether it empties an attribute that every stored record must have: there is no default to
    /// fall back to.
    pub fn empties(&self) -> bool {
        let empty = match self.value {
            Some(Json::Null) => true,
            Some(Json::String(text)) => text.trim().is_empty(),
            _ => false,
        };
        let ruled = |wanted: Rule| self.attribute.rules(true).any(|rule| *rule == wanted);
        empty && ruled(Rule::Required) && !ruled(Rule::Nullable)
    }

    /// Whether its value keeps a rule that needs no database.
    ///
    /// # Errors
    ///
    /// 500 where the rule itself makes no sense.
    pub fn keeps(&self, value: &Json, rule: Rule, measure: Measure) -> Result<bool> {
        // An empty text counts as no value: only rules of the type run on it.
        if value.as_str() == Some("") && !minds_empty(rule) {
            return Ok(true);
        }
        match rule {
            Rule::Same(other) => Ok(self.other(other) == Some(value)),
            Rule::Confirmed => {
                let again = self.input.get(&format!("{}_confirmation", self.path));
                Ok(again == Some(value))
            }
            rule => check::keeps(value, rule, measure),
        }
    }

    /// The message for a broken rule.
    pub fn message(&self, rule: Rule, measure: Measure) -> String {
        let said = match rule {
            Rule::RequiredIf(other, _) => self.other(other).and_then(check::scalar),
            _ => None,
        };
        let beside = |name: &str| beside(name, self.attribute.name(), self.path);
        message(self.path, rule, measure, said.as_deref(), &beside)
    }
}

/// The place of another attribute beside a value: for `lines.2.name`, which is one of
/// `lines.*.name`, the attribute `lines.*.kind` is `lines.2.kind`.
pub(crate) fn beside(other: &str, attribute: &str, path: &str) -> String {
    let mut at = attribute
        .split('.')
        .zip(path.split('.'))
        .filter_map(|(name, part)| (name == "*").then_some(part));
    let parts = other.split('.').map(|part| match part {
        "*" => at.next().unwrap_or(part),
        part => part,
    });
    parts.collect::<Vec<_>>().join(".")
}

fn minds_empty(rule: Rule) -> bool {
    rule.is_number()
        || matches!(
            rule,
            Rule::Boolean
                | Rule::Array
                | Rule::Date
                | Rule::Time
                | Rule::DateTime
                | Rule::Uuid
                | Rule::In(_)
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_same_item() {
        let seen = |other: &str| beside(other, "lines.*.parts.*.id", "lines.2.parts.0.id");
        assert_eq!(seen("lines.*.kind"), "lines.2.kind");
        assert_eq!(seen("lines.*.parts.*.kind"), "lines.2.parts.0.kind");
        assert_eq!(seen("kind"), "kind");
        assert_eq!(beside("lines.*.kind", "name", "name"), "lines.*.kind");
    }
}
