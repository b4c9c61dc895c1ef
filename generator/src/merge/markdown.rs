//! Markdown as formatters write it: tables with aligned columns, lists with other bullets. What
//! only that changes is no edit of a row, as rustfmt's changes are none in Rust.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// The texts in the form in which templates write, and what the lines were before.
#[derive(Debug)]
pub struct Plain<'a> {
    /// Base, ours, theirs.
    pub texts: [Cow<'a, str>; 3],
    /// How ours, or else theirs, writes a line.
    written: BTreeMap<String, &'a str>,
    /// The bullet that ours has instead of `*`.
    bullet: Option<char>,
}

impl<'a> Plain<'a> {
    /// Reads three texts in normal form.
    pub fn of(base: &'a str, ours: &'a str, theirs: &'a str) -> Plain<'a> {
        let mut written = BTreeMap::new();
        for line in ours
            .split_inclusive('\n')
            .chain(theirs.split_inclusive('\n'))
        {
            let plain = plain_line(line);
            if plain != line {
                written.entry(plain.into_owned()).or_insert(line);
            }
        }
        let has = |bullet: &str| ours.lines().any(|line| line.starts_with(bullet));
        let other = ["- ", "+ "]
            .into_iter()
            .find(|bullet| has(bullet) && !has("* "));
        Plain {
            texts: [base, ours, theirs].map(plain),
            written,
            bullet: other.and_then(|bullet| bullet.chars().next()),
        }
    }

    /// A merged text with its lines as ours writes them.
    pub fn restore(&self, merged: &str) -> String {
        merged
            .split_inclusive('\n')
            .map(|line| self.line(line))
            .collect()
    }

    fn line<'m>(&self, line: &'m str) -> Cow<'m, str>
    where
        'a: 'm,
    {
        match (self.written.get(line), self.bullet, line.strip_prefix("* ")) {
            (Some(written), _, _) => Cow::Borrowed(*written),
            (None, Some(bullet), Some(rest)) => Cow::Owned(format!("{bullet} {rest}")),
            _ => Cow::Borrowed(line),
        }
    }
}

fn plain(text: &str) -> Cow<'_, str> {
    let lines: Vec<Cow<'_, str>> = text.split_inclusive('\n').map(plain_line).collect();
    match lines.iter().all(|line| matches!(line, Cow::Borrowed(_))) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(lines.concat()),
    }
}

/// A row with one blank around each cell, an entry with `*`.
fn plain_line(line: &str) -> Cow<'_, str> {
    let text = line.trim_end();
    if let Some(entry) = text.strip_prefix("- ").or_else(|| text.strip_prefix("+ ")) {
        return Cow::Owned(format!("* {}\n", entry.trim_start()));
    }
    let inner = text
        .strip_prefix('|')
        .and_then(|rest| rest.strip_suffix('|'));
    let Some(inner) = inner.filter(|inner| !inner.ends_with('\\')) else {
        return Cow::Borrowed(line);
    };
    let cells: Vec<String> = cells(inner)
        .iter()
        .map(|cell| plain_cell(cell.trim()))
        .collect();
    let row = format!("| {} |\n", cells.join(" | "));
    if row == line {
        Cow::Borrowed(line)
    } else {
        Cow::Owned(row)
    }
}

/// The parts between bars; an escaped bar is none.
fn cells(row: &str) -> Vec<&str> {
    let (mut cells, mut start, mut escaped) = (Vec::new(), 0, false);
    for (at, sign) in row.char_indices() {
        if sign == '|' && !escaped {
            cells.push(&row[start..at]);
            start = at + 1;
        }
        escaped = sign == '\\' && !escaped;
    }
    cells.push(&row[start..]);
    cells
}

/// The line below the head of a table is as long as the column is wide.
fn plain_cell(cell: &str) -> String {
    let dashes = cell.trim_matches(':');
    if dashes.is_empty() || !dashes.chars().all(|sign| sign == '-') {
        return cell.to_owned();
    }
    let colon = |is: bool| if is { ":" } else { "" };
    let (left, right) = (cell.starts_with(':'), cell.ends_with(':'));
    format!("{}---{}", colon(left), colon(right))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::merge::{Language, MergeContext, Merged, merge};

    const BASE: &str =
        "| name | rules | notes |\n| --- | --- | --- |\n| `a` | `x\\|y` |  |\n\n* one\n";
    const ALIGNED: &str = "| name | rules  | notes |\n| :--- | ------ | ----- |\n| `a`  | `x\\|y` |       |\n\n- one\n";

    #[test]
    fn rows_and_entries_have_one_form() {
        assert_eq!(plain(BASE), BASE);
        assert_eq!(plain(ALIGNED), BASE.replacen("| ---", "| :---", 1));
        assert_eq!(plain("a | b\n|| x\n"), "a | b\n|| x\n");
    }

    fn merged(ours: &str, theirs: &str) -> Merged {
        let (language, original) = (Language::Markdown, ours);
        merge(BASE, ours, theirs, &MergeContext { language, original })
    }

    #[test]
    fn an_aligned_table_gets_a_row_and_keeps_its_own() {
        let (row, entry) = ("| `b` | `z` |  |\n", "two\n");
        let theirs = BASE.replace("\n\n* one\n", &format!("\n{row}\n* one\n* {entry}"));
        let expected = ALIGNED.replace("\n\n- one\n", &format!("\n{row}\n- one\n- {entry}"));
        assert_eq!(
            merged(ALIGNED, &theirs),
            Merged {
                text: expected,
                conflicts: 0
            }
        );
    }

    #[test]
    fn a_row_that_changed_is_written_anew() {
        let theirs = BASE.replace("x\\|y", "z");
        let expected = ALIGNED.replace("| `a`  | `x\\|y` |       |", "| `a` | `z` |  |");
        assert_eq!(merged(ALIGNED, &theirs).text, expected);
        assert_eq!(merged(ALIGNED, BASE).text, ALIGNED);
    }

    #[test]
    fn both_change_one_row() {
        let ours = ALIGNED.replace("`x\\|y`", "`mine`");
        let merged = merged(&ours, &BASE.replace("x\\|y", "z"));
        assert_eq!(merged.conflicts, 1, "{}", merged.text);
        assert!(
            merged.text.contains("| `a`  | `mine` |       |"),
            "{}",
            merged.text
        );
    }
}
