//! Every rule of a request over a body, all mistakes at once.

use serde_json::Value as Json;

use super::{
    Attribute, Input, Rule, check,
    message::{Measure, words},
    subject::Subject,
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

    /// Keeps what this caller may write, without what its rules exclude.
    pub fn narrow(&self, input: &mut Input) {
        let excluded = self.excluded(input);
        let kept: Vec<&str> = self
            .writable()
            .map(Attribute::member)
            .filter(|member| !excluded.iter().any(|path| path == member))
            .collect();
        input.retain(|name| kept.contains(&name));
        // From the last item of a list to the first: the places of the others stay true.
        for path in excluded.iter().rev() {
            input.remove(path);
        }
    }

    /// Where what stands that a rule leaves out.
    fn excluded(&self, input: &Input) -> Vec<String> {
        let mut excluded = Vec::new();
        for attribute in self.writable() {
            for (path, value) in targets(input, attribute.name()) {
                let subject = Subject {
                    attribute,
                    path: &path,
                    value,
                    input,
                };
                let mut rules = attribute.rules(self.storing);
                if rules.any(|rule| subject.is_excluded(*rule)) {
                    excluded.push(path);
                }
            }
        }
        excluded
    }

    /// Checks every rule that needs neither the record nor the database.
    ///
    /// # Errors
    ///
    /// 500 where a rule itself makes no sense; broken rules go to `errors`.
    pub fn check(&self, input: &Input, errors: &mut ValidationErrors) -> Result<()> {
        let excluded = self.excluded(input);
        let within = |path: &str| excluded.iter().any(|out| is_within(path, out));
        for attribute in self.writable() {
            if self.partial && !input.members().contains_key(attribute.member()) {
                continue;
            }
            for (path, value) in targets(input, attribute.name()) {
                let subject = Subject {
                    attribute,
                    path: &path,
                    value,
                    input,
                };
                if !within(&path) {
                    self.check_value(&subject, errors)?;
                }
            }
        }
        self.check_shapes(input, &within, errors);
        Ok(())
    }

    /// What rules name members of is an object. An item that is none would be judged by no rule.
    fn check_shapes(
        &self,
        input: &Input,
        excluded: &dyn Fn(&str) -> bool,
        errors: &mut ValidationErrors,
    ) {
        for attribute in self.writable() {
            for path in misshapen(input, attribute.name()) {
                if !errors.has(&path) && !excluded(&path) {
                    let message = format!("The {} field must be an object.", words(&path));
                    errors.add(path, message);
                }
            }
        }
    }

    fn check_value(&self, subject: &Subject<'_>, errors: &mut ValidationErrors) -> Result<()> {
        let rules = subject.attribute.rules(self.storing);
        let has = |wanted: Rule| rules.clone().any(|rule| *rule == wanted);
        if has(Rule::Sometimes) && subject.value.is_none() {
            return Ok(());
        }
        let missed = |rule: &Rule| rule.demands() && subject.misses(*rule);
        let missing = rules.clone().copied().find(missed);
        if let Some(rule) = missing.or_else(|| subject.empties().then_some(Rule::Required)) {
            let message = subject.message(rule, Measure::Text);
            errors.add(subject.path, message);
            return Ok(());
        }
        // Null for an attribute takes its default (http.md, "Values"); an item of a list has none.
        let item = subject.attribute.name().ends_with(".*") && !has(Rule::Nullable);
        match subject.value {
            Some(value) if item || !value.is_null() => self.check_rules(subject, value, errors),
            _ => Ok(()),
        }
    }

    fn check_rules(
        &self,
        subject: &Subject<'_>,
        value: &Json,
        errors: &mut ValidationErrors,
    ) -> Result<()> {
        let path = subject.path;
        // Databases end a text at U+0000 in some places and not in others.
        if value.as_str().is_some_and(|text| text.contains('\0')) {
            let name = words(path);
            errors.add(path, format!("The {name} field must not contain U+0000."));
            return Ok(());
        }
        let rules = subject.attribute.rules(self.storing);
        let measure = check::measure(rules.clone(), value);
        let mut mistyped = false;
        for rule in rules {
            // What has the wrong type has no size to speak of.
            if (mistyped && rule.measures()) || subject.keeps(value, *rule, measure)? {
                continue;
            }
            mistyped |= rule.kind().is_some();
            errors.add(path, subject.message(*rule, measure));
        }
        Ok(())
    }
}

