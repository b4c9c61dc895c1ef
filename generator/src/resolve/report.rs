//! Collects the mistakes of one file, and reads nodes while doing so.

use std::collections::BTreeMap;

use formwork_vocabulary::did_you_mean::nearest;

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::manifest::yaml::Layout;
use crate::manifest::{Node, Span, Value};
use crate::merge::markers;
use crate::suggestion::{did_you_mean, quoted};

/// Mistakes of one file.
#[derive(Debug)]
pub struct Report<'f> {
    /// The file.
    pub path: &'f str,
    /// Found so far.
    pub found: Vec<Diagnostic>,
}

/// A word and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// The entries of a mapping whose keys are known.
#[derive(Debug)]
pub struct Fields<'n> {
    entries: BTreeMap<&'n str, (&'n Node, &'n Node)>,
    /// Place of the whole mapping.
    pub span: Span,
    /// Some entries could not be read, and were reported.
    pub damaged: bool,
}

/// One entry of a mapping with free keys.
#[derive(Debug, Clone, Copy)]
pub struct MappingEntry<'n> {
    /// The key's text.
    pub name: &'n str,
    /// The key.
    pub key: &'n Node,
    /// The value.
    pub value: &'n Node,
}

impl<'f> Report<'f> {
    /// A report without findings.
    pub fn new(path: &'f str) -> Self {
        Self {
            path,
            found: Vec::new(),
        }
    }

    /// Adds an error.
    pub fn error(&mut self, code: Code, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        let index = self.found.len();
        self.found
            .push(Diagnostic::new(code, self.path, span, message));
        &mut self.found[index]
    }

    /// Adds a warning.
    pub fn warning(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        let found = self.error(code, span, message);
        found.severity = Severity::Warning;
        found
    }

    /// Whether git left conflict markers in this file, which keep it from being read; reports them.
    pub fn conflict(&mut self, text: &str) -> bool {
        let Some(line) = markers::first(text) else {
            return false;
        };
        let span = Span::new(line.start, line.end);
        self.error(Code::Conflict, span, "a git conflict begins here")
            .help("resolve the conflict, remove the markers, then run the command again");
        true
    }

