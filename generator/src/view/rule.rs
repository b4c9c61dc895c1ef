//! Rules as functions of `formwork::rules`.

use super::code;
use crate::project::Rule;

/// A rule as a call: `between(2, 255)`.
pub(crate) fn call(rule: &Rule) -> String {
    let function = rule.word().function().to_owned();
    let (name, args) = match rule {
        Rule::Min(bound) | Rule::Max(bound) | Rule::Size(bound) => bounds(function, &[bound]),
        Rule::Between(low, high) => bounds(function, &[low, high]),
        Rule::In(values) | Rule::NotIn(values) | Rule::RequiredWithout(values) => {
            (function, vec![code::texts(values)])
        }
        Rule::RequiredIf(other, values) => (function, vec![code::text(other), code::texts(values)]),
        Rule::Exists(table, column) => (function, vec![code::text(table), code::text(column)]),
        Rule::Decimal(precision, scale) => {
            let args = [precision, scale].map(|digits| digits.to_string());
            (function, args.to_vec())
        }
        other => (
            function,
            argument(other).map(code::text).into_iter().collect(),
        ),
    };
    code::call(&name, args)
}

/// The argument of rules that take one text.
fn argument(rule: &Rule) -> Option<&str> {
    match rule {
        Rule::DateFormat(text)
        | Rule::Regex(text)
        | Rule::Same(text)
        | Rule::ExcludeWithout(text)
        | Rule::Custom(text) => Some(text),
        other => other.compares_with(),
    }
}

/// Whole bounds are integers; fractions have functions of their own.
fn bounds(name: String, bounds: &[&String]) -> (String, Vec<String>) {
    let whole: Option<Vec<i64>> = bounds.iter().map(|bound| bound.parse().ok()).collect();
    match whole {
        Some(whole) => (name, whole.iter().map(ToString::to_string).collect()),
        None => {
            let fractions = bounds.iter().map(|bound| code::text(bound));
            (format!("{name}_decimal"), fractions.collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_calls() {
        let text = |text: &str| text.to_owned();
        let cases = [
            (Rule::Required, "required()"),
            (Rule::Min(text("0")), "min(0)"),
            (Rule::Min(text("0.01")), "min_decimal(\"0.01\")"),
            (
                Rule::Between(text("0.01"), text("9")),
                "between_decimal(\"0.01\", \"9\")",
            ),
            (Rule::Size(text("1.5")), "size_decimal(\"1.5\")"),
            (
                Rule::In(vec![text("1,5"), text("2")]),
                "one_of(&[\"1,5\", \"2\"])",
            ),
            (
                Rule::In(vec![text("F"), text("P")]),
                "one_of(&[\"F\", \"P\"])",
            ),
            (
                Rule::RequiredIf(text("validity"), vec![text("fixed")]),
                "required_if(\"validity\", &[\"fixed\"])",
            ),
            (Rule::Regex(text("^a\"b")), "regex(\"^a\\\"b\")"),
            (Rule::Custom(text("shop.iban")), "custom(\"shop.iban\")"),
            (Rule::Decimal(15, 4), "decimal(15, 4)"),
            (Rule::DateFormat(text("H:i")), "date_format(\"H:i\")"),
            (Rule::BeforeOrEqual(text("now")), "before_or_equal(\"now\")"),
        ];
        for (rule, code) in cases {
            assert_eq!(call(&rule), code);
        }
    }
}
