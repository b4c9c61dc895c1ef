//! Constraints of a table as rules of its attributes; other constraints become notes.

use regex::Regex;

use super::checks::{self, Check};
use super::values::DescribedAttribute;
use crate::column::LONGEST_BOUND;
use crate::import::catalogue::{CatalogueTable, enumeration};
use crate::project::{ColumnType, Database};

/// Adds the checks of a table as rules; returns notes about the other checks and about unique indexes of several columns.
pub(super) fn apply(
    table: &CatalogueTable,
    database: Database,
    attributes: &mut [DescribedAttribute],
) -> Vec<String> {
    let mut notes = Vec::new();
    for text in &table.checks {
        let read = checks::read(text, database);
        let applied = read.is_some_and(|(column, check)| {
            let mut all = attributes.iter_mut();
            let found = all.find(|one| one.name.eq_ignore_ascii_case(&column));
            found.is_some_and(|attribute| apply_check(check, attribute))
        });
        if !applied {
            notes.push(format!(
                "No rule expresses this check; only the database enforces it: {text}"
            ));
        }
    }
    let several = table
        .indexes
        .iter()
        .filter(|index| index.is_unique && index.columns.len() > 1);
    notes.extend(several.map(|index| {
        format!(
            "Unique together, enforced only by the database: {}.",
            index.columns.join(", ")
        )
    }));
    attributes.iter_mut().for_each(settle_default);
    notes
}

fn apply_check(check: Check, attribute: &mut DescribedAttribute) -> bool {
    let is_whole = matches!(attribute.kind, ColumnType::Integer | ColumnType::BigInt);
    let is_number =
        is_whole || matches!(attribute.kind, ColumnType::Float | ColumnType::Decimal(..));
    match check {
        Check::In(values) if is_whole => {
            let are_whole = values.iter().all(|value| value.parse::<i64>().is_ok());
            let is_rule = are_whole && attribute.access.is_none();
            let rule = is_rule.then(|| format!("in:{}", values.join(",")));
            attribute.rules.extend(rule);
            is_rule
        }
        Check::In(values) => {
            let is_text = matches!(attribute.kind, ColumnType::String(_) | ColumnType::Text);
            let (kind, _) = enumeration(&values);
            let is_enum = matches!(kind, ColumnType::Enum(_));
            if !is_text || !(is_enum || attribute.access.is_none()) {
                return false;
            }
            match is_enum {
                true => attribute.kind = kind,
                false => {
                    attribute.rules.push(listed(&values));
                    attribute.example = values.first().cloned();
                }
            }
            attribute.rules.retain(|rule| rule != "present");
            true
        }
        Check::Rules(rules) => is_number && apply_bounds(&rules, is_whole, attribute),
        // PostgreSQL does not count the spaces at the end of a text of a fixed length.
        Check::Length(rules) => match attribute.kind {
            ColumnType::Text => apply_bounds(&rules, true, attribute),
            ColumnType::String(_) => !attribute.is_native && apply_bounds(&rules, true, attribute),
            _ => false,
        },
    }
}

/// Adds bounds as rules, in place of those of the type; false where a rule cannot express one of them.
fn apply_bounds(rules: &[String], is_whole: bool, attribute: &mut DescribedAttribute) -> bool {
    let bounds = rules.iter().map(|rule| bound(rule, is_whole));
    let Some(bounds) = bounds.collect::<Option<Vec<String>>>() else {
        return false;
    };
    if attribute.access.is_some() {
        return false;
    }
    for rule in bounds {
        let word = rule.split(':').next();
        let others = &mut attribute.rules;
        others.retain(|other| other.split(':').next() != word);
        others.push(rule);
    }
    true
}

/// The rule for one of these words, where an enum of a manifest cannot list them.
pub(super) fn listed(words: &[String]) -> String {
    format!("regex:^{}$", any_of(words))
}

/// A pattern for one of these words.
pub(super) fn any_of(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|one| regex::escape(one)).collect();
    format!("(?:{})", words.join("|"))
}

/// A bound as a rule; whole numbers above 0 begin at 1.
fn bound(rule: &str, is_whole: bool) -> Option<String> {
    let (word, number) = rule.split_once(':')?;
    let whole = number.parse::<i64>().ok();
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    match word {
        // The service compares numbers of so many digits.
        _ if digits > LONGEST_BOUND => None,
        "over" => whole
            .filter(|_| is_whole)
            .map(|number| format!("min:{}", number.saturating_add(1))),
        "under" => whole
            .filter(|_| is_whole)
            .map(|number| format!("max:{}", number.saturating_sub(1))),
        _ if is_whole && whole.is_none() => None,
        _ => Some(rule.to_owned()),
    }
}

/// Whether a text of YAML matches a pattern.
fn is_match(pattern: &str, default: &str) -> bool {
    let text: String = serde_json::from_str(default).unwrap_or_default();
    Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(&text))
}

/// Leaves out a default that breaks the rules.
fn settle_default(attribute: &mut DescribedAttribute) {
    let Some(default) = attribute.default.clone() else {
        return;
    };
    let number = default.parse::<f64>().ok();
    let breaks = attribute
        .rules
        .iter()
        .any(|rule| match rule.split_once(':') {
            Some(("min", bound)) => number
                .zip(bound.parse().ok())
                .is_some_and(|(value, least): (f64, f64)| value < least),
            Some(("max", bound)) => number
                .zip(bound.parse().ok())
                .is_some_and(|(value, most): (f64, f64)| value > most),
            Some(("in", listed)) => !listed.split(',').any(|value| value == default),
            Some(("regex", pattern)) => !is_match(pattern, &default),
            _ => rule == "email" && default != "\"\"",
        });
    let is_unlisted = match &attribute.kind {
        ColumnType::Enum(values) => !values
            .iter()
            .any(|value| serde_json::to_string(value).ok().as_ref() == Some(&default)),
        _ => false,
    };
    if breaks || is_unlisted {
        attribute.default = None;
        attribute.notes.push(format!(
            "The default {default} of the database is left out, because it breaks the rules."
        ));
    }
}
