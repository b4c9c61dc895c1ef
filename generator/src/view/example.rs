//! Values that keep an attribute's rules: for documentation, and for the bodies of poured tests.

use serde_json::Value;

use crate::column;
use crate::project::{Attribute, ColumnType, Literal, Rule};

/// A value of the attribute's type that keeps its rules; `None` where none can be told.
pub(crate) fn value(attribute: &Attribute) -> Option<Value> {
    if let Some(example) = attribute
        .example
        .as_ref()
        .filter(|value| **value != Literal::Null)
    {
        return Some(column::json(example));
    }
    let rules: Vec<Rule> = attribute.rules.of_value().cloned().collect();
    let custom = |rule: &Rule| matches!(rule, Rule::Custom(_));
    let untold = |rule: &Rule| {
        let names = matches!(rule, Rule::Regex(_) | Rule::Exists(..) | Rule::Same(_));
        names || rule.compares_with().is_some()
    };
    let known = !attribute.rules.every().any(custom) && !rules.iter().any(untold);
    let value = if known {
        by_rules(&attribute.kind, &rules)
    } else {
        None
    };
    let value = match value {
        Some(Value::Array(_)) if !attribute.rules.items.is_empty() => item(&attribute.rules.items),
        value => value,
    };
    value.filter(|value| !forbidden(&rules, value))
}

/// A list of one item that keeps the rules of items.
fn item(rules: &[Rule]) -> Option<Value> {
    let number = rules
        .iter()
        .any(|rule| matches!(rule, Rule::Integer | Rule::Numeric));
    let kind = if number {
        ColumnType::BigInt
    } else {
        ColumnType::Text
    };
    let known = !rules
        .iter()
        .any(|rule| matches!(rule, Rule::Regex(_) | Rule::Exists(..)));
    let value = if known { by_rules(&kind, rules) } else { None };
    value
        .filter(|value| !forbidden(rules, value))
        .map(|value| Value::from(vec![value]))
}

fn by_rules(kind: &ColumnType, rules: &[Rule]) -> Option<Value> {
    let listed = rules.iter().find_map(|rule| match rule {
        Rule::In(values) => values.first(),
        _ => None,
    });
    if let Some(first) = listed {
        return Some(match first.parse::<i64>() {
            Ok(number) if is_number(kind) => Value::from(number),
            _ => Value::from(first.clone()),
        });
    }
    match kind {
        ColumnType::Enum(values) => values.first().map(|value| Value::from(value.clone())),
        ColumnType::String(length) => text(rules, Some(u64::from(*length))),
        ColumnType::Text => text(rules, None),
        ColumnType::Integer | ColumnType::BigInt => whole(rules).map(Value::from),
        ColumnType::Float => whole(rules).map(Value::from),
        ColumnType::Decimal(precision, scale) => {
            let digits = usize::from(*scale);
            let number = whole(rules).filter(|number| fits(*number, precision - scale))?;
            let text = if digits == 0 {
                number.to_string()
            } else {
                format!("{number}.{:0<digits$}", "")
            };
            Some(Value::from(text))
        }
        ColumnType::Boolean => Some(Value::from(true)),
        ColumnType::Date => Some(Value::from("2026-01-31")),
        ColumnType::Time => Some(Value::from("12:00:00")),
        ColumnType::DateTime => Some(Value::from("2026-01-31T12:00:00Z")),
        ColumnType::Uuid => Some(Value::from("67e55044-10b1-426f-9247-bb680e5fe0c8")),
        ColumnType::Json => Some(list(rules)),
    }
}

/// Whether a number has at most so many digits before the point.
fn fits(number: i64, digits: u8) -> bool {
    number == 0 || number.unsigned_abs().to_string().len() <= usize::from(digits)
}

fn list(rules: &[Rule]) -> Value {
    if rules.contains(&Rule::Array) {
        Value::from(vec![1])
    } else {
        serde_json::json!({ "example": true })
    }
}

fn text(rules: &[Rule], length: Option<u64>) -> Option<Value> {
    let (low, high) = bounds(rules)?;
    let (low, high) = (low.unwrap_or(1).max(0), high.unwrap_or(i64::MAX));
    let high = high.min(
        length
            .and_then(|length| i64::try_from(length).ok())
            .unwrap_or(i64::MAX),
    );
    let fixed = rules.iter().find_map(|rule| match rule {
        Rule::Email => Some("guest@example.com"),
        Rule::Url => Some("https://example.com"),
        Rule::Uuid => Some("67e55044-10b1-426f-9247-bb680e5fe0c8"),
        Rule::Date => Some("2026-01-31"),
        Rule::Time => Some("12:00:00"),
        Rule::DateTime => Some("2026-01-31T12:00:00Z"),
        Rule::DateFormat(format) => dated(format),
        Rule::Integer | Rule::Numeric | Rule::Decimal(..) => Some("12345"),
        _ => None,
    });
    if rules
        .iter()
        .any(|rule| matches!(rule, Rule::DateFormat(format) if dated(format).is_none()))
    {
        return None;
    }
    let text = match fixed {
        Some(fixed) => fixed.to_owned(),
        None => sized("Example", low, high)?,
    };
    let length = i64::try_from(text.len()).ok()?;
    (low..=high).contains(&length).then(|| Value::from(text))
}

