//! Mistakes in what a user wrote: code, place, message and help; printed as text and as JSON.
//! A mistake is data: making one is never an error of the program.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use serde_json::{Value, json};

use crate::manifest::{Sources, Span};

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// No file is generated.
    Error,
    /// Worth a look.
    Warning,
}

/// Kind of a mistake. The number of a code never changes its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u16)]
pub enum Code {
    /// Bytes that are no UTF-8.
    NotUtf8 = 1,
    /// A file without content.
    EmptyFile = 2,
    /// Not YAML.
    Syntax = 3,
    /// A tab in the indentation.
    Tab = 4,
    /// A key that is declared twice.
    DuplicateKey = 5,
    /// Aliases that repeat too much.
    Aliases = 6,
    /// A key that is not known.
    UnknownKey = 7,
    /// A value of the wrong form.
    WrongType = 8,
    /// A bare comma inside `{ }` or `[ ]`.
    BareComma = 9,
    /// Something that must be there is not.
    Missing = 10,
    // 11 was: not built yet.
    /// A word that is not allowed here.
    UnknownWord = 12,
    /// A name that cannot be used.
    IllegalName = 13,
    /// Conflict markers that a merge of git left.
    Conflict = 14,
    /// A template that does not parse, or that uses something unknown.
    Template = 15,
    /// An attribute that is declared twice.
    DuplicateAttribute = 20,
    /// A column type that does not exist.
    UnknownType = 21,
    /// Arguments that a type does not take.
    TypeArguments = 22,
    /// A rule that does not exist.
    UnknownRule = 23,
    /// A rule that does not fit its type, or its arguments.
    RuleMisfit = 24,
    /// A default or example that does not fit.
    LiteralMisfit = 25,
    /// A required attribute that no request may write.
    UnwritableColumn = 26,
    /// A column that does not exist.
    UnknownColumn = 27,
    /// A column that is never sent to clients, used where it would be.
    HiddenColumn = 28,
    /// A search or a sort by a column that each database writes in its own way.
    IncomparableColumn = 29,
    /// A relation to a key that no manifest registers.
    UnknownTarget = 30,
    /// A key that two manifests register.
    DuplicateResource = 31,
    /// Two names that become one.
    NameCollision = 32,
    /// One table described twice.
    DuplicateTable = 33,
    /// A pivot table used with different columns.
    PivotMismatch = 34,
    /// A column whose type is not that of the key it points to.
    KeyMismatch = 35,
    /// A relation whose options do not fit.
    RelationMisfit = 36,
    /// A former name (`was:`) that cannot be right.
    FormerName = 37,
    /// An index that a database of the project has no room for.
    IndexLimit = 38,
    /// An action that does not exist.
    UnknownAction = 40,
    /// A context that does not exist.
    UnknownContext = 41,
    /// An action that is listed twice.
    DuplicateAction = 42,
    /// Writing is open to everyone.
    OpenWrite = 60,
    /// A table of accounts that no manifest describes.
    UnknownAccounts = 61,
    /// A `belongs_to` that does not say whether its column is nullable.
    NullableUnsaid = 62,
    /// A password of an account that clients could read.
    ReadablePassword = 63,
    /// A change of a table that loses what rows hold.
    Destructive = 70,
    /// A change of a table that no migration can make.
    Impossible = 71,
}

/// One mistake and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Kind.
    pub code: Code,
    /// Error or warning.
    pub severity: Severity,
    /// File, below the project, with `/`.
    pub path: String,
    /// Bytes of the file.
    pub span: Span,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Description of the mistake.
    pub message: String,
    /// Words at the marker.
    pub label: Option<String>,
    /// The suggested correction.
    pub help: Option<String>,
    /// A note, such as a statement.
    pub note: Option<String>,
    /// Another place that belongs to it: path, bytes, words.
    pub related: Option<(String, Span, String)>,
}

impl Code {
    /// `E0007`.
    pub fn text(self) -> String {
        format!("E{:04}", self as u16)
    }
}

impl Severity {
    /// `error` or `warning`.
    pub fn text(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

impl Diagnostic {
    /// An error at a place; line and column follow by [`locate`].
    pub fn new(code: Code, path: &str, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            path: path.to_owned(),
            span,
            line: 1,
            column: 1,
            message: message.into(),
            label: None,
            help: None,
            note: None,
            related: None,
        }
    }

    /// Adds words at the marker.
    pub fn label(&mut self, label: impl Into<String>) -> &mut Self {
        self.label = Some(label.into());
        self
    }

    /// Adds what to write instead.
    pub fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(help.into());
        self
    }

    /// Adds what to write instead, where there is something to say.
    pub fn maybe_help(&mut self, help: Option<String>) -> &mut Self {
        if help.is_some() {
            self.help = help;
        }
        self
    }

    /// Adds another place.
    pub fn related(&mut self, path: &str, span: Span, words: impl Into<String>) -> &mut Self {
        self.related = Some((path.to_owned(), span, words.into()));
        self
    }
}

