//! A YAML file as a tree whose every node knows its place.
//!
//! Built from parser events rather than by serde: a manifest may hold several mistakes, and each
//! wants its own place, duplicate keys included (docs/adr/0001).

mod build;

pub use build::parse;

/// A range of bytes in a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Span {
    /// From first byte to the byte after the last.
    pub fn new(start: usize, end: usize) -> Self {
        Self {
            start,
            end: end.max(start),
        }
    }

    /// From the start of `self` to the end of `other`.
    pub fn to(self, other: Self) -> Self {
        Self::new(self.start, other.end)
    }
}

/// One node of the tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Its place.
    pub span: Span,
    /// Its content.
    pub value: Value,
}

/// The content of a node.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A word, number or text.
    Scalar(Scalar),
    /// A list.
    Sequence(Vec<Node>, Layout),
    /// A mapping, in the order and with the duplicates of the file.
    Mapping(Vec<(Node, Node)>, Layout),
}

/// A scalar with what is needed to tell `true` from `"true"`.
#[derive(Debug, Clone, PartialEq)]
pub struct Scalar {
    /// The text, escapes resolved.
    pub text: String,
    /// Neither quoted nor a block.
    pub plain: bool,
    /// Absent from the file: `key:` without a value.
    pub absent: bool,
    /// The position of the text in the file, if the file has it exactly as in `text`.
    pub exact: Option<usize>,
}

/// Lines or brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// By indentation.
    Block,
    /// In `[ ]` or `{ }`.
    Flow,
}

/// The reason why a file cannot be read as a tree.
#[derive(Debug, Clone, PartialEq)]
pub struct SyntaxError {
    /// Where.
    pub span: Span,
    /// Kind of the error.
    pub kind: SyntaxErrorKind,
}

/// Kinds of [`SyntaxError`].
#[derive(Debug, Clone, PartialEq)]
pub enum SyntaxErrorKind {
    /// Bytes that are no UTF-8.
    NotUtf8,
    /// Only space and comments.
    Empty,
    /// A tab where YAML counts spaces.
    Tab,
    /// Aliases that repeat too much, or themselves.
    Aliases,
    /// An explicit tag, `!!str`.
    Tag,
    /// A second document.
    SecondDocument,
    /// Anything else, in the parser's words.
    Yaml(String),
}

impl SyntaxErrorKind {
    /// Returns an error of this kind at a place.
    pub fn at(self, span: Span) -> SyntaxError {
        SyntaxError { span, kind: self }
    }
}

impl Node {
    /// The text of a scalar that is there; `null` and `~` are texts only in quotes.
    pub fn as_text(&self) -> Option<&str> {
        self.scalar()
            .filter(|_| !self.is_null())
            .map(|scalar| scalar.text.as_str())
    }

