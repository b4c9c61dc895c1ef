//! Rules that compare dates and times: `after`, `before`, and their like.

use formwork_data::{
    error::ValidationErrors,
    value::{Date, DateTime, Json, Time, Value, parse_datetime, parse_time},
};
use formwork_vocabulary::inflect::words;

use super::TypedRow;
use crate::input::{Attribute, Input, Reading, Rule, beside, targets};

/// Checks every value that broke no other rule. `row`, the record with the body written into it, has
/// the values of attributes that were not sent: a sent one is compared with them, and they with it.
pub(crate) fn check_dates(
    now: DateTime,
    reading: &Reading<'_>,
    input: &Input,
    row: &TypedRow,
    errors: &mut ValidationErrors,
) {
    // A rule of an attribute that keeps its value has nothing to add where the sent one is at fault.
    for keeps in [false, true] {
        for attribute in reading.writable() {
            let rules = attribute.rules(reading.storing);
            for comparison in rules.filter_map(|rule| DateComparison::of(*rule)) {
                for (path, value) in targets(input, attribute.name()) {
                    if value.is_none() == keeps {
                        let sought = DateInput {
                            now,
                            attribute,
                            path: &path,
                            input,
                            row,
                        };
                        sought.check(&comparison, value, errors);
                    }
                }
            }
        }
    }
}

fn is_sent(value: &Json) -> bool {
    !value.is_null() && value.as_str() != Some("")
}

/// A rule that compares with another moment.
struct DateComparison {
    /// The other moment, as the rule writes it.
    other: &'static str,
    phrase: &'static str,
    holds: fn(DateTime, DateTime) -> bool,
}

impl DateComparison {
    fn of(rule: Rule) -> Option<Self> {
        let (other, phrase, holds): (_, _, fn(DateTime, DateTime) -> bool) = match rule {
            Rule::After(other) => (other, "after", |own, other| own > other),
            Rule::AfterOrEqual(other) => (other, "after or equal to", |own, other| own >= other),
            Rule::Before(other) => (other, "before", |own, other| own < other),
            Rule::BeforeOrEqual(other) => (other, "before or equal to", |own, other| own <= other),
            _ => return None,
        };
        Some(Self {
            other,
            phrase,
            holds,
        })
    }
}

/// A value, and where the moments are found that it is compared with.
struct DateInput<'s> {
    now: DateTime,
    attribute: &'s Attribute,
    path: &'s str,
    input: &'s Input,
    row: &'s TypedRow,
}

impl DateInput<'_> {
    /// Checks a value that broke no other rule.
    fn check(
        &self,
        comparison: &DateComparison,
        value: Option<&Json>,
        errors: &mut ValidationErrors,
    ) {
        let other = beside(comparison.other, self.attribute.name(), self.path);
        if errors.has(self.path) || (value.is_none() && errors.has(&other)) {
            return;
        }
        let own = self.own(comparison, value);
        if let Some(other) = own.and_then(|own| self.broken(comparison, own)) {
            let (name, phrase) = (words(self.path), comparison.phrase);
            let message = format!("The {name} field must be a date {phrase} {other}.");
            errors.add(self.path, message);
        }
    }

    /// The moment that is compared, or `Some(None)` for a value that is no date. `None`: nothing is
    /// compared.
    fn own(&self, comparison: &DateComparison, value: Option<&Json>) -> Option<Option<DateTime>> {
        match value {
            Some(value) if is_sent(value) => Some(read(value.as_str().unwrap_or_default())),
            Some(_) => None,
            // It keeps its value, and may be compared with one that was sent.
            None => {
                let other = beside(comparison.other, self.attribute.name(), self.path);
                self.input.get(&other)?;
                Some(Some(moment(self.row.value(self.path)?)?))
            }
        }
    }

    /// The other side of the comparison, in words, if the value breaks the rule. A value that is no
    /// date breaks it.
    fn broken(&self, comparison: &DateComparison, own: Option<DateTime>) -> Option<String> {
        let (other, name) = self.other(comparison.other)?;
        let holds = own.is_some_and(|own| (comparison.holds)(own, other));
        (!holds).then_some(name)
    }

    /// The moment that a rule names, and how a message calls it; `None` where an attribute has no
    /// value, or no date.
    fn other(&self, said: &str) -> Option<(DateTime, String)> {
        let given = match said {
            "now" => Some(self.now),
            "today" => Some(midnight(self.now.date_naive())),
            date => parse_datetime(date),
        };
        if let Some(given) = given {
            return Some((given, said.to_owned()));
        }
        let path = beside(said, self.attribute.name(), self.path);
        let sent = self.input.get(&path).and_then(Json::as_str).and_then(read);
        let kept = || moment(self.row.value(&path)?);
        Some((sent.or_else(kept)?, words(&path)))
    }
}

/// A date, a moment, or a time of day, which is one of 1970.
fn read(text: &str) -> Option<DateTime> {
    parse_datetime(text).or_else(|| parse_time(text).map(of_time))
}

fn moment(value: &Value) -> Option<DateTime> {
    match value {
        Value::DateTime(moment) => Some(*moment),
        Value::Date(date) => Some(midnight(*date)),
        Value::Time(time) => Some(of_time(*time)),
        Value::Text(text) => read(text),
        _ => None,
    }
}

fn midnight(date: Date) -> DateTime {
    date.and_time(Time::MIN).and_utc()
}

fn of_time(time: Time) -> DateTime {
    Date::default().and_time(time).and_utc()
}
