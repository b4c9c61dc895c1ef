//! From the parser's events to a tree.

use std::collections::HashMap;

use granit_parser::{Event, Parser, ScalarStyle, StructureStyle};

use super::{Layout, Node, Scalar, Span, SyntaxError, SyntaxErrorKind, Value};

/// Nodes that aliases may add to a file, so that a few lines cannot become millions of nodes.
const ALIAS_BUDGET: usize = 2_000;

/// Parses one file.
///
/// # Errors
/// The first thing that keeps the file from being a tree.
pub fn parse(bytes: &[u8]) -> Result<Node, SyntaxError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        // The place in the shown text, in which a replacement character stands for the bad bytes.
        let span = Span::new(at, at + char::REPLACEMENT_CHARACTER.len_utf8());
        SyntaxErrorKind::NotUtf8.at(span)
    })?;
    Builder::new(text).run()
}

/// Builds the tree of one file.
struct Builder<'t> {
    text: &'t str,
    open: Vec<Open>,
    anchors: HashMap<usize, Node>,
    budget: usize,
    root: Option<Node>,
}

struct Open {
    start: usize,
    anchor: usize,
    children: Vec<Node>,
    layout: Layout,
    mapping: bool,
}

impl<'t> Builder<'t> {
    /// For this text.
    fn new(text: &'t str) -> Self {
        Self {
            text,
            open: Vec::new(),
            anchors: HashMap::new(),
            budget: ALIAS_BUDGET,
            root: None,
        }
    }

    /// The tree.
    ///
    /// # Errors
    /// The first syntax error of the text.
    fn run(mut self) -> Result<Node, SyntaxError> {
        let options = granit_parser::options! { emit_comments: false };
        for next in Parser::new_from_str_with_options(self.text, options) {
            let (event, span) = next.map_err(|error| self.scan_error(&error))?;
            let range = span.byte_range().unwrap_or(0..0);
            self.event(event, Span::new(range.start, range.end))?;
        }
        let root = self.root.filter(|root| !root.is_absent());
        root.ok_or_else(|| SyntaxErrorKind::Empty.at(Span::default()))
    }

    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), SyntaxError> {
        if event.tag().is_some() {
            return Err(SyntaxErrorKind::Tag.at(span));
        }
        if event.is_node()
            && let Some(tab) = self.tab_before(span)
        {
            return Err(SyntaxErrorKind::Tab.at(tab));
        }
        match event {
            Event::DocumentStart(..) if self.root.is_some() => {
                return Err(SyntaxErrorKind::SecondDocument.at(span));
            }
            Event::Alias(id) => self.alias(id, span)?,
            Event::Scalar(text, style, anchor, _) => {
                let node = self.scalar(&text, style, span);
                self.close(node, anchor);
            }
            Event::SequenceStart(style, anchor, _) => self.open(span, style, anchor, false),
            Event::MappingStart(style, anchor, _) => self.open(span, style, anchor, true),
            Event::SequenceEnd | Event::MappingEnd => self.end(span),
            _ => {}
        }
        Ok(())
    }

    /// A tab before the first node of a line. The parser lets some of them pass; inside `[ ]` and
    /// `{ }` they mean nothing.
    fn tab_before(&self, span: Span) -> Option<Span> {
        let open = self.open.last();
        if open.is_some_and(|open| open.layout == Layout::Flow) {
            return None;
        }
        let before = self.text.get(..span.start)?;
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let indent = &before[line..];
        let tab = indent.find('\t')?;
        let blank = indent.chars().all(|c| matches!(c, ' ' | '\t'));
        blank.then(|| Span::new(line + tab, line + tab + 1))
    }

    fn scalar(&self, text: &str, style: ScalarStyle, span: Span) -> Node {
        let raw = self.text.get(span.start..span.end).unwrap_or_default();
        let plain = style == ScalarStyle::Plain;
        let absent = plain && raw.is_empty();
        let exact = if raw == text {
            Some(span.start)
        } else {
            let inner = raw.get(1..raw.len().saturating_sub(1));
            inner.filter(|inner| *inner == text).map(|_| span.start + 1)
        };
        let text = if absent { "" } else { text }.to_owned();
        Node {
            span,
            value: Value::Scalar(Scalar {
                text,
                plain,
                absent,
                exact,
            }),
        }
    }

    fn open(&mut self, span: Span, style: StructureStyle, anchor: usize, mapping: bool) {
        let layout = match style {
            StructureStyle::Flow => Layout::Flow,
            StructureStyle::Block => Layout::Block,
        };
        self.open.push(Open {
            start: span.start,
            anchor,
            children: Vec::new(),
            layout,
            mapping,
        });
    }

    fn end(&mut self, span: Span) {
        let Some(open) = self.open.pop() else { return };
        let value = if open.mapping {
            Value::Mapping(pairs(open.children), open.layout)
        } else {
            Value::Sequence(open.children, open.layout)
        };
        let mut node = Node {
            span: Span::new(open.start, span.end),
            value,
        };
        if open.layout == Layout::Block {
            node.span.end = node.written_end();
        }
        self.close(node, open.anchor);
    }

    fn close(&mut self, node: Node, anchor: usize) {
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        match self.open.last_mut() {
            Some(open) => open.children.push(node),
            None => self.root = Some(node),
        }
    }

    /// A copy of the anchored node, placed at the alias.
    fn alias(&mut self, id: usize, span: Span) -> Result<(), SyntaxError> {
        let anchored = self.anchors.get(&id);
        let size = anchored.map_or(usize::MAX, Node::size);
        let (Some(anchored), Some(budget)) = (anchored, self.budget.checked_sub(size)) else {
            return Err(SyntaxErrorKind::Aliases.at(span));
        };
        self.budget = budget;
        let copy = Node {
            span,
            value: anchored.value.clone(),
        };
        self.close(copy, 0);
        Ok(())
    }

    fn scan_error(&self, error: &granit_parser::ScanError) -> SyntaxError {
        let end = self.text.len();
        let at = error.marker().byte_offset().unwrap_or(end).min(end);
        if let Some(span) = tab_in_indentation(self.text, at) {
            return SyntaxErrorKind::Tab.at(span);
        }
        // An error at the end of the file is placed at the end of its text.
        let at = if self.text[at..].trim().is_empty() {
            self.text.trim_end().len()
        } else {
            at
        };
        SyntaxErrorKind::Yaml(error.info()).at(Span::new(at, at))
    }
}

fn pairs(children: Vec<Node>) -> Vec<(Node, Node)> {
    let mut pairs = Vec::with_capacity(children.len() / 2);
    let mut children = children.into_iter();
    while let (Some(key), Some(value)) = (children.next(), children.next()) {
        pairs.push((key, value));
    }
    pairs
}

/// The first tab before a line's text, up to the line of `at`: what the parser stumbled over.
fn tab_in_indentation(text: &str, at: usize) -> Option<Span> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if start > at {
            return None;
        }
        let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
        if let Some(tab) = line[..blank].find('\t')
            && !line.trim().is_empty()
        {
            return Some(Span::new(start + tab, start + tab + 1));
        }
        start += line.len();
    }
    None
}
