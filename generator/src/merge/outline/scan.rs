//! Reads Rust sign by sign, as far as brackets, strings and comments go.

use super::{LineKind, Outline};

/// Where the reader is.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Within {
    Code,
    Comment,
    /// Comments nest.
    Block(usize),
    Text,
    /// With so many `#`.
    RawText(usize),
}

struct Scan {
    outline: Outline,
    within: Within,
    /// Open brackets: the list each makes, if it does.
    open: Vec<Option<usize>>,
    /// Code since the last statement or item ended.
    head: String,
    first: Option<char>,
    last: char,
    lowest: usize,
}

/// The outline of a Rust text.
pub fn rust(lines: &[&str]) -> Outline {
    let mut scan = Scan {
        outline: Outline {
            heads: vec![String::new()],
            ..Outline::default()
        },
        within: Within::Code,
        open: Vec::new(),
        head: String::new(),
        first: None,
        last: ' ',
        lowest: 0,
    };
    for line in lines {
        scan.line(line);
    }
    scan.boundary();
    scan.outline
}

impl Scan {
    fn boundary(&mut self) {
        self.outline.depth.push(self.open.len());
        // The file itself is a list of items.
        let list = self.open.last().copied().unwrap_or(Some(0));
        self.outline
            .list
            .push(list.filter(|_| self.within == Within::Code));
    }

    fn line(&mut self, line: &str) {
        self.boundary();
        self.first = (self.within != Within::Code).then_some('"');
        (self.last, self.lowest) = (' ', self.open.len());
        let signs: Vec<char> = line.chars().collect();
        let mut at = 0;
        while at < signs.len() {
            at += self.step(&signs[at..], at.checked_sub(1).map(|before| signs[before]));
        }
        if self.within == Within::Comment {
            self.within = Within::Code;
        }
        self.head.push(' ');
        let text = line.trim();
        let kind = match self.first {
            _ if text.is_empty() => LineKind::Blank,
            None => LineKind::Attached,
            _ if text.starts_with("#[") || text.starts_with("#![") => LineKind::Attached,
            Some(first) => LineKind::Code(first, self.last),
        };
        self.outline.kinds.push(kind);
        self.outline.lowest.push(self.lowest);
    }

    /// Reads one sign or one literal's start; how many signs it took.
    fn step(&mut self, signs: &[char], before: Option<char>) -> usize {
        let next = signs.get(1).copied();
        match (self.within, signs[0]) {
            (Within::Code, _) => self.code(signs, before),
            (Within::Comment, _) => 1,
            (Within::Block(depth), '*') if next == Some('/') => {
                self.within = if depth == 0 {
                    Within::Code
                } else {
                    Within::Block(depth - 1)
                };
                2
            }
            (Within::Block(depth), '/') if next == Some('*') => {
                self.within = Within::Block(depth + 1);
                2
            }
            (Within::Text, '\\') => 2,
            (Within::Text, '"') => self.close_text('"', 1),
            (Within::RawText(marks), '"')
                if signs.len() > marks && signs[1..=marks].iter().all(|sign| *sign == '#') =>
            {
                self.close_text('"', marks + 1)
            }
            _ => 1,
        }
    }

    fn close_text(&mut self, sign: char, length: usize) -> usize {
        (self.within, self.last) = (Within::Code, sign);
        length
    }

    fn code(&mut self, signs: &[char], before: Option<char>) -> usize {
        let (sign, next) = (signs[0], signs.get(1).copied());
        match (sign, next) {
            ('/', Some('/')) => {
                self.within = Within::Comment;
                return 2;
            }
            ('/', Some('*')) => {
                self.within = Within::Block(0);
                return 2;
            }
            _ if sign.is_whitespace() => {
                self.head.push(' ');
                return 1;
            }
            _ => {}
        }
        self.first.get_or_insert(sign);
        self.last = sign;
        match sign {
            '"' => self.within = Within::Text,
            'r' if !before.is_some_and(|before| before.is_alphanumeric() || before == '_') => {
                return self.raw_text(signs);
            }
            '\'' => return character(signs),
            '(' | '[' | '{' => self.opens(sign),
            ')' | ']' | '}' => self.closes(sign),
            ';' => self.head.clear(),
            // Inside of parentheses and brackets a comma parts arguments.
            ',' if self.head.matches(['(', '[']).count()
                <= self.head.matches([')', ']']).count() =>
            {
                self.head.clear();
            }
            _ => self.head.push(sign),
        }
        1
    }

    fn raw_text(&mut self, signs: &[char]) -> usize {
        let marks = signs[1..].iter().take_while(|sign| **sign == '#').count();
        if signs.get(marks + 1) != Some(&'"') {
            self.head.push('r');
            return 1;
        }
        self.within = Within::RawText(marks);
        marks + 2
    }

    fn opens(&mut self, sign: char) {
        let list = match sign {
            '[' => true,
            '{' => is_list(&self.head),
            _ => false,
        };
        let index = list.then(|| {
            self.outline
                .heads
                .push(self.head.split_whitespace().collect::<Vec<_>>().join(" "));
            self.outline.heads.len() - 1
        });
        self.open.push(index);
        match sign {
            '{' => self.head.clear(),
            _ => self.head.push(sign),
        }
    }

    fn closes(&mut self, sign: char) {
        self.open.pop();
        self.lowest = self.lowest.min(self.open.len());
        match sign {
            '}' => self.head.clear(),
            _ => self.head.push(sign),
        }
    }
}

/// A character, or the apostrophe of a lifetime.
fn character(signs: &[char]) -> usize {
    match (signs.get(1), signs.get(2)) {
        (Some('\\'), _) => {
            let end = signs.iter().skip(3).position(|sign| *sign == '\'');
            end.map_or(1, |end| end + 4)
        }
        (Some(_), Some('\'')) => 3,
        _ => 1,
    }
}

/// Whether braces after `head` hold items or fields, in any order.
fn is_list(head: &str) -> bool {
    let mut words = head.split(|sign: char| !sign.is_alphanumeric() && sign != '_');
    let has = |word: &str| {
        head.split(|sign: char| !sign.is_alphanumeric() && sign != '_')
            .any(|own| own == word)
    };
    if has("fn") {
        // Every line tells a visitor one thing.
        return head.contains("to: &mut ");
    }
    if [
        "struct", "enum", "impl", "trait", "mod", "use", "extern", "union",
    ]
    .iter()
    .any(|word| has(word))
    {
        return true;
    }
    let flow = [
        "if", "else", "match", "while", "for", "loop", "unsafe", "async", "move",
    ];
    // A struct's literal.
    let named = words
        .rfind(|word| !word.is_empty())
        .is_some_and(|word| word.starts_with(char::is_uppercase));
    named
        && head
            .trim_end()
            .ends_with(|sign: char| sign.is_alphanumeric() || sign == '>')
        && !flow.iter().any(|word| has(word))
        && !head.contains("->")
}
