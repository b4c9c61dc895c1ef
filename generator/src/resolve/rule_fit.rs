//! Whether a rule fits the type of its attribute, and a value its rules.

use crate::project::{ColumnType, Literal, Rule};

use super::column_type::written;
use super::literal::is_value;
use super::rule::number;

/// Whether a rule is about the presence of an attribute, not about its value.
pub fn is_presence(rule: &Rule) -> bool {
    matches!(
        rule,
        Rule::Required
            | Rule::Nullable
            | Rule::Sometimes
            | Rule::Present
            | Rule::RequiredIf(..)
            | Rule::RequiredWithout(_)
            | Rule::ExcludeWithout(_)
    )
}

/// Why a rule does not fit a type: message and help.
pub fn misfit(rule: &Rule, kind: &ColumnType) -> Option<(String, String)> {
    if !suits(rule, kind) {
        let message = format!(
            "the rule `{}` does not fit the type {}",
            rule.name(),
            written(kind)
        );
        return Some((message, format!("{} takes {}", written(kind), suited(kind))));
    }
    match rule {
        Rule::In(values) | Rule::NotIn(values) => {
            let wrong = values.iter().find(|value| !is_value(value, kind))?;
            let message = format!("`{wrong}` is not a value of the type {}", written(kind));
            Some((
                message,
                format!("list values that {} can hold", written(kind)),
            ))
        }
        Rule::DateFormat(formats) => format_misfit(formats, kind),
        Rule::Min(bound) | Rule::Max(bound) | Rule::Size(bound) => bound_misfit(bound, rule, kind),
        Rule::Between(low, high) => {
            bound_misfit(low, rule, kind).or_else(|| bound_misfit(high, rule, kind))
        }
        _ => None,
    }
}

/// Why no value satisfies all of these rules: a lower bound is above an upper one.
pub fn contradiction(rules: &[Rule]) -> Option<String> {
    let lower = rules.iter().filter_map(|rule| match rule {
        Rule::Min(bound) | Rule::Size(bound) | Rule::Between(bound, _) => Some((rule, bound)),
        _ => None,
    });
    let upper = |rule: &Rule| match rule {
        Rule::Max(bound) | Rule::Size(bound) | Rule::Between(_, bound) => Some(number(bound)),
        _ => None,
    };
    for (low, bound) in lower {
        let high = rules
            .iter()
            .find(|rule| upper(rule).is_some_and(|high| high < number(bound)));
        if let Some(high) = high {
            let (low, high) = (low.name(), high.name());
            return Some(format!("no value satisfies both `{low}` and `{high}`"));
        }
    }
    None
}

/// Days and times have one form in bodies: no value would pass another format.
fn format_misfit(formats: &str, kind: &ColumnType) -> Option<(String, String)> {
    let own: &[&str] = match kind {
        ColumnType::Date => &["Y-m-d"],
        ColumnType::Time => &["H:i", "H:i:s"],
        _ => return None,
    };
    let mut formats = formats.split(',').map(str::trim);
    (!formats.any(|format| own.contains(&format))).then(|| {
        (
            format!("a {} is written as {}", written(kind), own.join(" or ")),
            "leave the rule out: the type brings its own".to_owned(),
        )
    })
}

fn bound_misfit(bound: &str, rule: &Rule, kind: &ColumnType) -> Option<(String, String)> {
    let whole = number(bound).fract() == 0.0;
    let name = rule.name();
    match kind {
        ColumnType::Float | ColumnType::Decimal(..) => None,
        ColumnType::Integer | ColumnType::BigInt if whole => None,
        ColumnType::Integer | ColumnType::BigInt => Some((
            format!("`{name}` of a whole number takes whole numbers, not {bound}"),
            "leave the fraction out, or make the column a decimal".to_owned(),
        )),
        _ if !whole || number(bound) < 0.0 => Some((
            format!("`{name}` counts characters or items here, and {bound} is not a count"),
            "write a whole number, 0 or more".to_owned(),
        )),
        ColumnType::String(length) => too_long(bound, rule, *length),
        _ => None,
    }
}

/// A bound that lets longer texts through than the column holds.
fn too_long(bound: &str, rule: &Rule, length: u32) -> Option<(String, String)> {
    (number(bound) > f64::from(length)).then(|| {
        (
            format!(
                "`{}` allows {bound} characters, but the column holds {length}",
                rule.name()
            ),
            format!("write `string({bound})`, `text`, or a bound of at most {length}"),
        )
    })
}

fn suits(rule: &Rule, kind: &ColumnType) -> bool {
    use ColumnType as T;
    let text = matches!(kind, T::String(_) | T::Text | T::Enum(_));
    let whole = matches!(kind, T::Integer | T::BigInt);
    let number = whole || matches!(kind, T::Float | T::Decimal(..));
    let moment = matches!(kind, T::Date | T::Time | T::DateTime);
    match rule {
        Rule::String => text || *kind == T::Uuid,
        Rule::Integer => number,
        Rule::Numeric => number || text,
        Rule::Boolean => *kind == T::Boolean,
        Rule::Array => *kind == T::Json,
        Rule::Email | Rule::Url => matches!(kind, T::String(_) | T::Text),
        Rule::Alpha | Rule::AlphaDash | Rule::Regex(_) => text,
        Rule::Uuid => *kind == T::Uuid || text,
        Rule::Date => matches!(kind, T::Date | T::DateTime) || text,
        Rule::Time => *kind == T::Time || text,
        Rule::DateTime => *kind == T::DateTime,
        Rule::DateFormat(_)
        | Rule::After(_)
        | Rule::AfterOrEqual(_)
        | Rule::Before(_)
        | Rule::BeforeOrEqual(_) => moment || text,
        Rule::Min(_) | Rule::Max(_) | Rule::Between(..) | Rule::Size(_) => {
            number || text || *kind == T::Json
        }
        Rule::In(_) | Rule::NotIn(_) => *kind != T::Json,
        // Not every database can index a text or a JSON value of any length.
        Rule::Unique => !matches!(kind, T::Text | T::Json),
        Rule::Exists(..) => *kind != T::Json,
        Rule::Decimal(..) => matches!(kind, T::Decimal(..)),
        _ => true,
    }
}

