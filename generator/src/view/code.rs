//! Rust expressions laid out as rustfmt lays them out with `max_width = 100`, so that what is
//! rendered hardly ever changes when it is formatted, and reads well where there is no rustfmt.

const WIDTH: usize = 100;
/// rustfmt's `array_width`, `fn_call_width` and `chain_width`.
const INLINE: usize = 60;
/// rustfmt's `struct_lit_width`.
const RECORD: usize = 18;
/// rustfmt's `short_array_element_width_threshold`.
const SHORT: usize = 10;

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Code {
    /// Anything that is never broken.
    Word(String),
    /// `&[a, b]`.
    List(Vec<Code>),
    /// `name(a, b)`.
    Call(String, Vec<Code>),
    /// `name![a, b]`, the flag says whether it takes a comma after its last argument.
    Macro(String, Vec<Code>, bool),
    /// `Name { field: value }`.
    Record(String, Vec<(String, Code)>),
    /// A call, and methods that are called on what it returns.
    Chain(Box<Code>, Vec<Code>),
}

impl Code {
    /// A word.
    pub(crate) fn word(text: impl Into<String>) -> Self {
        Self::Word(text.into())
    }

    /// A string literal.
    pub(crate) fn text(text: &str) -> Self {
        Self::Word(crate::column::rust_words(text))
    }

    /// A list of string literals.
    pub(crate) fn texts<'t>(texts: impl IntoIterator<Item = &'t String>) -> Self {
        Self::List(texts.into_iter().map(|text| Self::text(text)).collect())
    }

    /// A call.
    pub(crate) fn call(name: &str, args: impl IntoIterator<Item = Self>) -> Self {
        Self::Call(name.to_owned(), args.into_iter().collect())
    }

    /// The expression in lines: it begins at column `start` of a line that is indented by `indent`,
    /// and `after` more characters follow it.
    pub(crate) fn lay_out(&self, indent: usize, start: usize, after: usize) -> String {
        match self.inline() {
            Some(line) if start + width(&line) + after <= WIDTH => line,
            _ => self.broken(indent, start),
        }
    }

    /// The expression in one line, where rustfmt allows it.
    fn inline(&self) -> Option<String> {
        match self {
            Self::Word(text) => Some(text.clone()),
            Self::List(items) => joined(items)
                .filter(|items| width(items) <= INLINE)
                .map(|items| format!("&[{items}]")),
            Self::Call(name, args) => joined(args)
                .filter(|args| width(args) <= INLINE)
                .map(|args| format!("{name}({args})")),
            Self::Macro(name, args, _) => joined(args)
                .filter(|args| width(args) <= INLINE)
                .map(|args| format!("{name}![{args}]")),
            Self::Record(..) => self.inline_record(),
            Self::Chain(first, rest) => {
                let mut line = first.inline()?;
                for method in rest {
                    line = format!("{line}.{}", method.inline()?);
                }
                let methods = rest.len() + usize::from(first.is_method());
                (methods <= 1 || width(&line) <= INLINE).then_some(line)
            }
        }
    }

    fn inline_record(&self) -> Option<String> {
        let Self::Record(name, fields) = self else {
            return None;
        };
        let mut parts = Vec::new();
        for (field, value) in fields {
            parts.push(member(field, &value.inline()?));
        }
        let inner = parts.join(", ");
        (width(&inner) <= RECORD).then(|| format!("{name} {{ {inner} }}"))
    }

    fn broken(&self, indent: usize, start: usize) -> String {
        match self {
            Self::Word(text) => text.clone(),
            Self::List(items) => match items.as_slice() {
                [only @ Self::Call(..)] => format!("&[{}]", only.broken(indent, start + 2)),
                items => block("&[", items, "]", indent, true),
            },
            Self::Call(name, args) => match args.as_slice() {
                // The only argument takes the brackets of the call.
                [only @ (Self::List(_) | Self::Macro(..) | Self::Record(..))] => {
                    format!("{name}({})", only.broken(indent, start + width(name) + 1))
                }
                args => block(&format!("{name}("), args, ")", indent, true),
            },
            Self::Macro(name, args, comma) => match args.as_slice() {
                [only @ (Self::List(_) | Self::Call(..) | Self::Record(..))] => {
                    format!("{name}![{}]", only.broken(indent, start + width(name) + 2))
                }
                args => block(&format!("{name}!["), args, "]", indent, *comma),
            },
            Self::Record(name, fields) => record(name, fields, indent),
            Self::Chain(first, rest) => chain(first, rest, indent, start),
        }
    }

    fn is_method(&self) -> bool {
        matches!(self, Self::Call(name, _) if name.contains('.'))
    }
}

/// `const NAME: Type = expression;` with an indent of four.
pub(crate) fn constant(head: &str, value: &Code) -> String {
    const INDENT: usize = 4;
    let start = INDENT + width(head) + 3;
    let line = value.inline();
    match line {
        Some(line) if start + width(&line) < WIDTH => format!("{head} = {line};"),
        Some(line) => format!("{head} =\n        {line};"),
        None => format!("{head} = {};", value.broken(INDENT, start)),
    }
}

/// `fn name(a: A) -> R` with an indent of four; the body's brace follows.
pub(crate) fn signature(name: &str, params: &[String], returns: &str) -> String {
    let line = format!("fn {name}({}) -> {returns}", params.join(", "));
    if 4 + width(&line) + 2 <= WIDTH {
        return line;
    }
    let params = params.iter().map(|param| format!("        {param},\n"));
    format!(
        "fn {name}(\n{}    ) -> {returns}",
        params.collect::<String>()
    )
}

