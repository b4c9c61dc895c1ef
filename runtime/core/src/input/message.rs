//! Messages in Laravel's words: `The menu name field is required.`

use formwork_vocabulary::inflect::words;

use super::rule::Rule;

/// How a rule measures a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    /// A number, by its value.
    Number,
    /// A text, by its characters.
    Text,
    /// A list, by its items.
    List,
}

/// The message where the value at `path` breaks `rule`; `said` is the value of another attribute
/// that the rule uses, and `beside` the place of one.
pub(crate) fn message(
    path: &str,
    rule: Rule,
    measure: Measure,
    said: Option<&str>,
    beside: &dyn Fn(&str) -> String,
) -> String {
    let name = words(path);
    let other = |name: &str| words(&beside(name));
    match rule {
        Rule::Min(_) | Rule::Max(_) | Rule::Between(..) | Rule::Size(_) => {
            format!("The {name} field {}", sized(rule, measure))
        }
        Rule::RequiredIf(name_of, words) => {
            let said = said.or(words.first().copied()).unwrap_or("null");
            let other = other(name_of);
            format!("The {name} field is required when {other} is {said}.")
        }
        Rule::RequiredWithout(others) => {
            let others: Vec<String> = others.iter().map(|name| other(name)).collect();
            let others = others.join(" / ");
            format!("The {name} field is required when {others} is not present.")
        }
        Rule::Same(same) => format!("The {name} field must match {}.", other(same)),
        plain => alone(&name, plain),
    }
}

/// The message of a rule that looks at the value alone.
pub(crate) fn alone(name: &str, rule: Rule) -> String {
    match rule {
        Rule::Unique => format!("The {name} has already been taken."),
        Rule::In(_) | Rule::NotIn(_) | Rule::Exists(..) => {
            format!("The selected {name} is invalid.")
        }
        Rule::DateFormat(format) => format!("The {name} field must match the format {format}."),
        Rule::Decimal(precision, scale) => format!(
            "The {name} field must be a number with at most {} digits before and {scale} after the \
             decimal point.",
            precision.saturating_sub(scale)
        ),
        plain => format!("The {name} field {}", plain.word().message()),
    }
}

fn sized(rule: Rule, measure: Measure) -> String {
    match (rule, measure) {
        (Rule::Min(min), Measure::Number) => format!("must be at least {min}."),
        (Rule::Min(min), Measure::Text) => format!("must be at least {min} characters."),
        (Rule::Min(min), Measure::List) => format!("must have at least {min} items."),
        (Rule::Max(max), Measure::Number) => format!("must not be greater than {max}."),
        (Rule::Max(max), Measure::Text) => format!("must not be greater than {max} characters."),
        (Rule::Max(max), Measure::List) => format!("must not have more than {max} items."),
        (Rule::Between(min, max), Measure::Number) => {
            format!("must be between {min} and {max}.")
        }
        (Rule::Between(min, max), Measure::Text) => {
            format!("must be between {min} and {max} characters.")
        }
        (Rule::Between(min, max), Measure::List) => {
            format!("must have between {min} and {max} items.")
        }
        (Rule::Size(size), Measure::Number) => format!("must be {size}."),
        (Rule::Size(size), Measure::Text) => format!("must be {size} characters."),
        (Rule::Size(size), Measure::List) => format!("must contain {size} items."),
        _ => "is invalid.".to_owned(),
    }
}
