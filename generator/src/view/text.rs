//! Prose: descriptions as doc comments, tables and sentences.

use crate::project::Resource;

/// Room for the words of a doc comment, behind eight columns of indent and slashes.
const WIDTH: usize = 90;

/// A description as lines of a doc comment, without the slashes. Empty lines part paragraphs.
///
/// Descriptions are the user's own words: what would be code, a list that goes on or an invisible
/// character to rustdoc or clippy is made harmless.
pub(crate) fn doc(description: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in paragraphs(description) {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(wrap(&paragraph));
    }
    lines
}

/// The first sentence, in one line: what registration records say.
pub(crate) fn sentence(description: &str) -> String {
    let first = paragraphs(description)
        .into_iter()
        .next()
        .unwrap_or_default();
    let end = first.find(". ").unwrap_or(first.len());
    first[..end].trim_end_matches('.').to_owned()
}

/// The description of a resource in one line, where it says more than its name does.
pub(crate) fn described(resource: &Resource) -> Option<String> {
    let text = line(&resource.description);
    let generic = format!("An API resource for {}", resource.names.plural_words);
    (!text.is_empty() && text.trim_end_matches('.') != generic).then_some(text)
}

/// All of it in one line.
pub(crate) fn line(description: &str) -> String {
    paragraphs(description).join(" ")
}

/// `a menu`, `an order`.
pub(crate) fn with_article(words: &str) -> String {
    let vowel = words.starts_with(['a', 'e', 'i', 'o']);
    format!("{} {words}", if vowel { "an" } else { "a" })
}

/// `Menus` from `menus`.
pub(crate) fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

fn paragraphs(text: &str) -> Vec<String> {
    let text: String = text.chars().filter(|c| is_visible(*c)).collect();
    let mut paragraphs = vec![String::new()];
    for line in text.lines() {
        match paragraphs.last_mut() {
            Some(last) if !line.trim().is_empty() => {
                *last = format!(
                    "{last} {}",
                    line.split_whitespace().collect::<Vec<_>>().join(" ")
                );
            }
            _ => paragraphs.push(String::new()),
        }
    }
    let trimmed = paragraphs
        .iter()
        .map(|paragraph| paragraph.trim().replace("```", "'''"));
    trimmed.filter(|paragraph| !paragraph.is_empty()).collect()
}

/// Control characters, and those that turn the direction of text, are refused by rustc in comments.
fn is_visible(c: char) -> bool {
    let turning =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !turning && (c == '\n' || c == '\t' || !c.is_control())
}

fn wrap(paragraph: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in paragraph.split(' ') {
        match lines.last_mut() {
            Some(last) if fits(last, word) || begins_block(word) => {
                *last = format!("{last} {word}")
            }
            Some(_) => lines.push(word.to_owned()),
            None if begins_block(word) => lines.push(format!("\\{word}")),
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

fn fits(line: &str, word: &str) -> bool {
    line.chars().count() + 1 + word.chars().count() <= WIDTH
}

/// Whether Markdown takes a line that begins with this word for a list, heading, quote or rule.
fn begins_block(word: &str) -> bool {
    let numbered = word.trim_end_matches(['.', ')']);
    let number = numbered.len() < word.len() && numbered.chars().all(|c| c.is_ascii_digit());
    number || word.starts_with(['-', '*', '+', '#', '>', '=', '~', '|', '[', '<'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_become_lines() {
        let long = "word ".repeat(40);
        assert!(doc(&long).iter().all(|line| line.len() <= WIDTH));
        assert_eq!(doc("One.\n\n  Two\tmore. "), ["One.", "", "Two more."]);
    }

    #[test]
    fn markdown_in_descriptions_is_escaped_for_rustdoc() {
        assert_eq!(doc("- a list"), ["\\- a list"]);
        assert_eq!(doc("turn\u{202e}ed \u{7}"), ["turned"]);
        assert_eq!(doc("```\ncode\n```"), ["''' code '''"]);
        let broken = format!("{} - more", "x".repeat(WIDTH));
        assert_eq!(
            doc(&broken).len(),
            2,
            "a line never begins with a dash: {:?}",
            doc(&broken)
        );
    }

    #[test]
    fn sentences() {
        assert_eq!(sentence("A dish. It costs."), "A dish");
        assert_eq!(sentence("A dish"), "A dish");
        assert_eq!(with_article("order"), "an order");
        assert_eq!(with_article("user"), "a user");
    }
}