    /// The scalar.
    pub fn scalar(&self) -> Option<&Scalar> {
        match &self.value {
            Value::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// Null, written or by absence.
    pub fn is_null(&self) -> bool {
        self.scalar().is_some_and(|scalar| {
            scalar.absent
                || scalar.plain
                    && matches!(scalar.text.as_str(), "" | "~" | "null" | "Null" | "NULL")
        })
    }

    /// The value is absent from the file.
    pub fn is_absent(&self) -> bool {
        self.scalar().is_some_and(|scalar| scalar.absent)
    }

    /// Checks whether the node is a list without items.
    pub fn is_empty_list(&self) -> bool {
        matches!(&self.value, Value::Sequence(items, _) if items.is_empty())
    }

    /// `true` or `false`, unquoted; no other word is a boolean.
    pub fn as_bool(&self) -> Option<bool> {
        match self.scalar()? {
            Scalar {
                text, plain: true, ..
            } => text.parse().ok(),
            _ => None,
        }
    }

    /// Kind of the node, for messages.
    pub fn describe(&self) -> &'static str {
        match &self.value {
            Value::Scalar(_) if self.is_null() => "nothing",
            Value::Scalar(_) => "a single value",
            Value::Sequence(..) => "a list",
            Value::Mapping(..) => "a mapping",
        }
    }

    /// The place of `length` bytes from `offset` of a scalar's text; the whole where that is unknown.
    pub fn part(&self, offset: usize, length: usize) -> Span {
        match self.scalar().and_then(|scalar| scalar.exact) {
            Some(start) => Span::new(start + offset, start + offset + length),
            None => self.span,
        }
    }

    /// The end of what is written, without the line breaks a block may swallow.
    pub fn written_end(&self) -> usize {
        match &self.value {
            Value::Scalar(_) => self.span.end,
            Value::Sequence(items, Layout::Block) => {
                items.last().map_or(self.span.end, Node::written_end)
            }
            Value::Mapping(entries, Layout::Block) => {
                entries.last().map_or(self.span.end, |(key, value)| {
                    value.written_end().max(key.span.end)
                })
            }
            _ => self.span.end,
        }
    }

    /// Nodes in this tree.
    fn size(&self) -> usize {
        1 + match &self.value {
            Value::Scalar(_) => 0,
            Value::Sequence(items, _) => items.iter().map(Node::size).sum(),
            Value::Mapping(entries, _) => entries
                .iter()
                .map(|(key, value)| key.size() + value.size())
                .sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> SyntaxErrorKind {
        parse(text.as_bytes()).unwrap_err().kind
    }

    #[test]
    fn places_are_those_of_the_file() {
        let text = "name: Größe\nmodel: {table: \"a b\", key: }\n";
        let node = parse(text.as_bytes()).unwrap();
        let Value::Mapping(entries, Layout::Block) = &node.value else {
            panic!("{node:?}")
        };
        let slice = |node: &Node| &text[node.span.start..node.span.end];
        assert_eq!(slice(&entries[0].1), "Größe");
        let Value::Mapping(model, Layout::Flow) = &entries[1].1.value else {
            panic!("{node:?}")
        };
        assert_eq!(slice(&model[0].1), "\"a b\"");
        let part = model[0].1.part(2, 1);
        assert_eq!(&text[part.start..part.end], "b");
        assert!(model[1].1.is_absent());
    }

    #[test]
    fn each_kind_of_syntax_error_has_its_own_message() {
        assert_eq!(
            parse(b"a: \xff").unwrap_err().kind,
            SyntaxErrorKind::NotUtf8
        );
        assert_eq!(kind(""), SyntaxErrorKind::Empty);
        assert_eq!(kind("# only words\n\n"), SyntaxErrorKind::Empty);
        assert_eq!(kind("model:\n\ttable: x\n"), SyntaxErrorKind::Tab);
        assert_eq!(kind("\tname: x\n"), SyntaxErrorKind::Tab);
        assert_eq!(kind("a: 1\n---\nb: 2\n"), SyntaxErrorKind::SecondDocument);
        assert_eq!(kind("a: !!str 1\n"), SyntaxErrorKind::Tag);
        assert!(matches!(kind("a: [1, 2\n"), SyntaxErrorKind::Yaml(_)));
    }

    #[test]
    fn aliases_are_bounded() {
        let mut bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for (one, next) in "abcdefgh".chars().zip("bcdefghi".chars()) {
            let list = vec![format!("*{one}"); 9].join(", ");
            bomb.push_str(&format!("{next}: &{next} [{list}]\n"));
        }
        assert_eq!(kind(&bomb), SyntaxErrorKind::Aliases);
        assert_eq!(kind("a: &a [*a]\n"), SyntaxErrorKind::Aliases);
        assert!(parse(b"a: &a x\nb: *a\n").is_ok());
    }

    #[test]
    fn booleans_and_null_are_strict() {
        let node = parse(b"[true, 'true', yes, null, 'null', ~]").unwrap();
        let Value::Sequence(items, _) = &node.value else {
            panic!("{node:?}")
        };
        let bools: Vec<_> = items.iter().map(Node::as_bool).collect();
        assert_eq!(bools, [Some(true), None, None, None, None, None]);
        let nulls: Vec<_> = items.iter().map(Node::is_null).collect();
        assert_eq!(nulls, [false, false, false, true, false, true]);
    }
}
