//! `meta.form` of create and edit: writable attributes with type and rules (http.md, "Routes").

use serde::Serialize;

use super::{Attribute, Rule};

/// An attribute of a form.
#[derive(Debug, Serialize)]
pub(crate) struct Field {
    name: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
    rules: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    options: Option<&'static [&'static str]>,
}

/// The fields of a form for these attributes.
pub(crate) fn form<'a>(
    attributes: impl Iterator<Item = &'a Attribute>,
    storing: bool,
) -> Vec<Field> {
    attributes
        .map(|attribute| field(attribute, storing))
        .collect()
}

fn field(attribute: &Attribute, storing: bool) -> Field {
    let rules = attribute.rules(storing);
    let options = rules.clone().find_map(|rule| match rule {
        Rule::OneOf(words) => Some(*words),
        _ => None,
    });
    // `string` says least: an e-mail address is one too.
    let mut kinds: Vec<&str> = rules.clone().filter_map(|rule| rule.kind()).collect();
    kinds.sort_by_key(|kind| *kind == "string");
    let kind = kinds.first().copied().unwrap_or("string");
    Field {
        name: attribute.name(),
        kind,
        rules: rules.map(Rule::to_string).collect(),
        options,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::request::{attribute, rules};

    #[test]
    fn fields_say_type_and_rules() {
        const ATTRIBUTES: &[Attribute] = &[
            attribute("email", &[rules::string(), rules::email(), rules::max(96)])
                .on_store(&[rules::required()]),
            attribute("type", &[rules::one_of(&["F", "P"])]),
        ];
        assert_eq!(
            serde_json::to_value(form(ATTRIBUTES.iter(), true)).unwrap(),
            json!([
                {"name": "email", "type": "email", "rules": ["string", "email", "max:96", "required"]},
                {"name": "type", "type": "string", "rules": ["in:F,P"], "options": ["F", "P"]},
            ])
        );
    }
}
