//! Values in a manifest: defaults, examples and conditions, checked against the column's type.

use std::str::FromStr;

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, SecondsFormat, Timelike};
use serde_json::{Map, Number};

use crate::column::is_uuid;
use crate::diagnostic::Code;
use crate::manifest::{Node, Value};
use crate::project::{ColumnType, Literal};
use crate::suggestion::quoted;

use super::column_type::written;
use super::reader::Reader;

/// Reads the value of a column of this type, and reports a value that does not fit.
pub fn read(reader: &Reader<'_>, kind: &ColumnType, nullable: bool) -> Option<Literal> {
    let Reader { node, label, .. } = reader;
    if node.is_null() {
        if !nullable {
            let message = format!("{label} is null, and the column is not nullable");
            let help = "make the column nullable, or give it a value";
            reader.reject(Code::LiteralMisfit, message, help);
        }
        return nullable.then_some(Literal::Null);
    }
    if is_unprintable(node) && *kind != ColumnType::Json {
        let message = format!("{label} holds a control character");
        let help =
            "leave it out: migrations cannot write it; line breaks (`\\n`) and tabs are allowed";
        reader.reject(Code::LiteralMisfit, message, help);
        return None;
    }
    let literal = match kind {
        ColumnType::Json => json(node).map(|value| Literal::Json(value.to_string())),
        _ => scalar(node, kind),
    };
    if literal.is_none() {
        let text = node.as_text().unwrap_or_else(|| node.describe());
        let message = format!("{label} `{text}` does not fit the type {}", written(kind));
        let help = format!("write {}", wanted(kind));
        reader.reject(Code::LiteralMisfit, message, help);
    }
    literal
}

/// Whether a text has characters that SQL cannot write, or that git changes (a carriage return).
/// JSON escapes all of them.
fn is_unprintable(node: &Node) -> bool {
    let refused = |sign: char| sign.is_control() && !['\n', '\t'].contains(&sign);
    node.as_text().is_some_and(|text| text.contains(refused))
}

fn wanted(kind: &ColumnType) -> String {
    match kind {
        ColumnType::String(length) => {
            format!("a text of at most {length} characters (`\"true\"` in quotes)")
        }
        ColumnType::Text => "a text; words like `true` in quotes".to_owned(),
        ColumnType::Integer => "a whole number of 32 bits".to_owned(),
        ColumnType::BigInt => "a whole number of 64 bits".to_owned(),
        ColumnType::Float => "a number".to_owned(),
        ColumnType::Decimal(precision, scale) => format!(
            "a number with at most {} digits before and {scale} after the point",
            precision - scale
        ),
        ColumnType::Boolean => "`true` or `false`".to_owned(),
        ColumnType::Date => "a date: `2026-01-31`".to_owned(),
        ColumnType::Time => "a time: `12:00:00`".to_owned(),
        ColumnType::DateTime => "a date and time in whole seconds: `2026-01-31T12:00:00Z`, or with an offset: `2026-01-31T14:00:00+02:00`".to_owned(),
        ColumnType::Json => "any value, each key once".to_owned(),
        ColumnType::Uuid => "a uuid: `550e8400-e29b-41d4-a716-446655440000`".to_owned(),
        ColumnType::Enum(values) => format!("one of {}", quoted(values)),
    }
}

fn scalar(node: &Node, kind: &ColumnType) -> Option<Literal> {
    let scalar = node.scalar()?;
    let text = scalar.text.as_str();
    let is_word = scalar.plain && node.as_bool().is_some();
    match kind {
        ColumnType::Boolean => node.as_bool().map(Literal::Bool),
        ColumnType::Integer => text
            .parse::<i32>()
            .ok()
            .map(|value| Literal::Int(value.into())),
        ColumnType::BigInt => text.parse().ok().map(Literal::Int),
        ColumnType::Float => {
            let value: f64 = text.parse().ok()?;
            value.is_finite().then(|| Literal::Number(text.to_owned()))
        }
        ColumnType::Decimal(precision, scale) => {
            fits_decimal(text, *precision, *scale).then(|| Literal::Number(text.to_owned()))
        }
        ColumnType::String(_) | ColumnType::Text if is_word => None,
        _ => text_value(text, kind).map(Literal::Text),
    }
}

/// The text, in the form the column stores it, if it is a value of a type that is written as text.
pub fn text_value(text: &str, kind: &ColumnType) -> Option<String> {
    let fits = match kind {
        ColumnType::String(length) => text.chars().count() <= *length as usize,
        ColumnType::Text => true,
        ColumnType::Enum(values) => values.iter().any(|value| value == text),
        ColumnType::Date => is_date(text),
        ColumnType::Time => return time(text),
        ColumnType::DateTime => return datetime(text),
        ColumnType::Uuid => is_uuid(text),
        _ => false,
    };
    fits.then(|| text.to_owned())
}

/// Whether `text` could be a value of this type in a rule (`in:a,b`) or filter default.
pub fn is_value(text: &str, kind: &ColumnType) -> bool {
    match kind {
        ColumnType::Boolean => matches!(text, "true" | "false" | "0" | "1"),
        ColumnType::Integer => text.parse::<i32>().is_ok(),
        ColumnType::BigInt => text.parse::<i64>().is_ok(),
        ColumnType::Float => text.parse::<f64>().is_ok_and(f64::is_finite),
        ColumnType::Decimal(precision, scale) => fits_decimal(text, *precision, *scale),
        ColumnType::Json => false,
        _ => text_value(text, kind).is_some(),
    }
}

/// A plain decimal number, `-12.50`.
pub fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    all(whole) && all(fraction)
}

fn fits_decimal(text: &str, precision: u8, scale: u8) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let whole = whole.trim_start_matches('0').len();
    let fraction = fraction.trim_end_matches('0').len();
    is_number(text) && whole <= usize::from(precision - scale) && fraction <= usize::from(scale)
}

