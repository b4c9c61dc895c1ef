//! The attributes of a request as the tree their names write, `order_menus.*.name`, and their
//! defaults: the values of a blank record.

use formwork_core::request::{Attribute, Rule, keeps_all};
use formwork_data::value::Value;
use serde_json::Value as Json;

/// The members of a body in one place.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub rules: Vec<Rule>,
    /// Written by some callers only.
    pub admin: bool,
    /// Its members by name, and `*` for the items of a list.
    pub members: Vec<(&'static str, Node)>,
}

impl Node {
    /// The tree of these attributes, under the rules of store or of update.
    pub fn of<'a>(attributes: impl Iterator<Item = &'a Attribute>, storing: bool) -> Self {
        let mut root = Self::default();
        for attribute in attributes {
            let node = attribute
                .name()
                .split('.')
                .fold(&mut root, |node, part| node.member(part));
            node.rules.extend(attribute.rules(storing).copied());
            node.admin |= attribute.is_admin_only();
        }
        root
    }

    fn member(&mut self, name: &'static str) -> &mut Self {
        let known = self.members.iter().position(|(known, _)| *known == name);
        let at = known.unwrap_or_else(|| {
            self.members.push((name, Self::default()));
            self.members.len() - 1
        });
        &mut self.members[at].1
    }

    pub fn has(&self, rule: Rule) -> bool {
        self.rules.contains(&rule)
    }

    /// Whether it must be sent if its parent is.
    pub fn is_demanded(&self) -> bool {
        let demanded = self.has(Rule::Required) || self.has(Rule::Present);
        demanded && !self.has(Rule::Sometimes)
    }

    /// The items of a list.
    pub fn items(&self) -> Option<&Self> {
        let mut members = self.members.iter();
        members.find_map(|(name, node)| (*name == "*").then_some(node))
    }

    /// The members of an object.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, &Self)> {
        let members = self.members.iter().filter(|(name, _)| *name != "*");
        members.map(|(name, node)| (*name, node))
    }

    /// Returns the default of a new record's attribute: a client may send it as well. `blank` is the
    /// value of a blank record. `None` if the default is not known, or would be rejected.
    pub fn default_value(&self, blank: Option<&Value>, is_list: bool) -> Option<Json> {
        if self.is_demanded() || self.has(Rule::Confirmed) {
            return None;
        }
        let value = match blank {
            _ if is_list => Json::Array(Vec::new()),
            None | Some(Value::Null) => return self.has(Rule::Nullable).then_some(Json::Null),
            // The default of a day or of a key is a placeholder, so it is not described.
            Some(Value::Date(_) | Value::Time(_) | Value::DateTime(_) | Value::Uuid(_)) => {
                return None;
            }
            Some(Value::Text(text)) if text.is_empty() => return None,
            Some(value) => serde_json::to_value(value).ok()?,
        };
        let needs_rows = |rule: &Rule| matches!(rule, Rule::Exists(..) | Rule::Unique);
        let is_kept = !self.rules.iter().any(needs_rows) && keeps_all(&value, &self.rules);
        is_kept.then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use formwork_core::request::rules::*;

    fn seen(rules: &[Rule], blank: Option<Value>) -> Option<Json> {
        let node = Node {
            rules: rules.to_vec(),
            ..Node::default()
        };
        node.default_value(blank.as_ref(), false)
    }

    #[test]
    fn values_of_a_blank_record_are_proposed_as_defaults() {
        assert_eq!(seen(&[integer()], Some(Value::Int(1))), Some(json!(1)));
        assert_eq!(
            seen(&[boolean()], Some(Value::Bool(true))),
            Some(json!(true))
        );
        let sometimes = [sometimes(), required(), integer()];
        assert_eq!(seen(&sometimes, Some(Value::Int(1))), Some(json!(1)));
        assert_eq!(
            seen(&[nullable(), string()], Some(Value::Null)),
            Some(Json::Null)
        );
        assert_eq!(seen(&[nullable(), array()], None), Some(Json::Null));
        let list = Node::default();
        assert_eq!(list.default_value(None, true), Some(json!([])));
    }

    #[test]
    fn values_that_rules_refuse_are_not_proposed_as_defaults() {
        assert_eq!(seen(&[required(), integer()], Some(Value::Int(1))), None);
        assert_eq!(seen(&[integer(), min(1)], Some(Value::Int(0))), None);
        let key = [integer(), exists("people", "id")];
        assert_eq!(seen(&key, Some(Value::Int(0))), None);
        assert_eq!(seen(&[string()], Some(Value::Null)), None);
        assert_eq!(seen(&[string()], Some(Value::Text(String::new()))), None);
    }
}