/// Whether a path is `outer`, or a part of what stands there.
fn is_within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
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
        assert_eq!(
            broken(lines, json!({"lines": [[]]})),
            [format!("lines.0: The lines.0 {object}")]
        );
        for item in [json!(null), json!(1)] {
            assert_eq!(
                broken(lines, json!({ "lines": [item] })),
                ["lines.0: The lines.0 field must be an array."]
            );
        }
        assert_eq!(
            broken(lines, json!({"lines": [{"name": "a", "parts": [null]}]})),
            [format!("lines.0.parts.0: The lines.0.parts.0 {object}")]
        );
        assert_eq!(broken(lines, json!({"lines": [{"name": "a"}]})).len(), 0);
    }

    #[test]
    fn what_has_members_is_no_list_and_no_scalar() {
        for (wrong, must) in [
            (json!([1]), "an object"),
            (json!([]), "an object"),
            (json!(5), "an array"),
        ] {
            let body = json!({
                "menu_name": "Puff", "menu_price": 1, "location_name": "x", "special": wrong,
            });
            assert_eq!(
                broken(reading(), body),
                [format!("special: The special field must be {must}.")]
            );
        }
    }

    #[test]
    fn rules_look_at_the_same_item() {
        const LINES: &[Attribute] = &[
            attribute("lines", &[array()]),
            attribute("lines.*.kind", &[string()]),
            attribute("lines.*.amount", &[required_if("lines.*.kind", &["fixed"])]),
            attribute("lines.*.name", &[required_without(&["lines.*.code"])]),
            attribute("lines.*.again", &[same("lines.*.name")]),
            attribute(
                "lines.*.note",
                &[exclude_without("lines.*.kind"), integer()],
            ),
        ];
        let lines = Reading {
            attributes: LINES,
            ..reading()
        };
        let body = json!({"lines": [
            {"kind": "fixed", "amount": 1, "name": "a", "again": "a"},
            {"kind": "fixed", "code": "x", "note": "n"},
            {"kind": "", "again": "b", "note": "n"},
        ]});
        assert_eq!(
            broken(lines, body.clone()),
            [
                "lines.1.amount: The lines.1.amount field is required when lines.1.kind is fixed.",
                "lines.1.note: The lines.1.note field must be an integer.",
                "lines.2.again: The lines.2.again field must match lines.2.name.",
                "lines.2.name: The lines.2.name field is required when lines.2.code is not present.",
            ]
        );
        let Json::Object(members) = body else {
            panic!("an object")
        };
        let mut input = Input::new(members);
        lines.narrow(&mut input);
        assert!(input.has("lines.1.note"));
        assert!(!input.has("lines.2.note"), "left out");
        assert!(input.has("lines.2.again"));
    }

    #[test]
    fn items_are_not_null_unless_they_may() {
        const LISTS: &[Attribute] = &[
            attribute("ids", &[array()]),
            attribute("ids.*", &[integer()]),
            attribute("some", &[array()]),
            attribute("some.*", &[nullable(), integer()]),
        ];
        let lists = Reading {
            attributes: LISTS,
            ..reading()
        };
        assert_eq!(
            broken(lists, json!({"ids": [1, null], "some": [1, null]})),
            ["ids.1: The ids.1 field must be an integer."]
        );
    }

    #[test]
    fn what_is_left_out_is_left_out_with_all_its_parts() {
        const SPECIAL: &[Attribute] = &[
            attribute("on", &[boolean()]),
            attribute("special", &[exclude_without("on"), array()]),
            attribute("special.type", &[required(), one_of(&["F", "P"])]),
        ];
        let special = Reading {
            attributes: SPECIAL,
            ..reading()
        };
        for off in [
            json!({"special": {"type": "X"}}),
            json!({"on": null, "special": {}}),
        ] {
            assert_eq!(broken(special, off.clone()), Vec::<String>::new());
            let Json::Object(members) = off else {
                panic!("an object")
            };
            let mut input = Input::new(members);
            special.narrow(&mut input);
            assert!(!input.has("special"));
        }
        assert_eq!(
            broken(special, json!({"on": false, "special": {"type": "X"}})),
            ["special.type: The selected special.type is invalid."]
        );
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
