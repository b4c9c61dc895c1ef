//! The shape of a text, line by line: how deep a line stands in brackets, and where lines are the
//! items of a list. It is read without parsing, because what users edit need not parse.

mod scan;

use crate::merge::Language;

/// What a line holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// Nothing.
    Blank,
    /// A comment or an attribute: it belongs to what follows.
    Attached,
    /// Anything else; with the first and the last sign that is no comment.
    Code(char, char),
}

/// What is known of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// For each line.
    pub kinds: Vec<LineKind>,
    /// How many brackets are open at the start of each line, and at the end of the text; the file
    /// itself counts as one.
    pub depth: Vec<usize>,
    /// The least depth within each line.
    pub lowest: Vec<usize>,
    /// For the start of each line, and the end of the text: the list it stands in, by its number.
    pub list: Vec<Option<usize>>,
    /// How many lists there are.
    pub lists: usize,
}

impl Outline {
    /// Reads a text by its lines.
    pub fn of(language: Language, lines: &[&str]) -> Outline {
        match language {
            Language::Rust => scan::rust(lines),
            Language::Markdown => markdown(lines),
            Language::Other => Outline {
                kinds: vec![LineKind::Blank; lines.len()],
                depth: vec![0; lines.len() + 1],
                lowest: vec![0; lines.len()],
                list: vec![None; lines.len() + 1],
                lists: 0,
            },
        }
    }

    /// Whether the line starts inside a list.
    pub fn is_list(&self, line: usize) -> bool {
        self.list.get(line).is_some_and(Option::is_some)
    }

    /// Whether the lines close what they open, and nothing else.
    pub fn is_balanced(&self, lines: std::ops::Range<usize>) -> bool {
        let depth = self.depth[lines.start];
        depth == self.depth[lines.end] && self.lowest[lines].iter().all(|lowest| *lowest >= depth)
    }
}

/// Rows of tables and entries of lists.
fn markdown(lines: &[&str]) -> Outline {
    let kind = |line: &&str| match line.trim() {
        "" => LineKind::Blank,
        row if is_rule(row) => LineKind::Attached,
        row if row.starts_with("| ") => LineKind::Code('|', '|'),
        entry if line.starts_with("* ") || line.starts_with("- ") => {
            LineKind::Code('*', end_of(entry))
        }
        text => LineKind::Code(' ', end_of(text)),
    };
    let kinds: Vec<LineKind> = lines.iter().map(kind).collect();
    let in_list = |line: Option<&LineKind>| matches!(line, Some(LineKind::Code('|' | '*', _)));
    let above = |line: usize| line.checked_sub(1).and_then(|above| kinds.get(above));
    let list = |line: usize| (in_list(kinds.get(line)) || in_list(above(line))).then_some(0);
    Outline {
        list: (0..=lines.len()).map(list).collect(),
        depth: vec![0; lines.len() + 1],
        lowest: vec![0; lines.len()],
        lists: 1,
        kinds,
    }
}

/// The line below the head of a table.
fn is_rule(row: &str) -> bool {
    row.starts_with('|') && row.chars().all(|sign| "|-: ".contains(sign))
}

fn end_of(text: &str) -> char {
    text.chars().next_back().unwrap_or(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rust(text: &str) -> Outline {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        Outline::of(Language::Rust, &lines)
    }

    #[test]
    fn fields_items_and_elements_are_lists_and_statements_are_none() {
        let outline = rust(
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
    fn what_a_visitor_is_told_is_a_list() {
        let outline =
            rust("fn columns(&mut self, to: &mut C) {\n    to.key(1);\n}\nfn f() {\n    g();\n}\n");
        assert!(outline.is_list(1) && !outline.is_list(4));
    }

    #[test]
    fn brackets_in_strings_comments_and_characters_do_not_count() {
        let outline = rust(
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

    #[test]
    fn rows_and_entries_of_markdown() {
        let lines = [
            "Text\n",
            "\n",
            "| a | b |\n",
            "| --- | --- |\n",
            "| 1 | 2 |\n",
            "\n",
            "* one\n",
        ];
        let outline = Outline::of(Language::Markdown, &lines);
        let lists: Vec<bool> = (0..8).map(|line| outline.is_list(line)).collect();
        assert_eq!(lists, [false, false, true, true, true, true, true, true]);
    }
}
