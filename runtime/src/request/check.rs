//! One value against one rule that needs nothing but the value.

use std::{
    collections::HashMap,
    str::FromStr,
    sync::{LazyLock, Mutex, PoisonError},
};

use regex::Regex;
use rust_decimal::Decimal;
use serde_json::Value as Json;

use super::{
    message::Measure,
    rule::{Bound, Rule},
    written,
};
use crate::error::{Error, Result};

/// Whether `value` keeps `rule`. Rules that look at other members or at the database hold here.
///
/// # Errors
///
/// 500 where a bound or pattern in the rule itself makes no sense.
pub(super) fn keeps(value: &Json, rule: Rule, measure: Measure) -> Result<bool> {
    Ok(match rule {
        Rule::String => value.is_string(),
        Rule::Integer => integer(value).is_some(),
        Rule::Numeric => number(value).is_some(),
        Rule::Decimal(precision, scale) => {
            number(value).is_some_and(|number| fits(number, precision, scale))
        }
        Rule::Boolean => boolean(value).is_some(),
        Rule::Array => value.is_array() || value.is_object(),
        Rule::Min(_) | Rule::Max(_) | Rule::Between(..) | Rule::Size(_) => {
            has_size(value, rule, measure)?
        }
        Rule::OneOf(words) => scalar(value).is_some_and(|text| words.contains(&text.as_str())),
        Rule::NoneOf(words) => !scalar(value).is_some_and(|text| words.contains(&text.as_str())),
        Rule::Regex(pattern) => match scalar(value) {
            Some(text) => matches_pattern(pattern, &text)?,
            None => false,
        },
        worded => {
            value
                .as_str()
                .is_some_and(|text| written::keeps(text, worded))
                || { !written::looks_at(worded) }
        }
    })
}

/// How the size of a value is measured: by the type its rules give it, else by what it is.
pub(super) fn measure<'a>(rules: impl Iterator<Item = &'a Rule>, value: &Json) -> Measure {
    let mut text = false;
    for rule in rules {
        if rule.is_number() {
            return Measure::Number;
        }
        text |= *rule == Rule::String;
    }
    match value {
        Json::Array(_) | Json::Object(_) => Measure::List,
        Json::Number(_) if !text => Measure::Number,
        _ => Measure::Text,
    }
}

/// A whole number, or a string of its digits.
pub(super) fn integer(value: &Json) -> Option<i64> {
    match value {
        Json::Number(number) => number.as_i64().or_else(|| {
            let float = number.as_f64()?;
            // Beyond 2^53 a float does not say which whole number is meant.
            (float.fract() == 0.0 && float.abs() <= 9_007_199_254_740_992.0).then_some(float as i64)
        }),
        Json::String(text) => text.parse().ok(),
        _ => None,
    }
}

/// A number, or a string that writes one.
fn number(value: &Json) -> Option<Decimal> {
    let text = match value {
        Json::Number(number) => number.to_string(),
        Json::String(text) => text.clone(),
        _ => return None,
    };
    Decimal::from_str(&text)
        .or_else(|_| Decimal::from_scientific(&text))
        .ok()
}

fn boolean(value: &Json) -> Option<bool> {
    match value {
        Json::Bool(bool) => Some(*bool),
        Json::Number(number) => match number.as_i64() {
            Some(0) => Some(false),
            Some(1) => Some(true),
            _ => None,
        },
        Json::String(text) => match text.as_str() {
            "0" => Some(false),
            "1" => Some(true),
            _ => None,
        },
        _ => None,
    }
}

/// A value as the text a word list is compared with.
pub(super) fn scalar(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        Json::Bool(bool) => Some(if *bool { "1" } else { "0" }.to_owned()),
        _ => None,
    }
}

fn fits(number: Decimal, precision: u32, scale: u32) -> bool {
    let number = number.normalize();
    let digits = precision.saturating_sub(scale);
    let limit = 10_i128
        .checked_pow(digits)
        .map(|limit| Decimal::try_from_i128_with_scale(limit, 0));
    number.scale() <= scale
        && match limit {
            Some(Ok(limit)) => number.abs() < limit,
            _ => true,
        }
}

