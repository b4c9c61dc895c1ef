//! Every rule of a request over a body, all mistakes at once.

use serde_json::Value as Json;

use super::{
    Attribute, Input, Rule, check,
    input::is_blank,
    message::{Measure, message, words},
    targets::{misshapen, targets},
};
use crate::error::{Result, ValidationErrors};

/// How a body is to be read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading<'r> {
    /// The attributes of the request.
    pub attributes: &'r [Attribute],
    /// Whether a record is stored, not updated.
    pub storing: bool,
    /// Whether only what was sent is checked: `PATCH`.
    pub partial: bool,
    /// Whether an administrator sends it.
    pub admin: bool,
    /// The column that says whose record it is, where the caller cannot choose.
    pub owner: Option<&'r str>,
}

impl<'r> Reading<'r> {
    /// The attributes this caller may write, and their rules apply to.
    pub fn writable(&self) -> impl Iterator<Item = &'r Attribute> + use<'r> {
        let Self { admin, owner, .. } = *self;
        self.attributes.iter().filter(move |attribute| {
            (admin || !attribute.is_admin_only()) && owner != Some(attribute.member())
        })
    }

    /// Keeps what this caller may write.
    pub fn narrow(&self, input: &mut Input) {
        let excluded = |attribute: &Attribute, input: &Input| {
            attribute
                .rules(self.storing)
                .any(|rule| excludes(*rule, input))
        };
        let mut kept: Vec<&str> = Vec::new();
        for attribute in self.writable() {
            if attribute.name() != attribute.member() || !excluded(attribute, input) {
                kept.push(attribute.member());
            }
        }
        input.retain(|name| kept.contains(&name));
    }

    /// Checks every rule that needs neither the record nor the database.
    ///
    /// # Errors
    ///
    /// 500 where a rule itself makes no sense; broken rules go to `errors`.
    pub fn check(&self, input: &Input, errors: &mut ValidationErrors) -> Result<()> {
        for attribute in self.writable() {
            if self.partial && !input.members().contains_key(attribute.member()) {
                continue;
            }
            for (path, value) in targets(input, attribute.name()) {
                self.check_value(attribute, &path, value, input, errors)?;
            }
        }
        self.check_shapes(input, errors);
        Ok(())
    }

    /// What rules name members of is an object. An item that is none would be judged by no rule.
    fn check_shapes(&self, input: &Input, errors: &mut ValidationErrors) {
        for attribute in self.writable() {
            for path in misshapen(input, attribute.name()) {
                if !errors.has(&path) {
                    let message = format!("The {} field must be an object.", words(&path));
                    errors.add(path, message);
                }
            }
        }
    }

    fn check_value(
        &self,
        attribute: &Attribute,
        path: &str,
        value: Option<&Json>,
        input: &Input,
        errors: &mut ValidationErrors,
    ) -> Result<()> {
        let rules = attribute.rules(self.storing);
        let optional = rules.clone().any(|rule| *rule == Rule::Sometimes);
        if (optional && value.is_none()) || rules.clone().any(|rule| excludes(*rule, input)) {
            return Ok(());
        }
        let missed = |rule: &Rule| rule.demands() && misses(*rule, value, input);
        let missing = rules.clone().copied().find(missed);
        let emptied = || empties(attribute, value).then_some(Rule::Required);
        if let Some(rule) = missing.or_else(emptied) {
            errors.add(path, message(path, rule, Measure::Text));
            return Ok(());
        }
        let Some(value) = value.filter(|value| !value.is_null()) else {
            return Ok(());
        };
        // Databases end a text at U+0000 in some places and not in others.
        if value.as_str().is_some_and(|text| text.contains('\0')) {
            let name = words(path);
            errors.add(path, format!("The {name} field must not contain U+0000."));
            return Ok(());
        }
        let measure = check::measure(rules.clone(), value);
        let mut mistyped = false;
        for rule in rules {
            // What has the wrong type has no size to speak of.
            if (mistyped && rule.measures()) || keeps(value, *rule, path, input, measure)? {
                continue;
            }
            mistyped |= rule.kind().is_some();
            errors.add(path, message(path, *rule, measure));
        }
        Ok(())
    }
}