fn json(node: &Node) -> Option<serde_json::Value> {
    use serde_json::Value as Json;
    match &node.value {
        Value::Sequence(items, _) => items
            .iter()
            .map(json)
            .collect::<Option<_>>()
            .map(Json::Array),
        Value::Mapping(pairs, _) => {
            let mut object = Map::new();
            for (key, value) in pairs {
                let earlier = object.insert(key.as_text()?.to_owned(), json(value)?);
                if earlier.is_some() {
                    return None;
                }
            }
            Some(Json::Object(object))
        }
        Value::Scalar(_) if node.is_null() => Some(Json::Null),
        Value::Scalar(scalar) if !scalar.plain => Some(Json::String(scalar.text.clone())),
        Value::Scalar(scalar) => Some(match node.as_bool() {
            Some(value) => Json::Bool(value),
            None => {
                number(&scalar.text).map_or_else(|| Json::String(scalar.text.clone()), Json::Number)
            }
        }),
    }
}

fn number(text: &str) -> Option<Number> {
    match text.parse::<i64>() {
        Ok(value) => Some(value.into()),
        Err(_) if is_number(text) => Number::from_f64(text.parse().ok()?),
        Err(_) => None,
    }
}

/// `YYYY-MM-DD`: a day that is written the same again.
fn is_date(text: &str) -> bool {
    text.len() == 10 && NaiveDate::from_str(text).is_ok_and(|date| date.to_string() == text)
}

/// `12:00` and `12:00:00` as `12:00:00`.
fn time(text: &str) -> Option<String> {
    let full = if text.len() == 5 {
        format!("{text}:00")
    } else {
        text.to_owned()
    };
    let is_time = |time: NaiveTime| time.to_string() == full && !is_leap(time);
    NaiveTime::from_str(&full)
        .is_ok_and(is_time)
        .then_some(full)
}

/// RFC 3339, section 5.6, in UTC as poured code writes it: `2026-01-31T12:00:00Z`, in whole seconds.
fn datetime(text: &str) -> Option<String> {
    let moment = DateTime::parse_from_rfc3339(text).ok()?.to_utc();
    let is_whole = moment.nanosecond() == 0 && (0..=9999).contains(&moment.year());
    let utc = moment.to_rfc3339_opts(SecondsFormat::Secs, true);
    (is_whole && text.contains('T')).then_some(utc)
}

/// The service's clock has no leap seconds.
fn is_leap(moment: impl Timelike) -> bool {
    moment.nanosecond() >= 1_000_000_000
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::yaml;
    use crate::resolve::report::Diagnostics;

    fn value(text: &str, kind: &ColumnType) -> Option<Literal> {
        let node = yaml::parse(text.as_bytes()).unwrap();
        let diagnostics = Diagnostics::default();
        let reader = Reader::new(&node, "the default", diagnostics.report("p"));
        read(&reader, kind, false)
    }

    #[test]
    fn values_keep_their_written_form() {
        let text = |text: &str| Some(Literal::Text(text.to_owned()));
        assert_eq!(
            value("true", &ColumnType::Boolean),
            Some(Literal::Bool(true))
        );
        assert_eq!(value("-3", &ColumnType::Integer), Some(Literal::Int(-3)));
        let price = ColumnType::Decimal(15, 4);
        assert_eq!(
            value("4.9900", &price),
            Some(Literal::Number("4.9900".to_owned()))
        );
        assert_eq!(value("12:30", &ColumnType::Time), text("12:30:00"));
        assert_eq!(value("2024-02-29", &ColumnType::Date), text("2024-02-29"));
        assert_eq!(
            value("2026-03-01T00:30:00.0+01:00", &ColumnType::DateTime),
            text("2026-02-28T23:30:00Z")
        );
        assert_eq!(value("'true'", &ColumnType::Text), text("true"));
        assert_eq!(value("''", &ColumnType::Text), text(""));
        let json = Literal::Json("{\"a\":[1,\"x\",null]}".to_owned());
        assert_eq!(value("{a: [1, x, null]}", &ColumnType::Json), Some(json));
    }

    #[test]
    fn values_that_do_not_fit_their_type_are_refused() {
        let cases = [
            ("yes", ColumnType::Boolean),
            ("1", ColumnType::Boolean),
            ("3000000000", ColumnType::Integer),
            ("1.5", ColumnType::BigInt),
            ("nan", ColumnType::Float),
            ("1.23456", ColumnType::Decimal(15, 4)),
            ("123456", ColumnType::Decimal(6, 2)),
            ("1e3", ColumnType::Decimal(6, 2)),
            ("true", ColumnType::Text),
            ("abcdef", ColumnType::String(5)),
            ("[a]", ColumnType::Text),
            ("2025-02-29", ColumnType::Date),
            ("2026- 1-01", ColumnType::Date),
            ("+12026-01-01", ColumnType::Date),
            ("24:00", ColumnType::Time),
            ("2026-01-31 12:00:00Z", ColumnType::DateTime),
            ("2026-01-31T12:00:00", ColumnType::DateTime),
            ("2016-12-31T23:59:60Z", ColumnType::DateTime),
            ("2026-01-31T12:00:00.75+02:00", ColumnType::DateTime),
            ("0000-01-01T00:00:00+02:00", ColumnType::DateTime),
            ("550e8400", ColumnType::Uuid),
            ("c", ColumnType::Enum(vec!["a".to_owned()])),
            ("null", ColumnType::Text),
            ("{a: 1, a: 2}", ColumnType::Json),
        ];
        for (text, kind) in cases {
            assert_eq!(value(text, &kind), None, "{text} as {kind:?}");
        }
    }
}
