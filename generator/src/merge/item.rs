//! The items of lists: fields, methods, rules, imports, rows. A run of lines may be added beside
//! another only where both are whole items.

use std::ops::Range;

use crate::merge::outline::Language;
use crate::merge::outline::{LineKind, Outline, markdown, rust};

/// One side's text with its outline.
#[derive(Debug, Clone)]
pub struct MergeSide<'a> {
    /// Its lines.
    pub lines: &'a [&'a str],
    /// Its shape.
    pub outline: Outline,
}

/// The content of a run of lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineRun {
    /// Whole items, or nothing.
    Items(Vec<Range<usize>>),
    /// Comments and attributes, which belong to what follows.
    Attached,
}

impl<'a> MergeSide<'a> {
    /// Reads the shape of a text.
    pub fn of(language: Language, lines: &'a [&'a str]) -> MergeSide<'a> {
        let outline = match language {
            Language::Rust => rust::outline(lines),
            Language::Markdown => markdown::outline(lines),
            Language::Other => Outline::without_lists(vec![LineKind::Blank; lines.len()]),
        };
        MergeSide { lines, outline }
    }

    /// The run as whole items of a list; `None` where it is anything else.
    pub fn run(&self, run: Range<usize>) -> Option<LineRun> {
        let outline = &self.outline;
        if !outline.is_list(run.start)
            || !outline.is_list(run.end)
            || !outline.is_balanced(run.clone())
        {
            return None;
        }
        let (mut items, rest) = self.items(run.clone());
        let has = |wanted: fn(&LineKind) -> bool| outline.kinds[rest.clone()].iter().any(wanted);
        if has(|kind| matches!(kind, LineKind::Code(..))) {
            // The last expression of a body, without its semicolon.
            let closing = outline.kinds.get(run.end);
            if !matches!(closing, Some(LineKind::Code('}', _))) {
                return None;
            }
            items.push(rest);
        } else if has(|kind| *kind == LineKind::Attached) {
            return items.is_empty().then_some(LineRun::Attached);
        }
        let are_whole = items.iter().all(|item| self.starts_an_item(item));
        are_whole.then_some(LineRun::Items(items))
    }

    /// Whether the line before `line` waits for what follows it.
    pub fn follows_attached(&self, line: usize) -> bool {
        line > 0 && self.outline.kinds[line - 1] == LineKind::Attached
    }

    /// Items with their comments and attributes, and the lines after the last item.
    pub fn items(&self, run: Range<usize>) -> (Vec<Range<usize>>, Range<usize>) {
        let depth = self.outline.depth[run.start];
        let (mut items, mut start) = (Vec::new(), run.start);
        for line in run.clone() {
            let ends = matches!(
                self.outline.kinds[line],
                LineKind::Code(_, ',' | ';' | '}' | '|')
            );
            let is_entry = matches!(self.outline.kinds[line], LineKind::Code('*', _));
            if (ends || is_entry) && self.outline.depth[line + 1] == depth {
                items.push(start..line + 1);
                start = line + 1;
            }
        }
        (items, start..run.end)
    }

    /// A line that begins with `.` or a closing bracket continues the line before.
    fn starts_an_item(&self, item: &Range<usize>) -> bool {
        let mut lines = item.clone();
        let code = lines.find_map(|line| match self.outline.kinds[line] {
            LineKind::Code(first, _) => Some((line, first)),
            _ => None,
        });
        code.is_some_and(|(line, first)| match self.outline.called(line) {
            Some(called) => {
                let call = self.lines[line].trim_start().strip_prefix(called);
                call.is_some_and(|rest| rest.starts_with('.'))
            }
            None => first.is_alphanumeric() || "_\"'|*:<&(".contains(first),
        })
    }

    /// The text of an item.
    pub fn text(&self, item: &Range<usize>) -> String {
        self.lines[item.clone()].concat()
    }

    /// The item that begins in `line`.
    pub fn item_at(&self, line: usize) -> Range<usize> {
        let outline = &self.outline;
        let ends = |end: &usize| {
            let last = matches!(
                outline.kinds[*end],
                LineKind::Code(_, ',' | ';' | '}' | '|')
            );
            last && outline.depth[end + 1] <= outline.depth[line]
        };
        let end = (line..self.lines.len())
            .find(ends)
            .map_or(line + 1, |end| end + 1);
        line..end
    }

    /// The names of an item in its list; none if other items may have the same.
    pub fn keys(&self, item: &Range<usize>) -> Vec<String> {
        let code = item
            .clone()
            .filter(|line| matches!(self.outline.kinds[*line], LineKind::Code(..)));
        let text: Vec<&str> = code.take(4).map(|line| self.lines[line].trim()).collect();
        keys(&text.join(" "))
    }
}

