//! Values that the type and the rules of a column accept, for rows that no body describes.

use std::cmp::Ordering;

use chrono::Utc;
use formwork_data::{
    column::{ColumnInfo, Kind},
    value::{Date, Uuid, Value, parse_date, parse_datetime, parse_time},
};
use rust_decimal::Decimal;
use serde_json::{Value as Json, json};

use super::{Attribute, Rule, check, rule::Bound};
use crate::auth::random_text;

/// Longest text that is tried.
const MAX_LENGTH: i64 = 1000;

/// Characters of a text that no other row has.
const UNIQUE_LENGTH: usize = 16;

/// Returns a value that the type of a column accepts, and its rules as far as they look at one value
/// alone. If the rules accept none of the values that are tried, it is a value of the type.
pub(crate) fn example(column: &ColumnInfo, attributes: &[Attribute]) -> Value {
    let named = attributes.iter().find(|it| it.name() == column.name);
    let rules: Vec<Rule> = named.map_or_else(Vec::new, |it| it.rules(true).copied().collect());
    let candidates = candidates(column.kind, &rules);
    let accepted = candidates.iter().find(|json| is_accepted(json, &rules));
    let json = accepted.or(candidates.first()).unwrap_or(&Json::Null);
    read(column, json)
}

fn is_accepted(value: &Json, rules: &[Rule]) -> bool {
    let is_empty = value.as_str() == Some("");
    !(is_empty && rules.contains(&Rule::Required)) && check::keeps_all(value, rules)
}

/// Values of a kind, the simplest first.
fn candidates(kind: Kind, rules: &[Rule]) -> Vec<Json> {
    let listed = rules.iter().flat_map(|rule| match rule {
        Rule::In(words) => *words,
        _ => &[],
    });
    match kind {
        Kind::Text => texts(rules, listed.map(|word| json!(word)).collect()),
        Kind::Integer | Kind::BigInt | Kind::Float | Kind::Decimal(_) => {
            let listed = listed.filter_map(|word| word.parse::<i64>().ok());
            let numbers = listed.chain([0, 1]).chain(bounds(rules));
            numbers.map(|number| json!(number)).collect()
        }
        Kind::Boolean => vec![json!(false), json!(true)],
        Kind::Date => days(rules, ""),
        Kind::Time => vec![json!("12:00:00")],
        Kind::DateTime => days(rules, "T00:00:00Z"),
        Kind::Json => vec![json!({}), json!([]), json!([1])],
        Kind::Uuid => vec![json!(Uuid::now_v7().to_string())],
    }
}

fn texts(rules: &[Rule], listed: Vec<Json>) -> Vec<Json> {
    if rules.contains(&Rule::Unique) {
        return vec![
            json!(random_text(UNIQUE_LENGTH)),
            json!(format!("{}@example.com", random_text(UNIQUE_LENGTH))),
        ];
    }
    let forms = [
        "",
        "x",
        "guest@example.com",
        "https://example.com",
        "2000-01-01",
        "12:00",
        "0",
    ];
    let lengths = bounds(rules).filter(|length| (1..=MAX_LENGTH).contains(length));
    let sized = lengths.map(|length| json!("x".repeat(usize::try_from(length).unwrap_or(1))));
    let forms = forms.into_iter().map(|form| json!(form));
    listed.into_iter().chain(forms).chain(sized).collect()
}

/// The whole numbers that rules of size name.
fn bounds(rules: &[Rule]) -> impl Iterator<Item = i64> {
    let named = rules.iter().flat_map(|rule| match rule {
        Rule::Min(bound) | Rule::Max(bound) | Rule::Size(bound) => vec![*bound],
        Rule::Between(low, high) => vec![*low, *high],
        _ => Vec::new(),
    });
    named.filter_map(|bound| match bound {
        Bound::Whole(number) => Some(number),
        Bound::Fraction(_) => None,
    })
}

/// Days that the rules accept, at a time of the day.
fn days(rules: &[Rule], time: &str) -> Vec<Json> {
    let limits: Vec<_> = rules.iter().filter_map(|rule| limit(*rule)).collect();
    let beside = limits
        .iter()
        .flat_map(|(day, _)| [day.pred_opt(), day.succ_opt()]);
    let usual = Date::from_ymd_opt(2000, 1, 1).into_iter();
    let days = usual.chain(beside.flatten());
    let accepted = days.filter(|day| limits.iter().all(|(limit, order)| day.cmp(limit) == *order));
    accepted.map(|day| json!(format!("{day}{time}"))).collect()
}

/// The day that a rule compares with, and on which side of it a value lies.
fn limit(rule: Rule) -> Option<(Date, Ordering)> {
    let (day, order) = match rule {
        Rule::After(day) | Rule::AfterOrEqual(day) => (day, Ordering::Greater),
        Rule::Before(day) | Rule::BeforeOrEqual(day) => (day, Ordering::Less),
        _ => return None,
    };
    let day = match day {
        "now" | "today" => Some(Utc::now().date_naive()),
        day => parse_date(day),
    };
    Some((day?, order))
}

/// A candidate as a value of its column.
fn read(column: &ColumnInfo, json: &Json) -> Value {
    let number = || Value::Int(json.as_i64().unwrap_or_default());
    let Some(text) = json.as_str() else {
        return match (column.kind, json) {
            (Kind::Boolean, json) => Value::Bool(json.as_bool().unwrap_or_default()),
            (Kind::Float, json) => Value::Float(json.as_f64().unwrap_or_default()),
            (Kind::Decimal(scale), json) => {
                decimal(column, json.as_i64().unwrap_or_default(), scale)
            }
            (Kind::Json, json) => Value::Json(json.clone()),
            _ => number(),
        };
    };
    let value = match column.kind {
        Kind::Date => parse_date(text).map(Value::Date),
        Kind::Time => parse_time(text).map(Value::Time),
        Kind::DateTime => parse_datetime(text).map(Value::DateTime),
        Kind::Uuid => text.parse().ok().map(Value::Uuid),
        _ if column.native => Some(Value::Label(text.to_owned())),
        _ => Some(Value::from(text)),
    };
    value.unwrap_or_default()
}

fn decimal(column: &ColumnInfo, number: i64, scale: u32) -> Value {
    let mut decimal = Decimal::from(number);
    decimal.rescale(scale);
    if column.native {
        Value::Native(decimal)
    } else {
        Value::Decimal(decimal)
    }
}
