//! Rules for which JSON Schema has no keyword, in words.

use formwork_core::request::Rule;
use formwork_vocabulary::rule::ShownAs;

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
        Rule::Regex(pattern) => !is_portable(pattern),
        // Required for administrators only.
        Rule::Required => admin,
        rule => rule.word().shown_as() == ShownAs::Description,
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
