//! Column types as a manifest writes them: `string(40)`, `decimal(15,4)`, `enum(a, b)`.

use formwork_vocabulary::rule::RuleWord;

use crate::column::{self, LONGEST_STRING, MOST_DIGITS};
use crate::diagnostic::Code;
use crate::manifest::vocabulary::{TYPE_ALIASES, TYPES};
use crate::manifest::{Node, Span};
use crate::project::ColumnType;
use crate::suggestion::did_you_mean;

use super::report::Report;

/// A type and how much of the text it took.
#[derive(Debug, PartialEq)]
pub struct Parsed {
    /// The type.
    pub kind: ColumnType,
    /// Bytes taken, `)` included.
    pub length: usize,
}

/// Reads the type at the beginning of a scalar.
pub fn parse(node: &Node, text: &str, report: &mut Report<'_>) -> Option<Parsed> {
    let length = text
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    let name = &text[..length];
    let span = node.part(0, length.max(1));
    if !TYPES.contains(&name) {
        unknown(name, text, span, report);
        return None;
    }
    let rest = &text[length..];
    let Some(inner) = rest.strip_prefix('(') else {
        let kind = with_arguments(name, None, span, report)?;
        return Some(Parsed { kind, length });
    };
    let Some(close) = inner.find(')') else {
        let all = node.part(0, text.len());
        report
            .error(
                Code::TypeArguments,
                all,
                format!("the arguments of `{name}` are not closed"),
            )
            .help(format!("close them: `{name}(…)`"));
        return None;
    };
    let length = length + close + 2;
    let kind = with_arguments(name, Some(&inner[..close]), node.part(0, length), report)?;
    Some(Parsed { kind, length })
}

fn unknown(name: &str, text: &str, span: Span, report: &mut Report<'_>) {
    if RuleWord::in_manifest(name).is_some() {
        report
            .error(
                Code::UnknownType,
                span,
                format!("`{name}` is a rule, and the type comes first"),
            )
            .help(format!("write the type before the rules: `string {text}`"));
        return;
    }
    let alias = TYPE_ALIASES
        .iter()
        .find(|(word, _)| word.eq_ignore_ascii_case(name));
    let help = match alias {
        Some((_, kind)) => Some(format!("write `{kind}`")),
        None => did_you_mean(name, TYPES),
    };
    report
        .error(Code::UnknownType, span, format!("unknown type `{name}`"))
        .maybe_help(help);
}

fn with_arguments(
    name: &str,
    arguments: Option<&str>,
    span: Span,
    report: &mut Report<'_>,
) -> Option<ColumnType> {
    let kind = match (name, arguments) {
        ("enum", Some(values)) => return enumeration(values, span, report),
        ("string" | "decimal", _) | (_, None) => column::parse(name, arguments),
        (_, Some(_)) => {
            report
                .error(
                    Code::TypeArguments,
                    span,
                    format!("`{name}` takes no arguments"),
                )
                .help(format!("write `{name}`"));
            return None;
        }
    };
    if kind.is_none() {
        let (message, help) = wanted(name);
        report.error(Code::TypeArguments, span, message).help(help);
    }
    kind
}

fn wanted(name: &str) -> (String, String) {
    match name {
        "decimal" => (
            format!("`decimal` takes precision and scale, at most {MOST_DIGITS} digits in all"),
            "write `decimal(15,4)`: 15 digits, 4 of them after the point".to_owned(),
        ),
        "enum" => (
            "`enum` takes its values".to_owned(),
            "write `enum(one, two)`".to_owned(),
        ),
        _ => (
            format!("`string` takes a length from 1 to {LONGEST_STRING}"),
            "write `string(40)`; longer texts are `text`".to_owned(),
        ),
    }
}

fn enumeration(values: &str, span: Span, report: &mut Report<'_>) -> Option<ColumnType> {
    let unquoted = |value: &str| value.trim().trim_matches(['"', '\'']).to_owned();
    let values: Vec<String> = values.split(',').map(unquoted).collect();
    if values
        .iter()
        .any(|value| value.is_empty() || value.chars().any(char::is_control))
    {
        let (message, help) = wanted("enum");
        report.error(Code::TypeArguments, span, message).help(help);
        return None;
    }
    let twice = (1..values.len()).find(|at| values[..*at].contains(&values[*at]));
    if let Some(at) = twice {
        let message = format!("the value `{}` is listed twice in `enum`", values[at]);
        report
            .error(Code::TypeArguments, span, message)
            .help("leave one of them out");
        return None;
    }
    Some(ColumnType::Enum(values))
}

/// The type as a manifest writes it.
pub fn written(kind: &ColumnType) -> String {
    column::column(kind).manifest.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::yaml;

    fn read(text: &str) -> Result<(ColumnType, usize), String> {
        let quoted = format!("\"{text}\"");
        let node = yaml::parse(quoted.as_bytes()).unwrap();
        let mut report = Report::new("p");
        match parse(&node, text, &mut report) {
            Some(parsed) => Ok((parsed.kind, parsed.length)),
            None => Err(report.found.remove(0).message),
        }
    }

    #[test]
    fn every_type_is_read_as_it_is_written() {
        for text in [
            "string(40)",
            "text",
            "integer",
            "bigint",
            "float",
            "decimal(15,4)",
            "boolean",
            "date",
            "time",
            "datetime",
            "json",
            "uuid",
            "enum(delivery, collection)",
        ] {
            let (kind, length) = read(text).unwrap();
            assert_eq!(written(&kind), text);
            assert_eq!(length, text.len());
        }
        assert_eq!(
            read("string required").unwrap(),
            (ColumnType::String(255), 6)
        );
    }

    #[test]
    fn arguments_out_of_range_are_refused() {
        for text in [
            "decimal",
            "decimal(19,4)",
            "decimal(4,5)",
            "decimal(x,1)",
            "decimal(5)",
            "string(0)",
            "string(99999)",
            "string()",
            "enum",
            "enum()",
            "enum(a, a)",
            "enum(a,,b)",
            "text(5)",
            "string(4",
            "int",
            "required|string",
            "",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
