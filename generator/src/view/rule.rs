//! Rules as functions of `formwork::rules`, and in Laravel's words.

use super::code::Code;
use crate::project::Rule;

/// A rule as a call: `between(2, 255)`.
pub(crate) fn call(rule: &Rule) -> Code {
    let (name, args) = match rule {
        Rule::Min(bound) => bounds("min", &[bound]),
        Rule::Max(bound) => bounds("max", &[bound]),
        Rule::Between(low, high) => bounds("between", &[low, high]),
        Rule::Size(size) => bounds("size", &[size]),
        Rule::In(values) => ("one_of".to_owned(), vec![Code::texts(values)]),
        Rule::NotIn(values) => ("none_of".to_owned(), vec![Code::texts(values)]),
        Rule::RequiredIf(other, values) => (
            "required_if".to_owned(),
            vec![Code::text(other), Code::texts(values)],
        ),
        Rule::RequiredWithout(others) => ("required_without".to_owned(), vec![Code::texts(others)]),
        Rule::Exists(table, column) => (
            "exists".to_owned(),
            vec![Code::text(table), Code::text(column)],
        ),
        Rule::Decimal(precision, scale) => {
            let args = [precision, scale].map(|digits| Code::word(digits.to_string()));
            ("decimal".to_owned(), args.to_vec())
        }
        other => (
            other.name().to_owned(),
            argument(other).map(Code::text).into_iter().collect(),
        ),
    };
    Code::Call(name, args)
}

/// A rule as manifests write it: `between:2,255`.
pub(crate) fn words(rule: &Rule) -> String {
    let args = match rule {
        Rule::Min(bound) | Rule::Max(bound) | Rule::Size(bound) => bound.clone(),
        Rule::Between(low, high) => format!("{low},{high}"),
        Rule::In(values) | Rule::NotIn(values) => listed(values),
        Rule::RequiredWithout(others) => others.join(","),
        Rule::RequiredIf(other, values) => format!("{other},{}", listed(values)),
        Rule::Exists(table, column) => format!("{table},{column}"),
        Rule::Decimal(precision, scale) => format!("{precision},{scale}"),
        other => argument(other).unwrap_or_default().to_owned(),
    };
    let name = rule.name();
    if args.is_empty() {
        name.to_owned()
    } else {
        format!("{name}:{args}")
    }
}

/// Words with commas between; those with a comma in them stand in quotes.
fn listed(words: &[String]) -> String {
    let quoted = |word: &String| match word.contains([',', '"']) {
        true => format!("\"{}\"", word.replace('"', "\"\"")),
        false => word.clone(),
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(",")
}

/// The argument of rules that take one text.
fn argument(rule: &Rule) -> Option<&str> {
    match rule {
        Rule::DateFormat(text)
        | Rule::Regex(text)
        | Rule::Same(text)
        | Rule::ExcludeWithout(text) => Some(text),
        _ => None,
    }
}

/// Whole bounds are integers; fractions have functions of their own.
fn bounds(name: &str, bounds: &[&String]) -> (String, Vec<Code>) {
    let whole: Option<Vec<i64>> = bounds.iter().map(|bound| bound.parse().ok()).collect();
    match whole {
        Some(whole) => (
            name.to_owned(),
            whole
                .iter()
                .map(|bound| Code::word(bound.to_string()))
                .collect(),
        ),
        None => {
            let fractions = bounds.iter().map(|bound| Code::text(bound));
            (format!("{name}_decimal"), fractions.collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(rule: &Rule) -> (String, String) {
        (call(rule).lay_out(0, 0, 0), words(rule))
    }

    #[test]
    fn rules_are_calls_and_words() {
        let text = |text: &str| text.to_owned();
        let cases = [
            (Rule::Required, "required()", "required"),
            (Rule::Min(text("0")), "min(0)", "min:0"),
            (Rule::Min(text("0.01")), "min_decimal(\"0.01\")", "min:0.01"),
            (
                Rule::Between(text("0.01"), text("9")),
                "between_decimal(\"0.01\", \"9\")",
                "between:0.01,9",
            ),
            (Rule::Size(text("1.5")), "size_decimal(\"1.5\")", "size:1.5"),
            (
                Rule::In(vec![text("1,5"), text("2")]),
                "one_of(&[\"1,5\", \"2\"])",
                "in:\"1,5\",2",
            ),
            (
                Rule::In(vec![text("F"), text("P")]),
                "one_of(&[\"F\", \"P\"])",
                "in:F,P",
            ),
            (
                Rule::RequiredIf(text("validity"), vec![text("fixed")]),
                "required_if(\"validity\", &[\"fixed\"])",
                "required_if:validity,fixed",
            ),
            (
                Rule::Regex(text("^a\"b")),
                "regex(\"^a\\\"b\")",
                "regex:^a\"b",
            ),
            (Rule::Decimal(15, 4), "decimal(15, 4)", "decimal:15,4"),
            (
                Rule::DateFormat(text("H:i")),
                "date_format(\"H:i\")",
                "date_format:H:i",
            ),
        ];
        for (rule, code, manifest) in cases {
            assert_eq!(shown(&rule), (code.to_owned(), manifest.to_owned()));
        }
    }
}
