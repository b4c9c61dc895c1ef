//! Column types as a manifest writes them: `string(40)`, `decimal(15,4)`, `enum(a, b)`.

use formwork_vocabulary::rule::RuleWord;

use crate::column::{self, LONGEST_STRING, MOST_DIGITS};
use crate::diagnostic::Code;
use crate::manifest::Span;
use crate::manifest::vocabulary::{TYPE_ALIASES, TYPES};
use crate::project::ColumnType;
use crate::suggestion::did_you_mean;

use super::reader::Reader;
use super::report::Report;

/// The error in the arguments of a type: message and help.
type Misfit = (String, String);

/// A type and how much of the text it took.
#[derive(Debug, PartialEq)]
pub struct Parsed {
    /// The type.
    pub kind: ColumnType,
    /// Bytes taken, `)` included.
    pub length: usize,
}

/// Reads the type at the beginning of a scalar.
pub fn parse(reader: &Reader<'_>, text: &str) -> Option<Parsed> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let length = end.unwrap_or(text.len());
    let name = &text[..length];
    let report = reader.report;
    let part = |length: usize| reader.node.part(0, length.max(1));
    if !TYPES.contains(&name) {
        reject_unknown(name, text, part(length), report);
        return None;
    }
    let Some(inner) = text[length..].strip_prefix('(') else {
        let kind = with_arguments(name, None, part(length), report)?;
        return Some(Parsed { kind, length });
    };
    let Some(close) = inner.find(')') else {
        let message = format!("the arguments of `{name}` are not closed");
        let (span, help) = (part(text.len()), format!("close them: `{name}(…)`"));
        report.reject(Code::TypeArguments, span, message, help);
        return None;
    };
    let length = length + close + 2;
    let kind = with_arguments(name, Some(&inner[..close]), part(length), report)?;
    Some(Parsed { kind, length })
}

fn reject_unknown(name: &str, text: &str, span: Span, report: Report<'_>) {
    if RuleWord::in_manifest(name).is_some() {
        let message = format!("`{name}` is a rule, and the type comes first");
        let help = format!("write the type before the rules: `string {text}`");
        report.reject(Code::UnknownType, span, message, help);
        return;
    }
    let mut aliases = TYPE_ALIASES.iter();
    let help = match aliases.find(|(word, _)| word.eq_ignore_ascii_case(name)) {
        Some((_, kind)) => Some(format!("write `{kind}`")),
        None => did_you_mean(name, TYPES),
    };
    let mut error = report.error(Code::UnknownType, span, format!("unknown type `{name}`"));
    error.maybe_help(help);
}

fn with_arguments(
    name: &str,
    arguments: Option<&str>,
    span: Span,
    report: Report<'_>,
) -> Option<ColumnType> {
    let kind = match (name, arguments) {
        ("enum", Some(values)) => enumeration(values),
        ("string" | "decimal", _) | (_, None) => {
            column::parse(name, arguments).ok_or_else(|| wanted(name))
        }
        _ => {
            let message = format!("`{name}` takes no arguments");
            Err((message, format!("write `{name}`")))
        }
    };
    let report_misfit = |(message, help): Misfit| {
        report.reject(Code::TypeArguments, span, message, help);
    };
    kind.map_err(report_misfit).ok()
}

/// Returns what is wrong with the arguments of a type: message and help.
fn wanted(name: &str) -> Misfit {
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

fn enumeration(values: &str) -> Result<ColumnType, Misfit> {
    let unquoted = |value: &str| value.trim().trim_matches(['"', '\'']).to_owned();
    let values: Vec<String> = values.split(',').map(unquoted).collect();
    let is_illegal = |value: &String| value.is_empty() || value.chars().any(char::is_control);
    if values.iter().any(is_illegal) {
        return Err(wanted("enum"));
    }
    let duplicate = (1..values.len()).find(|at| values[..*at].contains(&values[*at]));
    if let Some(at) = duplicate {
        let message = format!("the value `{}` is listed twice in `enum`", values[at]);
        return Err((message, "leave one of them out".to_owned()));
    }
    Ok(ColumnType::Enum(values))
}

/// The type as a manifest writes it.
pub fn written(kind: &ColumnType) -> String {
    column::column(kind).manifest.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::yaml;
    use crate::resolve::report::Diagnostics;

    fn read(text: &str) -> Result<(ColumnType, usize), String> {
        let quoted = format!("\"{text}\"");
        let node = yaml::parse(quoted.as_bytes()).unwrap();
        let diagnostics = Diagnostics::default();
        let reader = Reader::new(&node, "the type", diagnostics.report("p"));
        match parse(&reader, text) {
            Some(parsed) => Ok((parsed.kind, parsed.length)),
            None => Err(diagnostics.into_inner().remove(0).message),
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
