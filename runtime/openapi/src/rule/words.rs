//! Rules for which JSON Schema has no keyword, in words.

use formwork_core::request::Rule;

/// Whether JavaScript's expressions, which schemas use, read a pattern of the crate `regex` in the
/// same way, and others accept it: Python's know no classes such as `\p{L}`.
pub(super) fn is_portable(pattern: &str) -> bool {
    let foreign = [
        "(?", r"\A", r"\z", r"\p", r"\P", "[[:", "&&", "--", "~~", r"\x{",
    ];
    let plain = pattern.replace("(?:", "(");
    !foreign.iter().any(|word| plain.contains(word))
}

/// Rules without a keyword, in words.
pub(super) fn words(all: &[Rule], admin: bool) -> String {
    let unsaid = |rule: &&Rule| match rule {
        Rule::Unique
        | Rule::Exists(..)
        | Rule::Same(_)
        | Rule::Confirmed
        | Rule::RequiredIf(..)
        | Rule::RequiredWithout(_)
        | Rule::ExcludeWithout(_)
        | Rule::DateFormat(_)
        | Rule::After(_)
        | Rule::AfterOrEqual(_)
        | Rule::Before(_)
        | Rule::BeforeOrEqual(_)
        | Rule::Alpha
        | Rule::AlphaDash
        | Rule::Custom(_) => true,
        Rule::Regex(pattern) => !is_portable(pattern),
        // Required for administrators only.
        Rule::Required => admin,
        _ => false,
    };
    let rules: Vec<String> = all
        .iter()
        .filter(unsaid)
        .map(|rule| format!("`{rule}`"))
        .collect();
    let mut sentences = Vec::new();
    let scale = all.iter().find_map(|rule| match rule {
        Rule::Decimal(_, scale) => Some(*scale),
        _ => None,
    });
    if let Some(scale) = scale {
        sentences.push(format!("At most {scale} digits after the point."));
    }
    if admin {
        sentences.push("Written by administrators only; ignored from other callers.".to_owned());
    }
    if !rules.is_empty() {
        sentences.push(format!("Rules: {}.", rules.join(", ")));
    }
    sentences.join(" ")
}
