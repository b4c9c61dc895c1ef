//! Rust expressions as text. rustfmt breaks their lines. Records and tables have an item a line
//! before that: rustfmt leaves them as they were if a literal in them is longer than a line.

/// A string literal.
pub(crate) fn text(text: &str) -> String {
    crate::column::rust_words(text)
}

/// A list of string literals.
pub(crate) fn texts<'t>(texts: impl IntoIterator<Item = &'t String>) -> String {
    list(texts.into_iter().map(|one| text(one)))
}

/// `&[a, b]`.
pub(crate) fn list(items: impl IntoIterator<Item = String>) -> String {
    block("&[", items, "]")
}

/// `&[a, b]`, with an item a line.
pub(crate) fn table(items: impl IntoIterator<Item = String>) -> String {
    let items: Vec<String> = items.into_iter().collect();
    match items.is_empty() {
        true => "&[]".to_owned(),
        false => lines("&[", items, "]"),
    }
}

/// `const NAME: &'static [&'static str] = &[…];`, or nothing where there is nothing to list.
pub(crate) fn list_constant(name: &str, words: &[String]) -> String {
    if words.is_empty() {
        return String::new();
    }
    let list = texts(words);
    format!("const {name}: &'static [&'static str] = {list};")
}

/// `vec![a, b]`.
pub(crate) fn vector(items: impl IntoIterator<Item = String>) -> String {
    match block("vec![", items, "]") {
        empty if empty == "vec![]" => "Vec::new()".to_owned(),
        vector => vector,
    }
}

/// `name(a, b)`.
pub(crate) fn call(name: &str, args: impl IntoIterator<Item = String>) -> String {
    block(&[name, "("].concat(), args, ")")
}

/// `Name { field: value }`, with a field a line.
pub(crate) fn record<'f>(
    name: &str,
    fields: impl IntoIterator<Item = (&'f str, String)>,
) -> String {
    let members = fields.into_iter().map(|(field, value)| match field {
        ".." => ["..", &value].concat(),
        field if field == value => value,
        field => [field, ": ", &value].concat(),
    });
    lines(&format!("{name} {{"), members, "}")
}

/// A call, and methods that are called on what it returns.
pub(crate) fn chain(first: String, methods: Vec<String>) -> String {
    let methods = methods.into_iter().map(|method| format!(".{method}"));
    std::iter::once(first).chain(methods).collect()
}

/// `fn name(a: A) -> R`; the body's brace follows.
pub(crate) fn signature(name: &str, params: &[String], returns: &str) -> String {
    format!("fn {name}({}) -> {returns}", params.join(", "))
}

/// `use path::{A, B};`
pub(crate) fn import(path: &str, mut names: Vec<&str>) -> String {
    names.sort_unstable();
    format!("use {path}::{{{}}};", names.join(", "))
}

/// Items in one line, if each of them is one.
fn block(open: &str, items: impl IntoIterator<Item = String>, close: &str) -> String {
    let items: Vec<String> = items.into_iter().collect();
    match items.iter().any(|item| item.contains('\n')) {
        true => lines(open, items, close),
        false => [open, &items.join(", "), close].concat(),
    }
}

/// An item a line. No comma follows the last one: `..value` takes none.
fn lines(open: &str, items: impl IntoIterator<Item = String>, close: &str) -> String {
    let items: Vec<String> = items.into_iter().collect();
    let items = items.join(",\n").replace('\n', "\n    ");
    format!("{open}\n    {items}\n{close}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_and_tables_have_one_item_a_line() {
        let line = call("attribute", [text("a"), list(["required()".to_owned()])]);
        assert_eq!(line, "attribute(\"a\", &[required()])");
        let record = record("A", [("b", "b".to_owned()), ("..", "c".to_owned())]);
        assert_eq!(record, "A {\n    b,\n    ..c\n}");
        let list = vector([record]);
        assert_eq!(list, "vec![\n    A {\n        b,\n        ..c\n    }\n]");
        assert_eq!(table([line]), "&[\n    attribute(\"a\", &[required()])\n]");
        assert_eq!(table([]), "&[]");
    }
}
