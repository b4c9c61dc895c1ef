//! How a file is written: line endings, byte order mark, final newline. Merging works on the
//! normal form; the file gets its own style back.

use std::borrow::Cow;

use similar::{ChangeTag, TextDiff};

const BYTE_ORDER_MARK: char = '\u{feff}';

/// The style of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    byte_order_mark: bool,
    endings: Endings,
    final_newline: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Endings {
    LineFeed,
    Crlf,
    /// Both occur; new lines get the more frequent one (true: CRLF).
    Mixed(bool),
}

impl Style {
    /// The style of `text`.
    pub fn of(text: &str) -> Style {
        let crlf = text.matches("\r\n").count();
        let feeds = text.matches('\n').count() - crlf;
        let endings = match (crlf, feeds) {
            (0, _) => Endings::LineFeed,
            (_, 0) => Endings::Crlf,
            _ => Endings::Mixed(crlf > feeds),
        };
        let body = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        Style {
            byte_order_mark: text.starts_with(BYTE_ORDER_MARK),
            endings,
            final_newline: body.is_empty() || body.ends_with('\n'),
        }
    }
}

/// The normal form: no byte order mark, line feeds only, a final newline unless empty.
pub fn normalise(text: &str) -> Cow<'_, str> {
    let body = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let mut normal = if body.contains("\r\n") {
        Cow::Owned(body.replace("\r\n", "\n"))
    } else {
        Cow::Borrowed(body)
    };
    if !normal.is_empty() && !normal.ends_with('\n') {
        normal.to_mut().push('\n');
    }
    normal
}

/// Writes `normal` in the style of `original`.
pub fn restore(normal: &str, original: &str) -> String {
    let style = Style::of(original);
    let normal = match normal.strip_suffix('\n') {
        Some(open) if !style.final_newline => open,
        _ => normal,
    };
    let mut text = match style.endings {
        Endings::LineFeed => normal.to_owned(),
        Endings::Crlf => normal.replace('\n', "\r\n"),
        Endings::Mixed(crlf) => mixed(normal, original, crlf),
    };
    if style.byte_order_mark {
        text.insert(0, BYTE_ORDER_MARK);
    }
    text
}

/// A line that was there keeps its own ending; a new one gets the more frequent. A carriage return alone ends
/// no line.
fn mixed(normal: &str, original: &str, crlf: bool) -> String {
    let before = normalise(original);
    let endings: Vec<bool> = original
        .split_inclusive('\n')
        .map(|line| line.ends_with("\r\n"))
        .collect();
    let lines: [Vec<&str>; 2] = [&before, normal].map(|text| text.split_inclusive('\n').collect());
    let diff = TextDiff::from_slices(&lines[0], &lines[1]);
    let mut text = String::with_capacity(original.len());
    for change in diff.iter_all_changes() {
        let kept = match change.tag() {
            ChangeTag::Delete => continue,
            ChangeTag::Insert => crlf,
            ChangeTag::Equal => change
                .old_index()
                .and_then(|index| endings.get(index))
                .copied()
                .unwrap_or(crlf),
        };
        let line: &str = change.value();
        match line.strip_suffix('\n') {
            Some(line) if kept => text.extend([line, "\r\n"]),
            _ => text.push_str(line),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_any_line_endings_are_restored() {
        let signs = ["a", "\r", "\n", "\u{feff}"];
        let mut texts = vec![String::new()];
        for _ in 0..6 {
            let longer = texts
                .iter()
                .flat_map(|text| signs.map(|sign| format!("{text}{sign}")));
            texts = texts.iter().cloned().chain(longer).collect();
            texts.sort();
            texts.dedup();
        }
        for text in texts {
            assert_eq!(restore(&normalise(&text), &text), text, "{text:?}");
        }
    }

    #[test]
    fn a_carriage_return_within_a_line_stays_where_other_lines_change() {
        let original = "a\r\n10%\r20%\rdone\nb\r\nc\n";
        let restored = restore("a\n10%\r20%\rdone\nb\nnew\n", original);
        assert_eq!(restored, "a\r\n10%\r20%\rdone\nb\r\nnew\n");
    }

    #[test]
    fn the_normal_form_is_one() {
        for text in ["a\nb\n", "a\r\nb\r\n", "a\nb", "\u{feff}a\r\nb"] {
            assert_eq!(normalise(text), "a\nb\n");
        }
    }

    #[test]
    fn in_a_mixed_file_lines_keep_their_endings_and_new_ones_get_the_majority() {
        let restored = restore("a\nnew\nb\nc\n", "a\r\nb\nc\r\n");
        assert_eq!(restored, "a\r\nnew\r\nb\nc\r\n");
    }
}
