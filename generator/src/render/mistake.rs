//! Mistakes in templates of the project's own, with their places.

use tera::{Error, ErrorKind, ReportError};

use super::templates::Templates;
use crate::diagnostic::{self, Code, Diagnostic};
use crate::error::{Located, Problem};
use crate::manifest::{Sources, Span};

const HELP: &str = "the guide's page on templates lists the names that a template sees";

/// Whether an error is a mistake in the project's own template `asked`, or in one that it includes.
pub(super) fn is_own(templates: &Templates, asked: &str, error: &Error) -> bool {
    let place = report(error).map(ReportError::filename);
    let mut own = templates.own.iter();
    own.any(|own| own.path == asked || place == Some(own.path.as_str()))
}

/// The mistakes that showed while the template `asked` was read or rendered.
pub(super) fn problems(templates: &Templates, asked: &str, error: &Error) -> Vec<Problem> {
    if let Some(report) = report(error) {
        let name = Some(report.filename()).filter(|name| !name.is_empty());
        let span = Span::new(report.span().range.start, report.span().range.end);
        let name = name.unwrap_or(asked);
        return vec![problem(templates, asked, (name, span), report.message())];
    }
    let reported = error.to_string();
    let mut found = reports(&reported).peekable();
    if found.peek().is_none() {
        let message = reported.trim().trim_start_matches("error: ");
        return vec![problem(templates, asked, (asked, Span::default()), message)];
    }
    let placed = |(message, name, line, column)| {
        let start = byte(text(templates, name), line, column);
        let place = (name, Span::new(start, start));
        problem(templates, asked, place, message)
    };
    found.map(placed).collect()
}

/// Message, template, line and column of each report in a text. Tera gives unknown filters, tests,
/// functions and includes in this form alone: `error: message`, and below it ` --> template:1:2`
/// (docs/adr/0004). They decide where the message points, and nothing else.
fn reports(text: &str) -> impl Iterator<Item = (&str, &str, usize, usize)> {
    let lines = text.lines().zip(text.lines().skip(1));
    lines.filter_map(|(message, place)| {
        let message = message.strip_prefix("error: ")?;
        let mut parts = place.trim_start().strip_prefix("--> ")?.rsplitn(3, ':');
        let column = parts.next()?.parse().ok()?;
        let line = parts.next()?.parse().ok()?;
        Some((message, parts.next()?, line, column))
    })
}

/// The byte of a line and a column in characters, both from 1.
fn byte(text: &str, line: usize, column: usize) -> usize {
    let lines = text.split_inclusive('\n').take(line.saturating_sub(1));
    let start = lines.map(str::len).sum::<usize>();
    let letters = text[start..].chars().take(column.saturating_sub(1));
    start + letters.map(char::len_utf8).sum::<usize>()
}

fn problem(
    templates: &Templates,
    asked: &str,
    (name, span): (&str, Span),
    message: &str,
) -> Problem {
    let path = path(templates, name);
    let mut found = Diagnostic::new(Code::Template, &path, span, message.trim());
    found.help(HELP);
    found.note =
        (name != asked).then(|| format!("while {} was rendered", self::path(templates, asked)));
    let short = format!("{path}: {}", found.message);
    Problem {
        located: Some(located(found, text(templates, name))),
        ..Problem::from(short)
    }
}

fn report(error: &Error) -> Option<&ReportError> {
    match error.kind() {
        ErrorKind::SyntaxError(report) | ErrorKind::RenderingError(report) => Some(report),
        _ => None,
    }
}

/// A template as people find it: a file of the project, or a built-in one.
fn path(templates: &Templates, name: &str) -> String {
    let is_own = templates.own.iter().any(|own| own.path == name);
    let folder = if is_own { "templates" } else { "built-in" };
    format!("{folder}/{name}")
}

fn text<'t>(templates: &'t Templates, name: &str) -> &'t str {
    let own = templates.own.iter().find(|own| own.path == name);
    let own = own.map(|own| own.text.as_str());
    own.or_else(|| templates.built_in.text(name))
        .unwrap_or_default()
}

fn located(found: Diagnostic, text: &str) -> Located {
    let sources = Sources::from_texts([(found.path.clone(), text)]);
    let mut all = vec![found];
    diagnostic::locate(&mut all, &sources);
    let json = diagnostic::to_json(&all, &sources);
    Located {
        text: diagnostic::render(&all, &sources, true),
        json: json.get(0).cloned().unwrap_or_default(),
    }
}
