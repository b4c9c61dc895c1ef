//! Words about one value.

use formwork::prelude::*;

use super::{WAYS, check, desk, rows};

/// The rule of an attribute, with values for it.
pub struct Row {
    /// The attribute, which is called by its rule.
    pub attribute: &'static str,
    /// The message where it is broken, after the attribute's name.
    pub said: &'static str,
    /// Values that keep it.
    pub good: Vec<Json>,
    /// Values that break it.
    pub bad: Vec<Json>,
}

/// `good` are sent with one request: they do not touch each other.
#[test]
fn values_that_keep_a_rule_are_taken() {
    let service = desk();
    let rows = rows::rows();
    let most = rows.iter().map(|row| row.good.len()).max().unwrap_or(0);
    for way in WAYS {
        for at in 0..most {
            let mut members = json!({});
            for row in &rows {
                if let Some(value) = row.good.get(at) {
                    members[row.attribute] = value.clone();
                }
            }
            check(&service, way, &members, &[]);
        }
    }
}

/// `bad` too: all broken rules are reported at once.
#[test]
fn values_that_break_a_rule_are_named() {
    let service = desk();
    let rows = rows::rows();
    let most = rows.iter().map(|row| row.bad.len()).max().unwrap_or(0);
    for way in WAYS {
        for at in 0..most {
            let mut members = json!({});
            let mut expected = Vec::new();
            for row in &rows {
                if let Some(value) = row.bad.get(at) {
                    members[row.attribute] = value.clone();
                    expected.push(message(row));
                }
            }
            expected.sort();
            check(&service, way, &members, &expected);
        }
    }
}

fn message(row: &Row) -> String {
    let (attribute, said) = (row.attribute, row.said);
    let words = attribute.replace('_', " ");
    match said {
        "selected" => format!("{attribute}: The selected {words} is invalid."),
        said => format!("{attribute}: The {words} field {said}"),
    }
}

/// Null is the default of an attribute (docs/contract.md, "Values"), and an empty text means no
/// value.
#[test]
fn null_and_empty_texts_break_rules_of_types_only() {
    let service = desk();
    let texts = [
        "string",
        "email",
        "url",
        "min_text",
        "between_text",
        "size_text",
        "regex",
    ];
    for way in WAYS {
        for row in rows::rows() {
            check(&service, way, &json!({row.attribute: null}), &[]);
        }
        for attribute in texts {
            check(&service, way, &json!({attribute: ""}), &[]);
        }
        check(&service, way, &json!({"nullable": "  "}), &[]);
        let integer = ["integer: The integer field must be an integer.".to_owned()];
        check(&service, way, &json!({"integer": ""}), &integer);
    }
}