/// `use path::{A, B};`
pub(crate) fn import(path: &str, mut names: Vec<String>) -> String {
    names.sort();
    let line = format!("use {path}::{{{}}};", names.join(", "));
    if width(&line) <= WIDTH {
        return line;
    }
    let names: Vec<Code> = names.into_iter().map(Code::Word).collect();
    format!("use {path}::{{\n    {},\n}};", filled(&names, 4))
}

fn joined(items: &[Code]) -> Option<String> {
    let items: Option<Vec<String>> = items.iter().map(Code::inline).collect();
    items.map(|items| items.join(", "))
}

fn block(open: &str, items: &[Code], close: &str, indent: usize, comma: bool) -> String {
    let short = items
        .iter()
        .all(|item| item.inline().is_some_and(|item| width(&item) <= SHORT));
    let inner = indent + 4;
    let lines = if short && open == "&[" {
        filled(items, inner)
    } else {
        let lines = items.iter().map(|item| item.lay_out(inner, inner, 1));
        lines
            .collect::<Vec<_>>()
            .join(&format!(",\n{}", spaces(inner)))
    };
    let comma = if comma { "," } else { "" };
    format!(
        "{open}\n{}{lines}{comma}\n{}{close}",
        spaces(inner),
        spaces(indent)
    )
}

/// Short items fill lines.
fn filled(items: &[Code], indent: usize) -> String {
    let mut text = String::new();
    let mut column = indent;
    for item in items.iter().filter_map(Code::inline) {
        let long = column + 2 + width(&item) + 1 > WIDTH;
        let gap = if text.is_empty() {
            String::new()
        } else if long {
            column = indent;
            format!(",\n{}", spaces(indent))
        } else {
            column += 2;
            ", ".to_owned()
        };
        column += width(&item);
        text = format!("{text}{gap}{item}");
    }
    text
}

fn record(name: &str, fields: &[(String, Code)], indent: usize) -> String {
    let inner = indent + 4;
    let lines = fields.iter().map(|(field, value)| {
        let start = inner + width(&member(field, ""));
        format!(
            "{}{},\n",
            spaces(inner),
            member(field, &value.lay_out(inner, start, 1))
        )
    });
    // What the rest is taken from stands last, and takes no comma.
    let lines = lines.collect::<String>();
    let lines = match fields.last() {
        Some((field, _)) if field == ".." => format!("{}\n", lines.trim_end_matches(",\n")),
        _ => lines,
    };
    format!("{name} {{\n{lines}{}}}", spaces(indent))
}

/// `field: value`, `field` where both are the same, `..value`.
fn member(field: &str, value: &str) -> String {
    match field {
        ".." => format!("..{value}"),
        field if field == value => field.to_owned(),
        field => format!("{field}: {value}"),
    }
}

fn chain(first: &Code, rest: &[Code], indent: usize, start: usize) -> String {
    let head = first.lay_out(indent, start, 0);
    let inner = if head.contains('\n') {
        indent
    } else {
        indent + 4
    };
    let mut text = head;
    for method in rest {
        let line = method.lay_out(inner, inner + 1, 1);
        text = format!("{text}\n{}.{line}", spaces(inner));
    }
    text
}

fn spaces(count: usize) -> String {
    " ".repeat(count)
}

fn width(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<Code> {
        words.iter().map(|word| Code::word(*word)).collect()
    }

    #[test]
    fn short_expressions_stay_in_their_line() {
        let code = Code::call(
            "attribute",
            [Code::text("a"), Code::List(words(&["required()"]))],
        );
        assert_eq!(code.lay_out(8, 8, 1), "attribute(\"a\", &[required()])");
    }

    #[test]
    fn a_chain_breaks_where_rustfmt_breaks_it() {
        let closure = "|category| category.parent_id";
        let first = Code::call(
            "to.belongs_to",
            [
                Code::text("parent_cat"),
                Code::text("categories"),
                Code::word(closure),
            ],
        );
        let chain = Code::Chain(Box::new(first), vec![Code::call("include", [])]);
        assert_eq!(
            chain.lay_out(8, 8, 1),
            "to.belongs_to(\"parent_cat\", \"categories\", |category| category.parent_id)\n            .include()"
        );
    }

    #[test]
    fn long_calls_stand_with_one_argument_a_line() {
        let first = Code::call(
            "to.belongs_to_many",
            [
                Code::text("categories"),
                Code::text("categories"),
                Code::word("pivot(\"menu_categories\", \"menu_id\", \"category_id\")"),
            ],
        );
        let chain = Code::Chain(Box::new(first), vec![Code::call("sync", [])]);
        assert_eq!(
            chain.lay_out(8, 8, 1),
            "to.belongs_to_many(\n            \"categories\",\n            \"categories\",\n            \
             pivot(\"menu_categories\", \"menu_id\", \"category_id\"),\n        )\n        .sync()"
        );
    }

    #[test]
    fn constants_take_the_next_line_when_that_is_enough() {
        let long = Code::texts(&[
            "menu_description".to_owned(),
            "menu_name_of_the_day".to_owned(),
        ]);
        let head = "const SEARCH_IN_A_VERY_LONG_NAME_OF_A_CONSTANT: &'static [&'static str]";
        assert_eq!(
            constant(head, &long),
            format!("{head} =\n        &[\"menu_description\", \"menu_name_of_the_day\"];")
        );
    }

    #[test]
    fn short_items_fill_their_lines() {
        let items: Vec<String> = (0..30).map(|n| format!("f{n}")).collect();
        let text = constant("const SORT: &'static [&'static str]", &Code::texts(&items));
        assert_eq!(text.lines().count(), 5, "{text}");
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
    }
}
