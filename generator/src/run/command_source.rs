//! The command line as the source of a manifest: diagnostics about a manifest that it has just written point at
//! its words.

use std::ops::Range;

use crate::diagnostic::{self, Diagnostic};
use crate::manifest::{Node, Sources, Span, Value, yaml};

/// The name of the command line among the files.
const PATH: &str = "the command line";

/// A command line, and what each word of it became in a manifest.
#[derive(Debug, Clone)]
pub struct CommandSource {
    manifest: String,
    root: Option<Node>,
    line: String,
    words: Vec<(Range<usize>, Span)>,
    /// New files, and the word that everything else in each of them comes from.
    files: Vec<(String, Span)>,
}

impl CommandSource {
    /// A line that begins with `command`, and the manifest that it makes.
    pub fn new(manifest: &str, text: &str, command: &str) -> Self {
        CommandSource {
            manifest: manifest.to_owned(),
            root: yaml::parse(text.as_bytes()).ok(),
            line: command.to_owned(),
            words: Vec::new(),
            files: Vec::new(),
        }
    }

    /// A word without an entry in the manifest.
    pub fn word(&mut self, word: &str) {
        self.push(word);
    }

    /// A word that made a new file: what no other word made in it comes from this one.
    pub fn file(&mut self, word: &str, path: &str) {
        let place = self.push(word);
        self.files.push((path.to_owned(), place));
    }

    /// A word that became the entry at one of these paths of keys.
    pub fn entry(&mut self, word: &str, paths: &[&[&str]]) {
        let place = self.push(word);
        let root = self.root.as_ref();
        let found = paths.iter().filter_map(|path| entry(root?, path));
        self.words.extend(found.map(|range| (range, place)));
    }

    fn push(&mut self, word: &str) -> Span {
        self.line.push(' ');
        let start = self.line.len();
        self.line.push_str(word);
        Span::new(start, self.line.len())
    }

    /// Lets the mistakes point at the command line, which the sources then hold.
    pub fn relocate(&self, found: &mut Vec<Diagnostic>, sources: &mut Sources) {
        for one in found.iter_mut() {
            if let Some(place) = self.place(&one.path, one.span) {
                (one.path, one.span) = (PATH.to_owned(), place);
            }
            if let Some((path, span, _)) = &mut one.related
                && let Some(place) = self.place(path, *span)
            {
                (*path, *span) = (PATH.to_owned(), place);
            }
        }
        sources.set(PATH, self.line.clone());
        diagnostic::locate(found, sources);
    }

    fn place(&self, path: &str, span: Span) -> Option<Span> {
        let is_typed = path == self.manifest;
        let mut words = self.words.iter().filter(|_| is_typed);
        let word = words.find(|(range, _)| range.contains(&span.start));
        let mut files = self.files.iter();
        let file = files.find(|(file, _)| file == path);
        word.map(|(_, place)| *place)
            .or(file.map(|(_, place)| *place))
    }
}

/// The bytes of the entry at a path of keys.
fn entry(root: &Node, path: &[&str]) -> Option<Range<usize>> {
    let (name, rest) = path.split_first()?;
    let Value::Mapping(pairs, _) = &root.value else {
        return None;
    };
    let (key, value) = pairs.iter().find(|(key, _)| key.as_text() == Some(name))?;
    match rest {
        [] => Some(key.span.start..value.span.end.max(key.span.end)),
        rest => entry(value, rest),
    }
}