fn excludes(rule: Rule, input: &Input) -> bool {
    matches!(rule, Rule::ExcludeWithout(other) if !input.has(other))
}

/// Whether a value takes away what no record is stored without: it has no default to fall back to
/// (http.md, "Values").
fn empties(attribute: &Attribute, value: Option<&Json>) -> bool {
    let empty = match value {
        Some(Json::Null) => true,
        Some(Json::String(text)) => text.trim().is_empty(),
        _ => false,
    };
    let stored_with = || attribute.rules(true).any(|rule| *rule == Rule::Required);
    let nullable = || attribute.rules(true).any(|rule| *rule == Rule::Nullable);
    empty && stored_with() && !nullable()
}

/// Whether a rule that demands a value does without one.
fn misses(rule: Rule, value: Option<&Json>, input: &Input) -> bool {
    let blank = value.is_none_or(is_blank);
    match rule {
        Rule::Required => blank,
        Rule::Present => value.is_none(),
        Rule::RequiredIf(other, words) => {
            let other = input.get(other).and_then(check::scalar);
            blank && other.is_some_and(|other| words.iter().any(|word| means(&other, word)))
        }
        Rule::RequiredWithout(others) => blank && others.iter().any(|other| !input.filled(other)),
        _ => false,
    }
}

/// `true` and `1` mean the same to a rule, as they do in a body.
fn means(value: &str, word: &str) -> bool {
    value == word || matches!((value, word), ("1", "true") | ("0", "false"))
}