    /// The text of a scalar.
    pub fn text<'n>(&mut self, node: &'n Node, label: &str) -> Option<&'n str> {
        let text = node.as_text().filter(|text| !text.trim().is_empty());
        if text.is_none() {
            self.wrong_type(node, label, "text");
        }
        text
    }

    /// A word and its place.
    pub fn word(&mut self, node: &Node, label: &str) -> Option<Word> {
        let text = self.text(node, label)?.to_owned();
        Some(Word {
            text,
            span: node.span,
        })
    }

    /// One of `known`, by its position.
    pub fn one_of(&mut self, node: &Node, label: &str, known: &[&str]) -> Option<usize> {
        let text = self.text(node, label)?;
        let found = known.iter().position(|word| *word == text);
        if found.is_none() {
            self.error(
                Code::UnknownWord,
                node.span,
                format!("{label} cannot be `{text}`"),
            )
            .maybe_help(did_you_mean(text, known));
        }
        found
    }

    /// `true` or `false`.
    pub fn boolean(&mut self, node: &Node, label: &str) -> Option<bool> {
        let value = node.as_bool();
        if value.is_none() {
            self.wrong_type(node, label, "`true` or `false`");
        }
        value
    }

    /// A whole number in a range.
    pub fn integer(&mut self, node: &Node, label: &str, least: i64, most: i64) -> Option<i64> {
        let scalar = node.scalar().filter(|scalar| scalar.plain);
        let value = scalar.and_then(|scalar| scalar.text.parse::<i64>().ok());
        let value = value.filter(|value| (least..=most).contains(value));
        if value.is_none() {
            let range = if most == i64::MAX {
                format!("a whole number, {least} or more")
            } else {
                format!("a whole number from {least} to {most}")
            };
            self.wrong_type(node, label, &range);
        }
        value
    }

    /// The items of a list.
    pub fn list<'n>(&mut self, node: &'n Node, label: &str) -> Option<&'n [Node]> {
        if let Value::Sequence(items, _) = &node.value {
            return Some(items);
        }
        let found = self.wrong_type(node, label, "a list");
        if let Some(text) = node.as_text() {
            found.help(format!("write `[{text}]`"));
        }
        None
    }

    /// The words of a list, each once.
    pub fn words(&mut self, node: &Node, label: &str) -> Vec<Word> {
        let mut words: Vec<Word> = Vec::new();
        for item in self.list(node, label).unwrap_or_default() {
            let Some(word) = self.word(item, &format!("an entry of {label}")) else {
                continue;
            };
            match words.iter().find(|earlier| earlier.text == word.text) {
                Some(earlier) => {
                    let path = self.path;
                    let message = format!("`{}` is listed twice in {label}", word.text);
                    self.error(Code::DuplicateKey, word.span, message)
                        .related(path, earlier.span, "first here")
                        .help("leave one of them out");
                }
                None => words.push(word),
            }
        }
        words
    }

    /// A mapping whose keys must be among `known`.
    pub fn fields<'n>(
        &mut self,
        node: &'n Node,
        label: &str,
        known: &[&str],
    ) -> Option<Fields<'n>> {
        self.fields_or(node, label, known, |_| None)
    }

    /// The same; `elsewhere` names the right place of an unknown key.
    pub fn fields_or<'n>(
        &mut self,
        node: &'n Node,
        label: &str,
        known: &[&str],
        elsewhere: impl Fn(&str) -> Option<String>,
    ) -> Option<Fields<'n>> {
        let before = self.found.len();
        let entries = self.entries(node, label, Code::DuplicateKey)?;
        let mut fields = Fields {
            entries: BTreeMap::new(),
            span: node.span,
            damaged: self.found.len() > before,
        };
        for MappingEntry { name, key, value } in entries {
            if known.contains(&name) {
                fields.entries.insert(name, (key, value));
            } else {
                fields.damaged = true;
                self.unknown_key(name, key, label, known)
                    .maybe_help(elsewhere(name));
            }
        }
        Some(fields)
    }

    /// A mapping with free keys, in the order of the file.
    pub fn entries<'n>(
        &mut self,
        node: &'n Node,
        label: &str,
        duplicate: Code,
    ) -> Option<Vec<MappingEntry<'n>>> {
        let Value::Mapping(pairs, layout) = &node.value else {
            self.wrong_type(node, label, "a mapping");
            return None;
        };
        let mut entries: Vec<MappingEntry<'n>> = Vec::with_capacity(pairs.len());
        let mut rest = &pairs[..];
        while let [(key, value), after @ ..] = rest {
            let cut = if *layout == Layout::Flow {
                cut_off(value, after)
            } else {
                &[]
            };
            rest = &after[cut.len()..];
            let Some(name) = key.as_text() else {
                self.wrong_type(key, &format!("a key of {label}"), "text");
                continue;
            };
            if !cut.is_empty() {
                self.bare_comma(name, value, cut);
                continue;
            }
            match entries.iter().find(|entry| entry.name == name) {
                Some(first) => self.duplicate(duplicate, first, key, label),
                None => entries.push(MappingEntry { name, key, value }),
            }
        }
        Some(entries)
    }

    /// The value has the wrong form.
    pub fn wrong_type(&mut self, node: &Node, label: &str, wanted: &str) -> &mut Diagnostic {
        let found = match node.as_text() {
            Some(text) => format!("`{}`", shortened(text)),
            None => node.describe().to_owned(),
        };
        let help = match wanted {
            "a list" => "write `[one, two]`".to_owned(),
            "a mapping" => "write keys with values: `key: value`".to_owned(),
            "text" => "write one text; in quotes where it looks like something else".to_owned(),
            _ => format!("write {wanted}"),
        };
        self.error(
            Code::WrongType,
            node.span,
            format!("{label} must be {wanted}, not {found}"),
        )
        .label(format!("expected {wanted}"))
        .help(help)
    }

    fn bare_comma(&mut self, name: &str, value: &Node, cut: &[(Node, Node)]) {
        let pieces = std::iter::once(value).chain(cut.iter().map(|(key, _)| key));
        let whole: Vec<&str> = pieces.filter_map(Node::as_text).collect();
        let whole = whole.join(",");
        let span = cut
            .last()
            .map_or(value.span, |(key, _)| value.span.to(key.span));
        self.error(
            Code::BareComma,
            span,
            format!("a bare comma inside `{{ }}` cuts the value of `{name}` in two"),
        )
        .label("inside `{ }` a comma begins the next key")
        .help(format!(
            "put it in quotes: `{name}: \"{whole}\"`, or write one key per line without `{{ }}`"
        ));
    }

    fn duplicate(&mut self, code: Code, first: &MappingEntry<'_>, key: &Node, label: &str) {
        let name = first.name;
        let (thing, help) = match code {
            Code::DuplicateAttribute => ("attribute", "give one of them another name"),
            _ => ("key", "leave one of them out"),
        };
        let path = self.path;
        self.error(
            code,
            key.span,
            format!("the {thing} `{name}` is declared twice in {label}"),
        )
        .label("again here")
        .related(path, first.key.span, "first here")
        .help(help);
    }

    fn unknown_key(
        &mut self,
        name: &str,
        key: &Node,
        label: &str,
        known: &[&str],
    ) -> &mut Diagnostic {
        let help = match nearest(name, known.iter().copied()) {
            Some(found) => format!("did you mean `{found}`?"),
            None => format!("the keys of {label} are {}", quoted(known)),
        };
        self.error(
            Code::UnknownKey,
            key.span,
            format!("unknown key `{name}` in {label}"),
        )
        .help(help)
    }
}

impl<'n> Fields<'n> {
    /// The value of a key that is there and not null.
    pub fn get(&self, key: &str) -> Option<&'n Node> {
        self.raw(key).filter(|value| !value.is_null())
    }

    /// The value of a key, null included.
    pub fn raw(&self, key: &str) -> Option<&'n Node> {
        self.entries.get(key).map(|(_, value)| *value)
    }

    /// The place of a key.
    pub fn key_span(&self, key: &str) -> Option<Span> {
        self.entries.get(key).map(|(key, _)| key.span)
    }
}

/// Keys without a value behind a plain scalar in `{ }`: the rest of a scalar that commas cut.
fn cut_off<'n>(value: &Node, after: &'n [(Node, Node)]) -> &'n [(Node, Node)] {
    let plain = value
        .scalar()
        .is_some_and(|scalar| scalar.plain && !scalar.absent);
    let count = after
        .iter()
        .take_while(|(_, value)| value.is_absent())
        .count();
    if plain { &after[..count] } else { &[] }
}

fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}
