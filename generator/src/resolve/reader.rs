//! Reads the nodes of a manifest, and reports values of the wrong form.

use std::cell::RefMut;
use std::collections::BTreeMap;

use formwork_vocabulary::did_you_mean::nearest;

use super::report::{Report, Word};
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::yaml::Layout;
use crate::manifest::{Node, Span, Value};
use crate::suggestion::{did_you_mean, quoted};

/// A node, and its name in messages.
#[derive(Debug, Clone)]
pub struct Reader<'r> {
    /// The node.
    pub node: &'r Node,
    /// Its name in messages.
    pub label: String,
    /// The report of its file.
    pub report: Report<'r>,
}

/// The entries of a mapping whose keys are known.
#[derive(Debug)]
pub struct Fields<'r> {
    entries: BTreeMap<&'r str, Entry<'r>>,
    /// The place of the mapping.
    pub span: Span,
    /// The report of its file.
    pub report: Report<'r>,
    /// Some entries could not be read, and were reported.
    pub damaged: bool,
}

/// One entry of a mapping.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'r> {
    /// The key's text.
    pub name: &'r str,
    /// The key's place.
    pub span: Span,
    /// The value.
    pub value: &'r Node,
    /// The report of its file.
    pub report: Report<'r>,
}

impl<'r> Reader<'r> {
    /// Returns a reader of a node that messages call `label`.
    pub fn new(node: &'r Node, label: impl Into<String>, report: Report<'r>) -> Self {
        let label = label.into();
        Self {
            node,
            label,
            report,
        }
    }

    /// Gives the node another name in messages.
    pub fn named(self, label: impl Into<String>) -> Self {
        Self::new(self.node, label, self.report)
    }

    /// Reports an error of the node.
    pub fn reject(&self, code: Code, message: impl Into<String>, help: impl Into<String>) {
        self.report.reject(code, self.node.span, message, help);
    }