fn keeps(value: &Json, rule: Rule, path: &str, input: &Input, measure: Measure) -> Result<bool> {
    // An empty text says that there is nothing: only the type has a say about it.
    if value.as_str() == Some("") && !minds_empty(rule) {
        return Ok(true);
    }
    match rule {
        Rule::Same(other) => Ok(input.get(other) == Some(value)),
        Rule::Confirmed => Ok(input.get(&format!("{path}_confirmation")) == Some(value)),
        rule => check::keeps(value, rule, measure),
    }
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
                | Rule::OneOf(_)
        )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::request::{attribute, rules::*};

    const ATTRIBUTES: &[Attribute] = &[
        attribute("menu_name", &[required(), string(), between(2, 255)]),
        attribute("menu_price", &[required(), numeric(), min(0)]),
        attribute("location_name", &[string()]).on_store(&[required()]),
        attribute("customer_group_id", &[required(), integer()]).admin(),
        attribute("categories", &[nullable(), array()]),
        attribute("categories.*", &[integer()]),
        attribute("special", &[nullable(), array()]),
        attribute("special.type", &[required(), one_of(&["F", "P"])]),
        attribute(
            "special.amount",
            &[required_if("special.type", &["F"]), numeric()],
        ),
        attribute("password", &[nullable(), string(), min(8), confirmed()]),
        attribute("note", &[exclude_without("menu_name"), string()]),
    ];

    fn reading() -> Reading<'static> {
        Reading {
            attributes: ATTRIBUTES,
            storing: true,
            partial: false,
            admin: false,
            owner: None,
        }
    }

    fn broken(reading: Reading<'_>, body: Json) -> Vec<String> {
        let Json::Object(members) = body else {
            panic!("an object")
        };
        let input = Input::normalised(members, reading.attributes);
        let mut errors = ValidationErrors::default();
        reading.check(&input, &mut errors).unwrap();
        errors
            .iter()
            .flat_map(|(field, messages)| messages.iter().map(move |m| format!("{field}: {m}")))
            .collect()
    }

    #[test]
    fn every_broken_rule_is_named_at_once() {
        let body = json!({
            "menu_name": "x", "menu_price": "-1", "categories": [1, "a"], "special": {"type": "F"},
            "password": "short",
        });
        assert_eq!(
            broken(reading(), body),
            [
                "categories.1: The categories.1 field must be an integer.",
                "location_name: The location name field is required.",
                "menu_name: The menu name field must be between 2 and 255 characters.",
                "menu_price: The menu price field must be at least 0.",
                "password: The password field must be at least 8 characters.",
                "password: The password field confirmation does not match.",
                "special.amount: The special.amount field is required when special.type is F.",
            ]
        );
    }

    #[test]
    fn patch_asks_only_about_what_was_sent() {
        let patch = Reading {
            storing: false,
            partial: true,
            ..reading()
        };
        assert_eq!(broken(patch, json!({})), Vec::<String>::new());
        assert_eq!(
            broken(patch, json!({"menu_name": null})),
            ["menu_name: The menu name field is required."]
        );
        let put = Reading {
            partial: false,
            ..patch
        };
        assert_eq!(
            broken(put, json!({"menu_name": "Puff"})).len(),
            1,
            "the price, no location"
        );
    }

    #[test]
    fn what_every_record_is_stored_with_is_never_emptied() {
        for partial in [true, false] {
            let update = Reading {
                storing: false,
                partial,
                ..reading()
            };
            for empty in [json!(null), json!(""), json!("  ")] {
                let body = json!({"menu_name": "Puff", "menu_price": 1, "location_name": empty});
                assert_eq!(
                    broken(update, body),
                    ["location_name: The location name field is required."]
                );
            }
            let body = json!({"menu_name": "Puff", "menu_price": 1, "categories": null});
            assert_eq!(broken(update, body), Vec::<String>::new());
        }
    }

    #[test]
    fn texts_hold_no_nul() {
        let body = json!({"menu_name": "Pu\0ff", "menu_price": 1, "location_name": "x"});
        assert_eq!(
            broken(reading(), body),
            ["menu_name: The menu name field must not contain U+0000."]
        );
    }

    #[test]
    fn items_with_members_are_objects() {
        const LINES: &[Attribute] = &[
            attribute("lines", &[nullable(), array()]),
            attribute("lines.*", &[array()]),
            attribute("lines.*.name", &[required(), string()]),
            attribute("lines.*.parts.*.id", &[required(), integer()]),
        ];
        let lines = Reading {
            attributes: LINES,
            ..reading()
        };
        let object = "field must be an object.";
        for item in [json!(null), json!([])] {
            assert_eq!(
                broken(lines, json!({ "lines": [item] })),
                [format!("lines.0: The lines.0 {object}")]
            );
        }
        assert_eq!(
            broken(lines, json!({"lines": [1]})),
            ["lines.0: The lines.0 field must be an array."]
        );
        assert_eq!(
            broken(lines, json!({"lines": [{"name": "a", "parts": [null]}]})),
            [format!("lines.0.parts.0: The lines.0.parts.0 {object}")]
        );
        assert_eq!(broken(lines, json!({"lines": [{"name": "a"}]})).len(), 0);
    }

    #[test]
    fn rules_of_what_the_caller_may_not_write_are_not_run() {
        let body = json!({"menu_name": "Puff", "menu_price": 1, "location_name": "x"});
        assert_eq!(broken(reading(), body.clone()), Vec::<String>::new());
        let admin = Reading {
            admin: true,
            ..reading()
        };
        assert_eq!(broken(admin, body.clone()).len(), 1);
        let owned = Reading {
            owner: Some("customer_group_id"),
            ..admin
        };
        assert_eq!(broken(owned, body), Vec::<String>::new());
    }

    #[test]
    fn a_body_is_narrowed_to_what_may_be_written() {
        let Json::Object(members) =
            json!({"menu_price": 1, "customer_group_id": 3, "x": 1, "special": {}, "note": "n"})
        else {
            panic!("an object")
        };
        let mut input = Input::new(members);
        reading().narrow(&mut input);
        let kept: Vec<&String> = input.members().keys().collect();
        assert_eq!(kept, ["menu_price", "special"]);
    }

    #[test]
    fn an_absent_object_misses_none_of_its_members() {
        let good =
            json!({"menu_name": "Puff", "menu_price": 1, "location_name": "x", "special": null});
        assert_eq!(broken(reading(), good), Vec::<String>::new());
    }
}