const KEYWORDS: [&str; 10] = [
    "fn",
    "struct",
    "enum",
    "trait",
    "type",
    "mod",
    "const",
    "static",
    "union",
    "macro_rules!",
];

fn keys(code: &str) -> Vec<String> {
    let mut words = code.split_whitespace().filter(|word| {
        !["async", "unsafe", "extern", "default"].contains(word) && !word.starts_with("pub")
    });
    let first = words.next().unwrap_or_default();
    if code.starts_with("| ") {
        return code
            .split('|')
            .nth(1)
            .map(|cell| cell.trim().to_owned())
            .into_iter()
            .collect();
    }
    match first {
        "use" => imported(code),
        "impl" => code
            .contains(" for ")
            .then(|| code.split('{').next().unwrap_or(code).trim().to_owned())
            .into_iter()
            .collect(),
        _ if KEYWORDS.contains(&first) => {
            let name = words
                .find(|word| !KEYWORDS.contains(word) && *word != "mut")
                .map(name_of);
            name.filter(|name| !name.is_empty() && *name != "_")
                .map(str::to_owned)
                .into_iter()
                .collect()
        }
        _ if first.ends_with(':') && first.len() > 1 => vec![name_of(first).to_owned()],
        // A call or a literal is known by its first text: `attribute("title", …)`.
        _ if !first.starts_with(['.', '*']) => code
            .split('"')
            .nth(1)
            .map(|text| format!("\"{text}\""))
            .into_iter()
            .collect(),
        _ => Vec::new(),
    }
}

fn name_of(word: &str) -> &str {
    let word = word.strip_prefix("r#").unwrap_or(word);
    let end = word
        .find(|sign: char| !sign.is_alphanumeric() && sign != '_')
        .unwrap_or(word.len());
    &word[..end]
}

/// The names that a `use` brings in.
fn imported(code: &str) -> Vec<String> {
    let leaf = |part: &str| {
        let part = part.rsplit(" as ").next().unwrap_or(part);
        let name = part.rsplit("::").next().unwrap_or(part).trim();
        let name = name.rsplit(' ').next().unwrap_or(name);
        let is_name = !name.is_empty() && !["self", "*", "_", "use"].contains(&name);
        is_name.then(|| format!("use {name}"))
    };
    code.split(['{', '}', ',', ';']).filter_map(leaf).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_items() {
        for (code, expected) in [
            ("pub title: String,", vec!["title"]),
            ("pub(crate) r#type: String,", vec!["type"]),
            ("pub async fn index(&self) {", vec!["index"]),
            ("const ACTIONS: &[u8] =", vec!["ACTIONS"]),
            ("attribute( \"title\", &[string()]),", vec!["\"title\""]),
            ("to.column(\"title\", &mut self.title)?;", vec!["\"title\""]),
            (
                "use super::{Dish, Drink as Wine, self};",
                vec!["use Dish", "use Wine"],
            ),
            ("pub use dish::Dish;", vec!["use Dish"]),
            ("impl Model for Dish {", vec!["impl Model for Dish"]),
            ("impl Dish {", vec![]),
            ("| `title` | string |", vec!["`title`"]),
        ] {
            assert_eq!(keys(code), expected, "{code}");
        }
    }

    fn run(text: &str, range: Range<usize>) -> Option<LineRun> {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        MergeSide::of(Language::Rust, &lines).run(range)
    }

    fn one(item: Range<usize>) -> Option<LineRun> {
        Some(LineRun::Items(std::iter::once(item).collect()))
    }

    #[test]
    fn whole_items_and_parts_of_them() {
        let text = "struct A {\n    /// B.\n    b: B,\n    #[serde(skip)]\n    c: C<(\n        D,\n    )>,\n}\n";
        assert_eq!(run(text, 1..3), one(1..3));
        assert_eq!(run(text, 3..7), one(3..7));
        assert_eq!(run(text, 1..2), Some(LineRun::Attached));
        assert_eq!(run(text, 2..4), None, "it ends with an attribute");
        assert_eq!(run(text, 4..5), None, "brackets stay open");
        assert_eq!(run(text, 3..3), Some(LineRun::Items(vec![])));
    }

    #[test]
    fn a_chained_call_is_one_item_and_its_links_are_none() {
        let text = "fn relations(to: &mut R) {\n    to.has_one(\n        \"a\",\n    )\n    .include()\n    .sync();\n    to.b()\n}\n";
        assert_eq!(run(text, 1..6), one(1..6));
        assert_eq!(run(text, 5..6), None);
        assert_eq!(run(text, 6..7), one(6..7), "the last expression");
    }
}
