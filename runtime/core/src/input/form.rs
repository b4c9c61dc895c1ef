//! `meta.form` of create and edit: writable attributes with type and rules.

use serde::Serialize;

use super::{Attribute, Rule};
use crate::rendering::type_attribute;

/// An attribute of a form.
#[derive(Debug, Serialize)]
pub struct Field {
    name: String,
    #[serde(rename = "type")]
    kind: &'static str,
    rules: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    options: Option<&'static [&'static str]>,
}

/// The fields of a form for these attributes. `type_name` is the name of an attribute `type` in the
/// rendering: in JSON:API documents, `type` is the key of the resource.
pub fn form<'a>(
    attributes: impl Iterator<Item = &'a Attribute>,
    storing: bool,
    type_name: &str,
) -> Vec<Field> {
    attributes
        .map(|attribute| field(attribute, storing, type_name))
        .collect()
}

/// The name of an attribute `type` in a form for documents: as documents do, unless the resource
/// has an attribute of that name.
pub fn type_name(key: &str, attributes: &[Attribute]) -> String {
    let other = type_attribute(key);
    let taken = attributes.iter().any(|attribute| attribute.name() == other);
    if taken { "type".to_owned() } else { other }
}

fn field(attribute: &Attribute, storing: bool, type_name: &str) -> Field {
    let rules = attribute.rules(storing);
    let options = rules.clone().find_map(|rule| match rule {
        Rule::In(words) => Some(*words),
        _ => None,
    });
    // `string` is the weakest type: an e-mail address is one too.
    let mut kinds: Vec<&str> = rules.clone().filter_map(|rule| rule.kind()).collect();
    kinds.sort_by_key(|kind| *kind == "string");
    let kind = kinds.first().copied().unwrap_or("string");
    Field {
        name: called(attribute.name(), type_name),
        kind,
        rules: rules.map(|rule| written(rule, type_name)).collect(),
        options,
    }
}

/// The name of an attribute, or of a member of it, as the rendering writes it.
fn called(name: &str, type_name: &str) -> String {
    match name.strip_prefix("type") {
        Some(rest) if rest.is_empty() || rest.starts_with('.') => format!("{type_name}{rest}"),
        _ => name.to_owned(),
    }
}

/// A rule, the attributes it speaks of called as the rendering calls them.
fn written(rule: &Rule, type_name: &str) -> String {
    let called = |name: &str| called(name, type_name);
    match rule {
        Rule::RequiredIf(other, values) => {
            format!("required_if:{},{}", called(other), values.join(","))
        }
        Rule::RequiredWithout(others) => {
            let others: Vec<String> = others.iter().map(|other| called(other)).collect();
            format!("required_without:{}", others.join(","))
        }
        Rule::ExcludeWithout(other)
        | Rule::Same(other)
        | Rule::After(other)
        | Rule::AfterOrEqual(other)
        | Rule::Before(other)
        | Rule::BeforeOrEqual(other) => rule.word().with_arguments(&called(other)),
        plain => plain.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::input::{attribute, rules};

    #[test]
    fn fields_say_type_and_rules() {
        const ATTRIBUTES: &[Attribute] = &[
            attribute("email", &[rules::string(), rules::email(), rules::max(96)])
                .on_store(&[rules::required()]),
            attribute("type", &[rules::one_of(&["F", "P"])]),
            attribute(
                "size",
                &[rules::one_of(&["1,5", "2"]), rules::size_decimal("1.5")],
            ),
        ];
        assert_eq!(
            serde_json::to_value(form(ATTRIBUTES.iter(), true, "type")).unwrap(),
            json!([
                {"name": "email", "type": "email", "rules": ["string", "email", "max:96", "required"]},
                {"name": "type", "type": "string", "rules": ["in:F,P"], "options": ["F", "P"]},
                {"name": "size", "type": "string", "rules": ["in:\"1,5\",2", "size:1.5"], "options": ["1,5", "2"]},
            ])
        );
    }

    #[test]
    fn documents_call_a_type_by_its_other_name() {
        const ATTRIBUTES: &[Attribute] = &[
            attribute("type", &[rules::one_of(&["F", "P"])]),
            attribute("type.*", &[rules::required_if("type", &["F"])]),
            attribute("typed", &[rules::required_without(&["type", "typed"])]),
            attribute("special.type", &[rules::same("special.type")]),
        ];
        let name = type_name("coupons", ATTRIBUTES);
        let fields = serde_json::to_value(form(ATTRIBUTES.iter(), true, &name)).unwrap();
        let seen = |at: usize| (fields[at]["name"].clone(), fields[at]["rules"][0].clone());
        assert_eq!(seen(0), (json!("coupon_type"), json!("in:F,P")));
        let kind = (json!("coupon_type.*"), json!("required_if:coupon_type,F"));
        assert_eq!(seen(1), kind);
        let without = json!("required_without:coupon_type,typed");
        assert_eq!(seen(2), (json!("typed"), without));
        assert_eq!(seen(3), (json!("special.type"), json!("same:special.type")));
        const TAKEN: &[Attribute] = &[attribute("type", &[]), attribute("coupon_type", &[])];
        assert_eq!(type_name("coupons", TAKEN), "type");
    }
}
