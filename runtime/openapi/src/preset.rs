//! Defaults of members of a body: the values of a blank record.

use formwork_core::request::{Rule, keeps_all};
use formwork_data::value::Value;
use serde_json::Value as Json;

use super::tree::Node;

/// The default of a new record's attribute: a client may send it as well. `blank`: that of a blank
/// record, in the attribute's column. `None` where it is not known, or would be refused.
pub(super) fn preset(node: &Node, blank: Option<&Value>, is_list: bool) -> Option<Json> {
    if node.is_demanded() || node.has(Rule::Confirmed) {
        return None;
    }
    let value = match blank {
        _ if is_list => Json::Array(Vec::new()),
        None | Some(Value::Null) => return node.has(Rule::Nullable).then_some(Json::Null),
        // The default of a day or of a key is a placeholder, so it is not described.
        Some(Value::Date(_) | Value::Time(_) | Value::DateTime(_) | Value::Uuid(_)) => return None,
        Some(Value::Text(text)) if text.is_empty() => return None,
        Some(value) => serde_json::to_value(value).ok()?,
    };
    let stands_elsewhere = |rule: &Rule| matches!(rule, Rule::Exists(..) | Rule::Unique);
    let is_kept = !node.rules.iter().any(stands_elsewhere) && keeps_all(&value, &node.rules);
    is_kept.then_some(value)
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
        preset(&node, blank.as_ref(), false)
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
        assert_eq!(preset(&list, None, true), Some(json!([])));
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