fn dated(format: &str) -> Option<&'static str> {
    Some(match format {
        "Y-m-d" => "2026-01-31",
        "H:i" => "12:00",
        "H:i:s" => "12:00:00",
        "Y-m-d H:i:s" => "2026-01-31 12:00:00",
        "Y-m-d H:i" => "2026-01-31 12:00",
        _ => return None,
    })
}

fn sized(word: &str, low: i64, high: i64) -> Option<String> {
    let wanted = i64::try_from(word.len()).ok()?.max(low).min(high);
    let wanted = usize::try_from(wanted)
        .ok()
        .filter(|wanted| (1..=1000).contains(wanted))?;
    Some(word.chars().cycle().take(wanted).collect())
}

/// A whole number between the bounds, one where that is allowed.
fn whole(rules: &[Rule]) -> Option<i64> {
    let (low, high) = bounds(rules)?;
    let number = 1.max(low.unwrap_or(1)).min(high.unwrap_or(i64::MAX));
    (number >= low.unwrap_or(number)).then_some(number)
}

/// The tightest whole bounds; `None` where a bound is no number.
fn bounds(rules: &[Rule]) -> Option<(Option<i64>, Option<i64>)> {
    let (mut low, mut high): (Option<i64>, Option<i64>) = (None, None);
    for rule in rules {
        let (least, most) = match rule {
            Rule::Min(bound) => (Some(bound), None),
            Rule::Max(bound) => (None, Some(bound)),
            Rule::Between(least, most) => (Some(least), Some(most)),
            Rule::Size(size) => (Some(size), Some(size)),
            _ => (None, None),
        };
        if let Some(least) = least {
            let least = rounded(least, f64::ceil)?;
            low = Some(low.map_or(least, |low| low.max(least)));
        }
        if let Some(most) = most {
            let most = rounded(most, f64::floor)?;
            high = Some(high.map_or(most, |high| high.min(most)));
        }
    }
    Some((low, high))
}

fn rounded(bound: &str, round: fn(f64) -> f64) -> Option<i64> {
    if let Ok(whole) = bound.parse() {
        return Some(whole);
    }
    let number = round(bound.parse().ok()?);
    // Beyond this a float is no exact integer any more.
    (number.abs() < 9.0e15).then_some(number as i64)
}

fn is_number(kind: &ColumnType) -> bool {
    matches!(
        kind,
        ColumnType::Integer | ColumnType::BigInt | ColumnType::Float
    )
}

fn forbidden(rules: &[Rule], value: &Value) -> bool {
    let text = value
        .as_str()
        .map_or_else(|| value.to_string(), ToOwned::to_owned);
    rules.iter().any(|rule| match rule {
        Rule::NotIn(values) => values.contains(&text),
        Rule::Alpha => !text.chars().all(char::is_alphabetic),
        Rule::AlphaDash => !text
            .chars()
            .all(|c| c.is_alphanumeric() || c == '-' || c == '_'),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: ColumnType, rules: &[Rule]) -> Option<Value> {
        by_rules(&kind, rules).filter(|value| !forbidden(rules, value))
    }

    fn between(low: &str, high: &str) -> Rule {
        Rule::Between(low.to_owned(), high.to_owned())
    }

    #[test]
    fn examples_keep_their_rules() {
        let text = ColumnType::String(255);
        assert_eq!(
            of(text.clone(), &[between("2", "4")]),
            Some(Value::from("Exam"))
        );
        assert_eq!(
            of(text.clone(), &[Rule::Min("9".into())]),
            Some(Value::from("ExampleEx"))
        );
        assert_eq!(of(ColumnType::String(3), &[]), Some(Value::from("Exa")));
        assert_eq!(
            of(text.clone(), &[Rule::Email]),
            Some(Value::from("guest@example.com"))
        );
        assert_eq!(
            of(text.clone(), &[Rule::Email, Rule::Max("5".into())]),
            None
        );
        assert_eq!(of(text.clone(), &[Rule::Email, Rule::Alpha]), None);
        assert_eq!(of(text, &[Rule::DateFormat("jS F".into())]), None);
        assert_eq!(
            of(ColumnType::Integer, &[Rule::Min("7".into())]),
            Some(Value::from(7))
        );
        assert_eq!(
            of(ColumnType::Integer, &[Rule::Max("-3".into())]),
            Some(Value::from(-3))
        );
        assert_eq!(of(ColumnType::Integer, &[between("3", "2")]), None);
        assert_eq!(
            of(ColumnType::Integer, &[Rule::In(vec!["4".into()])]),
            Some(Value::from(4))
        );
        let decimal = ColumnType::Decimal(15, 4);
        assert_eq!(
            of(decimal.clone(), &[Rule::Min("0.01".into())]),
            Some(Value::from("1.0000"))
        );
        assert_eq!(of(decimal, &[]), Some(Value::from("1.0000")));
        assert_eq!(of(ColumnType::Decimal(2, 2), &[]), None);
    }
}