fn has_size(value: &Json, rule: Rule, measure: Measure) -> Result<bool> {
    let size = match (measure, value) {
        (Measure::Number, _) => number(value),
        (_, Json::Array(items)) => Some(Decimal::from(items.len())),
        (_, Json::Object(members)) => Some(Decimal::from(members.len())),
        (Measure::List, _) => None,
        (Measure::Text, _) => scalar(value).map(|text| Decimal::from(text.chars().count())),
    };
    let Some(size) = size else { return Ok(false) };
    Ok(match rule {
        Rule::Min(min) => size >= bound(min)?,
        Rule::Max(max) => size <= bound(max)?,
        Rule::Between(min, max) => size >= bound(min)? && size <= bound(max)?,
        Rule::Size(exactly) => size == Decimal::from(exactly),
        _ => true,
    })
}

fn bound(bound: Bound) -> Result<Decimal> {
    match bound {
        Bound::Whole(number) => Ok(Decimal::from(number)),
        Bound::Fraction(text) => Decimal::from_str(text).map_err(Error::internal),
    }
}

/// Patterns are compiled once: they are constants of the program, so that there are few.
fn matches_pattern(pattern: &'static str, text: &str) -> Result<bool> {
    static COMPILED: LazyLock<Mutex<HashMap<&'static str, Regex>>> = LazyLock::new(Mutex::default);
    let known = COMPILED
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .get(pattern)
        .cloned();
    let regex = match known {
        Some(regex) => regex,
        None => {
            let regex = Regex::new(pattern).map_err(Error::internal)?;
            let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
            compiled.entry(pattern).or_insert(regex).clone()
        }
    };
    Ok(regex.is_match(text))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::request::rules;

    fn kept(value: &Json, rule: Rule) -> bool {
        keeps(value, rule, measure([rule].iter(), value)).unwrap()
    }

    #[test]
    fn numbers_are_accepted_as_strings() {
        assert!(kept(&json!("12"), rules::integer()));
        assert!(kept(&json!(5.0), rules::integer()));
        assert!(!kept(&json!(5.5), rules::integer()));
        assert!(!kept(&json!("9223372036854775808"), rules::integer()));
        assert!(kept(
            &json!(9_223_372_036_854_775_807_i64),
            rules::integer()
        ));
        assert!(kept(&json!("4.9900"), rules::numeric()));
        assert!(!kept(&json!("four"), rules::numeric()));
        assert!(!kept(&json!(true), rules::numeric()));
    }

    #[test]
    fn decimals_have_their_digits() {
        assert!(kept(&json!("99999999999.9999"), rules::decimal(15, 4)));
        assert!(!kept(&json!("100000000000"), rules::decimal(15, 4)));
        assert!(kept(&json!("1.50000"), rules::decimal(15, 4)));
        assert!(!kept(&json!("1.00001"), rules::decimal(15, 4)));
    }

    #[test]
    fn booleans_accept_ones_and_zeros() {
        for good in [json!(true), json!(0), json!("1"), json!("0")] {
            assert!(kept(&good, rules::boolean()), "{good}");
        }
        for bad in [json!("true"), json!(2), json!(1.5), json!([])] {
            assert!(!kept(&bad, rules::boolean()), "{bad}");
        }
    }

    #[test]
    fn sizes_are_measured_by_type() {
        assert!(kept(&json!("äöü"), rules::size(3)));
        assert!(kept(&json!([1, 2]), rules::max(2)));
        assert!(!kept(&json!([1, 2, 3]), rules::max(2)));
        let both = [rules::numeric(), rules::min_decimal("0.01")];
        let by_value = |value: Json| keeps(&value, both[1], measure(both.iter(), &value)).unwrap();
        assert!(by_value(json!("0.01")));
        assert!(!by_value(json!("0.009")));
        assert!(!kept(&json!("a"), rules::between(2, 255)));
    }

    #[test]
    fn words_and_patterns() {
        assert!(kept(&json!("F"), rules::one_of(&["F", "P"])));
        assert!(!kept(&json!("f"), rules::one_of(&["F", "P"])));
        assert!(kept(&json!(3), rules::none_of(&["1", "2"])));
        assert!(!kept(&json!("ab"), rules::regex("^[0-9]+$")));
        assert!(keeps(&json!("x"), rules::regex("("), Measure::Text).is_err());
    }
}
