//! How much a body may hold where rules look at every value.

use formwork_data::error::{Error, Result};
use formwork_vocabulary::inflect::words;
use serde_json::Value as Json;

use super::{Input, Reading, Rule};

/// Most values inside of one member of a body: items of lists and members of objects, at every
/// level. Each rule looks at each of them. A text that holds JSON counts as that JSON: hooks parse
/// it. Members that are stored as JSON have no such limit.
const MOST_VALUES: usize = 10_000;

impl Reading<'_> {
    /// Refuses a body with more values than rules may check.
    ///
    /// # Errors
    ///
    /// 422 on the first member that holds too many.
    pub fn weigh(&self, input: &Input) -> Result<()> {
        for attribute in self.writable() {
            let member = attribute.member();
            let value = input.members().get(member);
            let heavy = |value: &Json| values(value) > MOST_VALUES;
            if value.is_some_and(heavy) && !self.is_opaque(member) {
                let name = words(member);
                let message =
                    format!("The {name} field must not hold more than {MOST_VALUES} values.");
                return Err(Error::validation(member, message));
            }
        }
        Ok(())
    }

    /// Whether no rule looks into it: JSON without rules of its own.
    fn is_opaque(&self, member: &str) -> bool {
        let mut of_member = self.writable().filter(|it| it.member() == member);
        let is_json = |rule: &Rule| *rule == Rule::Json;
        of_member.all(|it| it.name() == member && it.rules(self.storing).any(is_json))
    }
}

fn values(value: &Json) -> usize {
    match value {
        Json::Array(items) => items.len() + items.iter().map(values).sum::<usize>(),
        Json::Object(members) => members.len() + members.values().map(values).sum::<usize>(),
        Json::String(text) => values_in_text(text),
        Json::Null | Json::Bool(_) | Json::Number(_) => 0,
    }
}

/// The values of a text that holds a list or an object. A text is parsed only if it is long enough
/// to hold too many.
fn values_in_text(text: &str) -> usize {
    if text.len() < MOST_VALUES || !text.trim_start().starts_with(['[', '{']) {
        return 0;
    }
    serde_json::from_str(text).map_or(0, |parsed: Json| values(&parsed))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::input::{Attribute, attribute, rules::*};

    const ATTRIBUTES: &[Attribute] = &[
        attribute("ids", &[array()]),
        attribute("ids.*", &[integer()]),
        attribute("data", &[json()]),
    ];

    fn weighed(body: Json) -> bool {
        let reading = Reading {
            attributes: ATTRIBUTES,
            storing: true,
            partial: false,
            admin: false,
            owner: None,
            row: None,
        };
        let Json::Object(members) = body else {
            panic!("an object")
        };
        reading.weigh(&Input::new(members)).is_ok()
    }

    #[test]
    fn the_number_of_values_that_rules_read_is_limited() {
        let list = |length: usize| vec![Json::from(0); length];
        assert!(weighed(json!({"ids": list(MOST_VALUES)})));
        assert!(!weighed(json!({"ids": list(MOST_VALUES + 1)})));
        assert!(!weighed(json!({"ids": [list(6_000), list(6_000)]})));
        let text = |length: usize| json!(list(length)).to_string();
        assert!(weighed(json!({"ids": text(MOST_VALUES)})));
        assert!(!weighed(json!({"ids": text(MOST_VALUES + 1)})));
        assert!(!weighed(json!({"ids": [[text(MOST_VALUES + 1)]]})));
        assert!(!weighed(
            json!({"ids": json!([text(MOST_VALUES + 1)]).to_string()})
        ));
        assert!(weighed(json!({"ids": ", ".repeat(MOST_VALUES)})));
        assert!(weighed(
            json!({"data": list(MOST_VALUES + 1), "other": list(MOST_VALUES + 1)})
        ));
    }
}