    /// Reports an error of the node, whose details follow in the same statement.
    pub fn error(&self, code: Code, message: impl Into<String>) -> RefMut<'r, Diagnostic> {
        self.report.error(code, self.node.span, message)
    }

    /// Reads the text of a scalar.
    pub fn text(&self) -> Option<&'r str> {
        let text = self.node.as_text().filter(|text| !text.trim().is_empty());
        if text.is_none() {
            self.wrong_type("text");
        }
        text
    }

    /// Reads a word.
    pub fn word(&self) -> Option<Word> {
        let text = self.text()?.to_owned();
        let span = self.node.span;
        Some(Word { text, span })
    }

    /// Reads one of `words`, and returns its position.
    pub fn one_of(&self, words: &[&str]) -> Option<usize> {
        let text = self.text()?;
        let position = words.iter().position(|word| *word == text);
        if position.is_none() {
            let message = format!("{} cannot be `{text}`", self.label);
            let mut error = self.error(Code::UnknownWord, message);
            error.maybe_help(did_you_mean(text, words));
        }
        position
    }

    /// Reads `true` or `false`.
    pub fn boolean(&self) -> Option<bool> {
        let value = self.node.as_bool();
        if value.is_none() {
            self.wrong_type("`true` or `false`");
        }
        value
    }

    /// Reads a whole number in a range.
    pub fn integer(&self, least: i64, most: i64) -> Option<i64> {
        let scalar = self.node.scalar().filter(|scalar| scalar.plain);
        let value = scalar.and_then(|scalar| scalar.text.parse::<i64>().ok());
        let value = value.filter(|value| (least..=most).contains(value));
        if value.is_none() {
            self.wrong_type(&match most {
                i64::MAX => format!("a whole number, {least} or more"),
                _ => format!("a whole number from {least} to {most}"),
            });
        }
        value
    }

    /// Reads the items of a list.
    pub fn items(&self) -> Vec<Self> {
        if let Value::Sequence(items, _) = &self.node.value {
            let label = format!("an entry of {}", self.label);
            let item = |node| Self::new(node, label.clone(), self.report);
            return items.iter().map(item).collect();
        }
        let mut error = self.wrong_type("a list");
        if let Some(text) = self.node.as_text() {
            error.help(format!("write `[{text}]`"));
        }
        Vec::new()
    }

    /// Reads the words of a list, each once.
    pub fn words(&self) -> Vec<Word> {
        let mut words: Vec<Word> = Vec::new();
        for word in self.items().iter().filter_map(Self::word) {
            let Some(first) = words.iter().find(|first| first.text == word.text) else {
                words.push(word);
                continue;
            };
            let message = format!("`{}` is listed twice in {}", word.text, self.label);
            let mut error = self.report.error(Code::DuplicateKey, word.span, message);
            error.related(self.report.path, first.span, "first here");
            error.help("leave one of them out");
        }
        words
    }

    /// Reads one word, or the words of a list.
    pub fn one_or_more_words(&self) -> Vec<Word> {
        match self.node.value {
            Value::Scalar(_) => self.word().into_iter().collect(),
            _ => self.words(),
        }
    }

    /// Reads a mapping whose keys must be among `known`.
    pub fn fields(&self, known: &[&str]) -> Option<Fields<'r>> {
        self.fields_or(known, |_| None)
    }

    /// Reads a mapping in the same way; `elsewhere` names the right place of an unknown key.
    pub fn fields_or(
        &self,
        known: &[&str],
        elsewhere: impl Fn(&str) -> Option<String>,
    ) -> Option<Fields<'r>> {
        let count = self.report.count();
        let entries = self.mapping(Code::DuplicateKey)?;
        let (entries, unknown): (Vec<_>, Vec<_>) = entries
            .into_iter()
            .partition(|entry| known.contains(&entry.name));
        for Entry { name, span, .. } in unknown {
            let message = format!("unknown key `{name}` in {}", self.label);
            let help =
                elsewhere(name).unwrap_or_else(|| match nearest(name, known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the keys of {} are {}", self.label, quoted(known)),
                });
            self.report.reject(Code::UnknownKey, span, message, help);
        }
        Some(Fields {
            entries: entries
                .into_iter()
                .map(|entry| (entry.name, entry))
                .collect(),
            span: self.node.span,
            report: self.report,
            damaged: self.report.count() > count,
        })
    }

    /// Reads a mapping with free keys, in the order of the file.
    pub fn entries(&self, duplicate: Code) -> Vec<Entry<'r>> {
        self.mapping(duplicate).unwrap_or_default()
    }

    fn mapping(&self, duplicate: Code) -> Option<Vec<Entry<'r>>> {
        let Value::Mapping(pairs, layout) = &self.node.value else {
            self.wrong_type("a mapping");
            return None;
        };
        let mut entries: Vec<Entry<'r>> = Vec::with_capacity(pairs.len());
        let mut rest = &pairs[..];
        while let [(key, value), after @ ..] = rest {
            let cut = match layout {
                Layout::Flow => cut_off(value, after),
                Layout::Block => &[],
            };
            rest = &after[cut.len()..];
            let Some(name) = key.as_text() else {
                Self::new(key, format!("a key of {}", self.label), self.report).wrong_type("text");
                continue;
            };
            let entry = Entry {
                name,
                span: key.span,
                value,
                report: self.report,
            };
            if !cut.is_empty() {
                entry.reject_bare_comma(cut);
            } else if let Some(first) = entries.iter().find(|entry| entry.name == name) {
                entry.reject_duplicate(duplicate, first.span, &self.label);
            } else {
                entries.push(entry);
            }
        }
        Some(entries)
    }

    /// Reports a value of the wrong form.
    pub fn wrong_type(&self, wanted: &str) -> RefMut<'r, Diagnostic> {
        let value = match self.node.as_text() {
            Some(text) => format!("`{}`", shortened(text)),
            None => self.node.describe().to_owned(),
        };
        let help = match wanted {
            "a list" => "write `[one, two]`".to_owned(),
            "a mapping" => "write keys with values: `key: value`".to_owned(),
            "text" => "write one text; in quotes where it looks like something else".to_owned(),
            _ => format!("write {wanted}"),
        };
        let message = format!("{} must be {wanted}, not {value}", self.label);
        let mut error = self.error(Code::WrongType, message);
        error.label(format!("expected {wanted}")).help(help);
        error
    }
}