fn suited(kind: &ColumnType) -> &'static str {
    match kind {
        ColumnType::String(_) | ColumnType::Text | ColumnType::Enum(_) => {
            "min, max, between, size, in, not_in, email, url, alpha, alpha_dash, regex and the like"
        }
        ColumnType::Integer | ColumnType::BigInt => {
            "integer, numeric, min, max, between, size, in, not_in"
        }
        ColumnType::Float | ColumnType::Decimal(..) => {
            "numeric, integer, min, max, between, size, in, not_in"
        }
        ColumnType::Boolean => "boolean, in, not_in",
        ColumnType::Date => "date, date_format, after, before, in, not_in",
        ColumnType::Time => "time, date_format, after, before, in, not_in",
        ColumnType::DateTime => "date, date_format, after, before, in, not_in",
        ColumnType::Json => "array, min, max, between, size, and rules of its items",
        ColumnType::Uuid => "uuid, in, not_in, unique, exists",
    }
}

/// The first rule that a default breaks, so that a record made of defaults passes its own rules.
pub fn broken_by<'r>(literal: &Literal, rules: &'r [Rule]) -> Option<&'r Rule> {
    if *literal == Literal::Null {
        return rules.iter().find(|rule| matches!(rule, Rule::Required));
    }
    rules.iter().find(|rule| !holds(literal, rule))
}

fn holds(literal: &Literal, rule: &Rule) -> bool {
    let written = match literal {
        Literal::Int(value) => value.to_string(),
        Literal::Number(text) | Literal::Text(text) => text.clone(),
        Literal::Bool(value) => value.to_string(),
        Literal::Null | Literal::Json(_) => return true,
    };
    let size = match literal {
        Literal::Text(text) => text.chars().count() as f64,
        Literal::Bool(_) => return true,
        _ => number(&written),
    };
    // Only the rules of types look at an empty text.
    let is_empty = matches!(literal, Literal::Text(text) if text.is_empty());
    if is_empty && !matches!(rule, Rule::In(_)) {
        return true;
    }
    match rule {
        Rule::Min(low) => size >= number(low),
        Rule::Max(high) => size <= number(high),
        Rule::Between(low, high) => (number(low)..=number(high)).contains(&size),
        Rule::Size(exact) => size == number(exact),
        Rule::In(values) => values.contains(&written),
        Rule::NotIn(values) => !values.contains(&written),
        Rule::Integer => size.fract() == 0.0 || matches!(literal, Literal::Text(_)),
        Rule::Alpha => written.chars().all(char::is_alphabetic),
        Rule::AlphaDash => written
            .chars()
            .all(|c| c.is_alphanumeric() || c == '-' || c == '_'),
        Rule::Regex(pattern) => {
            regex::Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(&written))
        }
        Rule::Email => written.contains('@'),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_fit_their_types() {
        let min = |bound: &str| Rule::Min(bound.to_owned());
        assert!(misfit(&min("0.5"), &ColumnType::Decimal(5, 2)).is_none());
        assert!(misfit(&min("0.5"), &ColumnType::Integer).is_some());
        assert!(misfit(&min("-1"), &ColumnType::Text).is_some());
        assert!(misfit(&min("2"), &ColumnType::Boolean).is_some());
        assert!(misfit(&Rule::Max("300".into()), &ColumnType::String(255)).is_some());
        assert!(misfit(&Rule::Regex("a".into()), &ColumnType::Boolean).is_some());
        assert!(misfit(&Rule::Unique, &ColumnType::Text).is_some());
        let format = |format: &str| Rule::DateFormat(format.to_owned());
        assert!(misfit(&format("d/m/Y"), &ColumnType::Date).is_some());
        assert!(misfit(&format("d/m/Y"), &ColumnType::String(20)).is_none());
        assert!(misfit(&format("H:i:s,H:i"), &ColumnType::Time).is_none());
        let after = Rule::After("now".into());
        assert!(misfit(&after, &ColumnType::DateTime).is_none());
        assert!(misfit(&after, &ColumnType::Integer).is_some());
        let values = Rule::In(vec!["1".into(), "x".into()]);
        assert!(misfit(&values, &ColumnType::Integer).is_some());
        assert!(misfit(&values, &ColumnType::String(5)).is_none());
    }

    #[test]
    fn defaults_obey_rules() {
        let rules = [Rule::Required, Rule::Between("1".into(), "3".into())];
        assert!(broken_by(&Literal::Int(2), &rules).is_none());
        assert!(broken_by(&Literal::Int(4), &rules).is_some());
        assert!(broken_by(&Literal::Text("four".into()), &rules).is_some());
        assert!(broken_by(&Literal::Null, &rules).is_some());
        // Requests are read so as well: an empty text is no value.
        let empty = Literal::Text(String::new());
        assert!(broken_by(&empty, &[Rule::Email, Rule::Regex("^a$".into())]).is_none());
        assert!(broken_by(&empty, &[Rule::In(vec!["y".into()])]).is_some());
        assert!(broken_by(&Literal::Text("x".into()), &[Rule::In(vec!["y".into()])]).is_some());
    }
}
