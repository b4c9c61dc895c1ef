//! The tree: nodes with their places.

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
    /// Where the text begins, if the file has it exactly as in `text`.
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

/// Why a file gives no tree.
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
    pub(super) fn size(&self) -> usize {
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
