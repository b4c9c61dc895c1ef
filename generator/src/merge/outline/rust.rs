//! Reads Rust character by character, as far as brackets, strings and comments go.

use super::part::{self, Part};
use super::{LineKind, Outline};

/// An open bracket.
struct Level {
    sign: char,
    /// The list it makes, if it does.
    list: Option<usize>,
    /// Code since its last statement or item ended.
    head: String,
}

struct Scan {
    outline: Outline,
    part: Part,
    /// Open brackets; the file itself is the first.
    levels: Vec<Level>,
    first: Option<char>,
    last: char,
    lowest: usize,
}

/// The outline of a Rust text.
pub fn outline(lines: &[&str]) -> Outline {
    let file = Level {
        sign: '{',
        list: Some(0),
        head: String::new(),
    };
    let mut scan = Scan {
        outline: Outline {
            heads: vec![String::new()],
            ..Outline::default()
        },
        part: Part::Code,
        levels: vec![file],
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
        self.outline.depth.push(self.levels.len());
        let list = self.levels.last().and_then(|level| level.list);
        let is_code = self.part == Part::Code;
        self.outline.list.push(list.filter(|_| is_code));
    }

    /// Code of the innermost bracket.
    fn head(&mut self, sign: char) {
        if let Some(level) = self.levels.last_mut() {
            level.head.push(sign);
        }
    }

    fn end_item(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            level.head.clear();
        }
    }

    fn line(&mut self, line: &str) {
        self.boundary();
        self.first = (self.part != Part::Code).then_some('"');
        (self.last, self.lowest) = (' ', self.levels.len());
        let signs: Vec<char> = line.chars().collect();
        let mut at = 0;
        while at < signs.len() {
            at += self.step(&signs[at..], at.checked_sub(1).map(|before| signs[before]));
        }
        self.head(' ');
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

    /// Reads one character or more; returns how many.
    fn step(&mut self, signs: &[char], before: Option<char>) -> usize {
        let (next, length) = part::step(self.part, signs, before);
        match (self.part, next) {
            (Part::Code, Part::Code) => self.code(signs[0]),
            (Part::Code, Part::Text | Part::RawText(_)) => self.note(signs[0]),
            (Part::Text | Part::RawText(_), Part::Code) => self.last = '"',
            _ => {}
        }
        self.part = next;
        length
    }

    /// Notes a character as the first of the line, if there is none yet, and as the last.
    fn note(&mut self, sign: char) {
        self.first.get_or_insert(sign);
        self.last = sign;
    }

    fn code(&mut self, sign: char) {
        if sign.is_whitespace() {
            return self.head(' ');
        }
        self.note(sign);
        match sign {
            '\'' => {}
            '(' | '[' | '{' => self.opens(sign),
            ')' | ']' | '}' => self.closes(sign),
            ';' => self.end_item(),
            // Between parentheses a comma separates arguments; the statement around them goes on.
            ',' if self.levels.last().is_some_and(|level| level.sign != '(') => self.end_item(),
            _ => self.head(sign),
        }
    }

    fn opens(&mut self, sign: char) {
        let head = self.levels.last().map_or("", |level| &level.head);
        let is_list = match sign {
            '[' => true,
            '{' => is_list(head),
            _ => false,
        };
        let list = is_list.then_some(self.outline.heads.len());
        if is_list {
            // Attributes come and go.
            let head = head.rsplit(']').next().unwrap_or(head).trim().to_owned();
            self.outline.heads.push(head);
        }
        self.levels.push(Level {
            sign,
            list,
            head: String::new(),
        });
    }

    fn closes(&mut self, sign: char) {
        // A surplus bracket is ignored.
        let inner = if self.levels.len() > 1 {
            self.levels.pop()
        } else {
            None
        };
        self.lowest = self.lowest.min(self.levels.len());
        match (sign, inner) {
            ('}', _) => self.end_item(),
            (_, Some(inner)) => {
                self.head(inner.sign);
                inner.head.chars().for_each(|sign| self.head(sign));
                self.head(sign);
            }
            (_, None) => {}
        }
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
        return super::called(head).is_some();
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Outline {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        outline(&lines)
    }

    #[test]
    fn fields_items_and_elements_are_lists_and_statements_are_none() {
        let outline = read(
            "use a::B;\nstruct A {\n    b: u8,\n}\nimpl A {\n    fn f(&self) -> B {\n        let x = 1;\n        \
             B {\n            x,\n        }\n    }\n    const C: &[u8] = &[\n        1,\n    ];\n}\n",
        );
        let lists: Vec<bool> = (0..15).map(|line| outline.is_list(line)).collect();
        let expected = [
            true, true, true, true, true, true, false, false, true, true, false, true, true, true,
            true,
        ];
        assert_eq!(lists, expected);
        assert!(
            outline.is_balanced(5..11)
                && !outline.is_balanced(5..10)
                && !outline.is_balanced(9..11)
        );
    }

    #[test]
    fn calls_of_a_visitor_are_a_list() {
        let outline =
            read("fn columns(&mut self, to: &mut C) {\n    to.key(1);\n}\nfn f() {\n    g();\n}\n");
        assert!(outline.is_list(1) && !outline.is_list(4));
    }

    #[test]
    fn brackets_in_strings_comments_and_characters_do_not_count() {
        let outline = read(
            "const A: &str = \"{[(\"; // {\n/* { /* [ */ */\nconst B: char = '{'; // '\nconst C: &str = r#\"\n{ \"#;\n\
             fn f<'a>(x: &'a str) -> &'a str { x }\nconst D: char = '\\'';\n",
        );
        assert!(
            outline.depth.iter().all(|depth| *depth == 1),
            "{:?}",
            outline.depth
        );
        assert_eq!(outline.kinds[1], LineKind::Attached);
    }
}
