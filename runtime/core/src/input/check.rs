//! One value against one rule that needs the value alone.

use std::{
    collections::HashMap,
    str::FromStr,
    sync::{LazyLock, Mutex, PoisonError},
};

use formwork_data::error::{Error, Result};
use regex::Regex;
use rust_decimal::Decimal;
use serde_json::Value as Json;

use super::{
    message::Measure,
    number::Number,
    rule::{Bound, Rule},
    written,
};

/// Whether `value` keeps `rule`. Rules that look at other members or at the database hold here.
///
/// # Errors
///
/// 500 where a bound or pattern in the rule itself makes no sense.
pub(crate) fn keeps(value: &Json, rule: Rule, measure: Measure) -> Result<bool> {
    Ok(match rule {
        Rule::String => value.is_string(),
        Rule::Integer => integer(value).is_some(),
        Rule::Numeric => Number::of(value).is_some(),
        Rule::Decimal(precision, scale) => Number::of(value)
            .and_then(Number::exact)
            .is_some_and(|number| fits(number, precision, scale)),
        Rule::Boolean => boolean(value).is_some(),
        Rule::Array => value.is_array() || value.is_object(),
        Rule::Min(_) | Rule::Max(_) | Rule::Between(..) | Rule::Size(_) => {
            has_size(value, rule, measure)?
        }
        Rule::In(words) => each(value)
            .iter()
            .all(|value| is_among(value, words, measure)),
        Rule::NotIn(words) => !each(value)
            .iter()
            .any(|value| is_among(value, words, measure)),
        Rule::Regex(pattern) => matches_pattern(pattern, value)?,
        Rule::Alpha => value.is_string() && matches_pattern(LETTERS, value)?,
        Rule::AlphaDash => matches_pattern(LETTERS_AND_DASHES, value)?,
        worded => {
            value
                .as_str()
                .is_some_and(|text| written::keeps(text, worded))
                || { !written::looks_at(worded) }
        }
    })
}

/// Whether `value` keeps those of these rules that need the value alone.
pub fn keeps_all(value: &Json, rules: &[Rule]) -> bool {
    let measure = measure(rules.iter(), value);
    let mut rules = rules.iter();
    rules.all(|rule| keeps(value, *rule, measure).unwrap_or(false))
}

/// How the size of a value is measured: by the type its rules give it, else by what it is.
pub(crate) fn measure<'a>(rules: impl Iterator<Item = &'a Rule>, value: &Json) -> Measure {
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
pub(crate) fn integer(value: &Json) -> Option<i64> {
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
pub(crate) fn scalar(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        Json::Bool(bool) => Some(if *bool { "1" } else { "0" }.to_owned()),
        _ => None,
    }
}

/// Whether a value equals a word of a rule: `true` and `1` mean the same there, as they do in a
/// body.
pub(crate) fn means(value: &Json, word: &str) -> bool {
    let Some(text) = scalar(value) else {
        return false;
    };
    let numbers = || match value {
        Json::Number(_) => Number::of(value).zip(Number::parse(word)),
        _ => None,
    };
    text == word
        || matches!((text.as_str(), word), ("1", "true") | ("0", "false"))
        || numbers().is_some_and(|(value, word)| value.equals(word))
}

/// The values that a list of words is compared with: the items of a list, else the value itself.
fn each(value: &Json) -> &[Json] {
    match value {
        Json::Array(items) => items,
        value => std::slice::from_ref(value),
    }
}

/// Whether one of these words is the value; a number is compared by its value.
fn is_among(value: &Json, words: &[&str], measure: Measure) -> bool {
    let number = || Number::of(value).filter(|_| measure == Measure::Number);
    words.iter().any(|word| {
        let same = |value: Number| Number::parse(word).is_some_and(|word| word.equals(value));
        means(value, word) || number().is_some_and(same)
    })
}

/// Whether a number has at most so many digits, so many of them after the point.
pub(crate) fn fits(number: Decimal, precision: u32, scale: u32) -> bool {
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
    let count = |count: usize| Some(Number::Exact(Decimal::from(count)));
    let size = match (measure, value) {
        (Measure::Number, _) => Number::of(value),
        (_, Json::Array(items)) => count(items.len()),
        (_, Json::Object(members)) => count(members.len()),
        (Measure::List, _) => None,
        (Measure::Text, _) => scalar(value).and_then(|text| count(text.chars().count())),
    };
    let Some(size) = size else { return Ok(false) };
    let compared = |to: Bound| bound(to).map(|bound| size.compare(bound));
    Ok(match rule {
        Rule::Min(min) => compared(min)?.is_ge(),
        Rule::Max(max) => compared(max)?.is_le(),
        Rule::Between(min, max) => compared(min)?.is_ge() && compared(max)?.is_le(),
        Rule::Size(exactly) => compared(exactly)?.is_eq(),
        _ => true,
    })
}

fn bound(bound: Bound) -> Result<Decimal> {
    match bound {
        Bound::Whole(number) => Ok(Decimal::from(number)),
        Bound::Fraction(text) => Decimal::from_str(text).map_err(Error::internal),
    }
}

/// Letters with their marks: `é` may be written as two characters.
const LETTERS: &str = r"^[\pL\pM]+$";

const LETTERS_AND_DASHES: &str = r"^[\pL\pM\pN_-]+$";

/// Patterns are compiled once: they are constants of the program, so that there are few.
fn matches_pattern(pattern: &'static str, value: &Json) -> Result<bool> {
    static COMPILED: LazyLock<Mutex<HashMap<&'static str, Regex>>> = LazyLock::new(Mutex::default);
    let Some(text) = scalar(value).filter(|_| !value.is_boolean()) else {
        return Ok(false);
    };
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
    Ok(regex.is_match(&text))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::input::rules;

    #[test]
    fn an_invalid_pattern_is_an_error_and_not_a_broken_rule() {
        assert!(keeps(&json!("x"), rules::regex("("), Measure::Text).is_err());
    }
}
