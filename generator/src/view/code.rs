//! Rust expressions as text. Where lines break is rustfmt's business: what is short stands in one
//! line here, and anything else an item a line, so that it can be read where there is no rustfmt,
//! or where it leaves a chain as it was because a literal is too long for a line.

/// Longer arguments stand in lines of their own.
const INLINE: usize = 60;

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
    block(&format!("{name}("), args, ")")
}

/// `Name { field: value }`.
pub(crate) fn record<'f>(
    name: &str,
    fields: impl IntoIterator<Item = (&'f str, String)>,
) -> String {
    let members = fields.into_iter().map(|(field, value)| match field {
        ".." => format!("..{value}"),
        field if field == value => value,
        field => format!("{field}: {value}"),
    });
    block(&format!("{name} {{ "), members, " }")
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

/// No comma follows the last item: `..value` takes none.
fn block(open: &str, items: impl IntoIterator<Item = String>, close: &str) -> String {
    let items: Vec<String> = items.into_iter().collect();
    let line = items.join(", ");
    if line.len() <= INLINE && !line.contains('\n') {
        return format!("{open}{line}{close}");
    }
    let lines = items.join(",\n").replace('\n', "\n    ");
    format!("{}\n    {lines}\n{}", open.trim_end(), close.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_has_one_item_a_line() {
        let short = call("attribute", [text("a"), list(["required()".to_owned()])]);
        assert_eq!(short, "attribute(\"a\", &[required()])");
        let long = list([short.clone(), short.clone(), short]);
        let line = "    attribute(\"a\", &[required()])";
        assert_eq!(long, format!("&[\n{line},\n{line},\n{line}\n]"));
        let record = record("A", [("b", "b".to_owned()), ("..", "c".to_owned())]);
        assert_eq!(record, "A { b, ..c }");
    }
}
