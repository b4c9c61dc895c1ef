//! The shape of a text, line by line: how deep a line is in brackets, and where lines are the items
//! of a list. It is read without parsing, because edited files may not parse.

pub mod markdown;
pub mod part;
pub mod rust;

/// The language of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Rust: formatted, and parsed after the merge.
    Rust,
    /// Markdown: lines, with tables and lists.
    Markdown,
    /// Anything else: lines.
    Other,
}

impl Language {
    /// The language by the ending of `path`.
    pub fn of(path: &str) -> Language {
        match path.rsplit_once('.') {
            Some((_, "rs")) => Language::Rust,
            Some((_, "md")) => Language::Markdown,
            _ => Language::Other,
        }
    }

    /// Whether `text` is written in it; any text is of a language that is not parsed.
    pub fn parses(self, text: &str) -> bool {
        self != Language::Rust || syn::parse_file(text).is_ok()
    }
}

/// Kind of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// A line without content.
    Blank,
    /// A comment or an attribute: it belongs to what follows.
    Attached,
    /// Anything else; with the first and the last character outside of comments.
    Code(char, char),
}

/// The outline of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// For each line.
    pub kinds: Vec<LineKind>,
    /// How many brackets are open at the start of each line, and at the end of the text; the file
    /// itself counts as one.
    pub depth: Vec<usize>,
    /// The least depth within each line.
    pub lowest: Vec<usize>,
    /// For the start of each line, and the end of the text: its list, by number.
    pub list: Vec<Option<usize>>,
    /// For each list, by its number: the code that it belongs to, such as `impl Dish`.
    pub heads: Vec<String>,
}

impl Outline {
    /// A text whose lines are no items.
    pub fn without_lists(kinds: Vec<LineKind>) -> Outline {
        Outline {
            depth: vec![0; kinds.len() + 1],
            lowest: vec![0; kinds.len()],
            list: vec![None; kinds.len() + 1],
            heads: Vec::new(),
            kinds,
        }
    }

    /// The name that each item of the line's list must begin with.
    pub fn called(&self, line: usize) -> Option<&str> {
        let list = self.list.get(line).copied().flatten()?;
        called(self.heads.get(list)?)
    }

    /// Whether the line starts inside a list.
    pub fn is_list(&self, line: usize) -> bool {
        self.list.get(line).is_some_and(Option::is_some)
    }

    /// Whether the lines close exactly the brackets they open.
    pub fn is_balanced(&self, lines: std::ops::Range<usize>) -> bool {
        let depth = self.depth[lines.start];
        depth == self.depth[lines.end] && self.lowest[lines].iter().all(|lowest| *lowest >= depth)
    }
}

/// The first parameter that a function may change, by the function's head. Calls of a visitor are
/// independent, so statements that call it may be in any order.
pub fn called(head: &str) -> Option<&str> {
    let (before, _) = head.split_once(": &mut ")?;
    before
        .rsplit(|sign: char| !sign.is_alphanumeric() && sign != '_')
        .next()
}