/// Sorts by file and place, drops repetitions, and counts lines and columns.
pub fn locate(diagnostics: &mut Vec<Diagnostic>, sources: &Sources) {
    diagnostics.sort_by(|a, b| {
        (&a.path, a.span, a.code, &a.message).cmp(&(&b.path, b.span, b.code, &b.message))
    });
    diagnostics.dedup();
    for diagnostic in diagnostics {
        let text = sources.text(&diagnostic.path).unwrap_or_default();
        (diagnostic.line, diagnostic.column) = position(&text, diagnostic.span.start);
    }
}

/// The diagnostics as a compiler prints them, one after the other, with an empty line between.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, colour: bool) -> String {
    let renderer = if colour {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut text = String::new();
    for diagnostic in diagnostics {
        text.push_str(&render_one(diagnostic, sources, &renderer));
        text.push_str("\n\n");
    }
    text
}

/// The diagnostics as JSON: a list of objects with `code`, `severity`, `path`, `line`, `column`
/// (both from 1, columns in characters), `end_line`, `end_column`, `message` and `help`.
pub fn to_json(diagnostics: &[Diagnostic], sources: &Sources) -> Value {
    let object = |diagnostic: &Diagnostic| {
        let text = sources.text(&diagnostic.path).unwrap_or_default();
        let (end_line, end_column) = position(&text, diagnostic.span.end);
        json!({
            "code": diagnostic.code.text(),
            "severity": diagnostic.severity.text(),
            "path": diagnostic.path,
            "line": diagnostic.line,
            "column": diagnostic.column,
            "end_line": end_line,
            "end_column": end_column,
            "message": diagnostic.message,
            "help": diagnostic.help,
        })
    };
    Value::Array(diagnostics.iter().map(object).collect())
}

/// Line and column (in characters) of a byte, from 1.
pub fn position(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    (line, before[start..].chars().count() + 1)
}

fn render_one(diagnostic: &Diagnostic, sources: &Sources, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level
        .primary_title(&diagnostic.message)
        .id(diagnostic.code.text());
    let text = sources.text(&diagnostic.path).unwrap_or_default();
    let marker = AnnotationKind::Primary
        .span(visible(&text, diagnostic.span))
        .label(diagnostic.label.as_deref());
    let mut snippet = Snippet::source(text.as_ref())
        .path(&diagnostic.path)
        .annotation(marker);
    let mut elsewhere = None;
    if let Some((path, span, words)) = &diagnostic.related {
        let other = sources.text(path).unwrap_or_default();
        let marker = AnnotationKind::Context
            .span(visible(&other, *span))
            .label(words);
        if *path == diagnostic.path {
            snippet = snippet.annotation(marker);
        } else {
            elsewhere = Some(Snippet::source(other).path(path).annotation(marker));
        }
    }
    let mut group = title.element(snippet);
    if let Some(elsewhere) = elsewhere {
        group = group.element(elsewhere);
    }
    if let Some(note) = &diagnostic.note {
        group = group.element(Level::NOTE.message(note));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help));
    }
    renderer.render(&[group])
}

/// A span inside the text, on character boundaries, that marks at least one character and ends with
/// its first line.
fn visible(text: &str, span: Span) -> std::ops::Range<usize> {
    let floor = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = floor(span.start);
    let line_end = text[start..]
        .find(['\n', '\r'])
        .map_or(text.len(), |at| start + at);
    let end = floor(span.end).clamp(start, line_end);
    if end > start {
        return start..end;
    }
    let next = text[start..line_end]
        .chars()
        .next()
        .map_or(0, char::len_utf8);
    start..start + next
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> (Vec<Diagnostic>, Sources) {
        let text = "name: Größe\nmodle: x\n";
        let start = text.find("modle").unwrap();
        let sources = Sources::from_texts([("extensions/a/resources/b.yaml", text)]);
        let span = Span::new(start, start + 5);
        let path = "extensions/a/resources/b.yaml";
        let mut found = Diagnostic::new(Code::UnknownKey, path, span, "unknown key `modle`");
        found.label("here").help("did you mean `model`?");
        let mut all = vec![found.clone(), found];
        locate(&mut all, &sources);
        (all, sources)
    }

    #[test]
    fn text_has_place_line_marker_and_help() {
        let (all, sources) = sample();
        assert_eq!(all.len(), 1, "repetitions are dropped");
        let expected = "\
error[E0007]: unknown key `modle`
 --> extensions/a/resources/b.yaml:2:1
  |
2 | modle: x
  | ^^^^^ here
  |
  = help: did you mean `model`?

";
        assert_eq!(render(&all, &sources, false), expected);
        assert!(render(&all, &sources, true).contains("\u{1b}["));
    }

    #[test]
    fn json_counts_characters() {
        let (all, sources) = sample();
        let json = to_json(&all, &sources);
        assert_eq!(json[0]["line"], 2);
        assert_eq!(json[0]["end_column"], 6);
        assert_eq!(position("Größe x", "Größe ".len()), (1, 7));
    }

    #[test]
    fn no_span_makes_rendering_panic() {
        for text in ["", "\n", "ü", "a\r\nb", "\u{0}\u{1b}[1m", "\t"] {
            let sources = Sources::from_texts([("p", text)]);
            for start in 0..6 {
                for end in 0..6 {
                    let span = Span { start, end };
                    let all = [Diagnostic::new(Code::Syntax, "p", span, "m")];
                    assert!(!render(&all, &sources, false).is_empty());
                }
            }
        }
    }
}
