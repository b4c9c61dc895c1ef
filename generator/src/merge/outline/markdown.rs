//! The shape of Markdown.

use super::{LineKind, Outline};

/// Rows of tables and entries of lists.
pub fn outline(lines: &[&str]) -> Outline {
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
        heads: vec![String::new()],
        ..Outline::without_lists(kinds.clone())
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
        let outline = outline(&lines);
        let lists: Vec<bool> = (0..8).map(|line| outline.is_list(line)).collect();
        assert_eq!(lists, [false, false, true, true, true, true, true, true]);
    }
}