impl<'r> Fields<'r> {
    /// Returns the value of a key that is there and not null.
    pub fn get(&self, key: &str) -> Option<Reader<'r>> {
        self.raw(key).filter(|value| !value.node.is_null())
    }

    /// Returns the value of a key, null included.
    pub fn raw(&self, key: &str) -> Option<Reader<'r>> {
        let entry = self.entries.get(key)?;
        Some(entry.read(format!("`{key}`")))
    }

    /// Returns the place of a key.
    pub fn key_span(&self, key: &str) -> Option<Span> {
        self.entries.get(key).map(|entry| entry.span)
    }

    /// Reads the text of a key.
    pub fn text(&self, key: &str) -> Option<&'r str> {
        self.get(key)?.text()
    }

    /// Reads the word of a key.
    pub fn word(&self, key: &str) -> Option<Word> {
        self.get(key)?.word()
    }

    /// Reads the words of a key's list, each once.
    pub fn words(&self, key: &str) -> Vec<Word> {
        self.get(key).map_or_else(Vec::new, |list| list.words())
    }

    /// Reads `true` or `false` of a key.
    pub fn boolean(&self, key: &str) -> Option<bool> {
        self.get(key)?.boolean()
    }

    /// Reads the mapping of a key, in the order of the file.
    pub fn entries(&self, key: &str, duplicate: Code) -> Vec<Entry<'r>> {
        let mapping = self.get(key);
        mapping.map_or_else(Vec::new, |mapping| mapping.entries(duplicate))
    }
}

impl<'r> Entry<'r> {
    /// Returns the key and its place.
    pub fn key(&self) -> Word {
        Word {
            text: self.name.to_owned(),
            span: self.span,
        }
    }

    /// Returns a reader of the value, which messages call `label`.
    pub fn read(&self, label: impl Into<String>) -> Reader<'r> {
        Reader::new(self.value, label, self.report)
    }

    /// Reports an error of the key.
    pub fn reject(&self, code: Code, message: impl Into<String>, help: impl Into<String>) {
        self.report.reject(code, self.span, message, help);
    }

    fn reject_bare_comma(&self, cut: &[(Node, Node)]) {
        let (name, value) = (self.name, self.value);
        let pieces = std::iter::once(value).chain(cut.iter().map(|(key, _)| key));
        let complete: Vec<&str> = pieces.filter_map(Node::as_text).collect();
        let complete = complete.join(",");
        let last = cut.last();
        let span = last.map_or(value.span, |(key, _)| value.span.to(key.span));
        let message = format!("a bare comma inside `{{ }}` cuts the value of `{name}` in two");
        let help = format!(
            "put it in quotes: `{name}: \"{complete}\"`, or write one key per line without `{{ }}`"
        );
        let mut error = self.report.error(Code::BareComma, span, message);
        error.label("inside `{ }` a comma begins the next key");
        error.help(help);
    }

    fn reject_duplicate(&self, code: Code, first: Span, label: &str) {
        let (thing, help) = match code {
            Code::DuplicateAttribute => ("attribute", "give one of them another name"),
            _ => ("key", "leave one of them out"),
        };
        let message = format!("the {thing} `{}` is declared twice in {label}", self.name);
        let mut error = self.report.error(code, self.span, message);
        error.label("again here").help(help);
        error.related(self.report.path, first, "first here");
    }
}

/// Returns the keys without a value behind a plain scalar in `{ }`: the rest of a scalar that commas cut.
fn cut_off<'n>(value: &Node, after: &'n [(Node, Node)]) -> &'n [(Node, Node)] {
    let is_plain = |scalar: &crate::manifest::yaml::Scalar| scalar.plain && !scalar.absent;
    if !value.scalar().is_some_and(is_plain) {
        return &[];
    }
    let end = after.iter().position(|(_, value)| !value.is_absent());
    &after[..end.unwrap_or(after.len())]
}

fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}
