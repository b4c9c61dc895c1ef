//! Adds attributes and relations to an existing manifest, as text: every other byte stays.

use thiserror::Error;

use super::shorthand::{Shorthand, entry_lines, scalar};
use super::yaml::{self, Layout, Node, Span, Value};

/// Why a manifest was not edited.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EditError {
    /// The file is not YAML; `resolve` says why.
    #[error("the manifest cannot be read")]
    Unreadable,
    /// The name is taken.
    #[error("`{0}` exists already with another definition: change it in the manifest")]
    Exists(String),
    /// The layout leaves no line to write on.
    #[error("`{0}` is not written line by line: add the attributes by hand")]
    Layout(&'static str),
}

/// Names and texts of attributes or relations.
type Entries = Vec<(String, String)>;

struct Insertion {
    at: Span,
    text: String,
}

/// The text of the manifest with the missing attributes and relations added.
///
/// # Errors
/// See [`EditError`].
pub fn add(text: &str, wanted: &Shorthand) -> Result<String, EditError> {
    let root = yaml::parse(text.as_bytes()).map_err(|_| EditError::Unreadable)?;
    let model = value_of(Some(&root), "model");
    let new = Shorthand {
        attributes: missing(value_of(model, "attributes"), &wanted.attributes)?,
        relations: missing(value_of(model, "relations"), &wanted.relations)?,
    };
    if new.is_empty() {
        return Ok(text.to_owned());
    }
    let edited = apply(text, insertions(text, &root, &new)?);
    let is_complete = holds(&edited, &new);
    is_complete
        .then_some(edited)
        .ok_or(EditError::Layout("model"))
}

/// Returns the entries that are not in the block yet. An entry that exists already is no error: a command may be
/// repeated.
fn missing(block: Option<&Node>, wanted: &Entries) -> Result<Entries, EditError> {
    let mut new = Vec::new();
    for (name, text) in wanted {
        match value_of(block, name) {
            None => new.push((name.clone(), text.clone())),
            Some(value) if same(value, text) => {}
            Some(_) => return Err(EditError::Exists(name.clone())),
        }
    }
    Ok(new)
}

fn same(value: &Node, text: &str) -> bool {
    // Places differ, contents must not.
    yaml::parse(text.as_bytes()).is_ok_and(|other| plain(value) == plain(&other))
}

fn plain(node: &Node) -> String {
    match &node.value {
        Value::Scalar(scalar) => scalar.text.clone(),
        Value::Sequence(items, _) => items.iter().map(plain).collect::<Vec<_>>().join("\u{1}"),
        Value::Mapping(pairs, _) => {
            let pair = |(key, value): &(Node, Node)| format!("{}\u{2}{}", plain(key), plain(value));
            pairs.iter().map(pair).collect::<Vec<_>>().join("\u{3}")
        }
    }
}

fn insertions(text: &str, root: &Node, new: &Shorthand) -> Result<Vec<Insertion>, EditError> {
    let Some((_, model)) = entry(root, "model").filter(|(_, model)| !model.is_null()) else {
        return model_block(text, root, new).map(|insertion| vec![insertion]);
    };
    if !matches!(model.value, Value::Mapping(_, Layout::Block)) {
        return Err(EditError::Layout("model"));
    }
    let attributes = block(text, model, "attributes", &new.attributes)?;
    let relations = block(text, model, "relations", &new.relations)?;
    // Two missing blocks are inserted at one place, attributes first.
    Ok(match (attributes, relations) {
        (Some(mut first), Some(second)) if first.at == second.at => {
            first.text.push_str(&second.text);
            vec![first]
        }
        (first, second) => first.into_iter().chain(second).collect(),
    })
}

/// A manifest without `model:` gets one at its end, or at the empty key.
fn model_block(text: &str, root: &Node, new: &Shorthand) -> Result<Insertion, EditError> {
    if !matches!(root.value, Value::Mapping(_, Layout::Block)) {
        return Err(EditError::Layout("the manifest"));
    }
    let mut lines = Vec::new();
    let at = match entry(root, "model") {
        Some((key, _)) => line_after(text, key.span.end),
        None => {
            lines.push("model:".to_owned());
            Span::new(text.len(), text.len())
        }
    };
    for (name, entries) in [
        ("attributes", &new.attributes),
        ("relations", &new.relations),
    ] {
        if !entries.is_empty() {
            lines.push(format!("  {name}:"));
            lines.extend(entry_lines(entries, "    "));
        }
    }
    Ok(insert_lines(text, at, &lines))
}

fn block(
    text: &str,
    model: &Node,
    name: &'static str,
    new: &Entries,
) -> Result<Option<Insertion>, EditError> {
    if new.is_empty() {
        return Ok(None);
    }
    let outer = indent_of(text, model).ok_or(EditError::Layout("model"))?;
    let inner = format!("{outer}  ");
    let Some((key, value)) = entry(model, name) else {
        let mut lines = vec![format!("{outer}{name}:")];
        lines.extend(entry_lines(new, &inner));
        let at = line_after(text, model.written_end());
        return Ok(Some(insert_lines(text, at, &lines)));
    };
    Ok(Some(match &value.value {
        Value::Mapping(pairs, Layout::Block) if !pairs.is_empty() => {
            let indent = indent_of(text, value).ok_or(EditError::Layout(name))?;
            let at = line_after(text, value.written_end());
            insert_lines(text, at, &entry_lines(new, &indent))
        }
        Value::Mapping(pairs, _) if pairs.is_empty() => {
            let line_break = line_break(text);
            let lines = entry_lines(new, &inner).join(line_break);
            Insertion {
                at: Span::new(key.span.end, value.span.end),
                text: format!(":{line_break}{lines}"),
            }
        }
        Value::Mapping(..) => in_braces(text, value, new),
        _ if value.is_null() => {
            let at = line_after(text, key.span.end);
            insert_lines(text, at, &entry_lines(new, &inner))
        }
        _ => return Err(EditError::Layout(name)),
    }))
}

/// In `{ }` the values are quoted, because rules contain commas.
fn in_braces(text: &str, value: &Node, new: &Entries) -> Insertion {
    let before = text[..value.span.end].trim_end();
    let end = before.trim_end_matches('}').trim_end().len();
    let quoted = |text: &str| match text.starts_with(['{', '"']) {
        true => text.to_owned(),
        false => serde_json::Value::String(text.to_owned()).to_string(),
    };
    let entries = new
        .iter()
        .map(|(key, value)| format!(", {}: {}", scalar(key), quoted(value)));
    Insertion {
        at: Span::new(end, end),
        text: entries.collect(),
    }
}

fn entry<'n>(node: &'n Node, name: &str) -> Option<(&'n Node, &'n Node)> {
    let Value::Mapping(pairs, _) = &node.value else {
        return None;
    };
    let pair = pairs.iter().find(|(key, _)| key.as_text() == Some(name));
    pair.map(|(key, value)| (key, value))
}

fn value_of<'n>(node: Option<&'n Node>, name: &str) -> Option<&'n Node> {
    entry(node?, name).map(|(_, value)| value)
}

/// The space before a block mapping's first key.
fn indent_of(text: &str, mapping: &Node) -> Option<String> {
    let Value::Mapping(pairs, _) = &mapping.value else {
        return None;
    };
    let start = pairs.first()?.0.span.start;
    // The children of an alias are at its anchor.
    if !(mapping.span.start..mapping.span.end).contains(&start) {
        return None;
    }
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let indent = &text[line..start];
    indent.chars().all(|c| c == ' ').then(|| indent.to_owned())
}

/// The start of the line after `end`.
fn line_after(text: &str, end: usize) -> Span {
    let end = text[..end].trim_end().len();
    let at = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    Span::new(at, at)
}

fn insert_lines(text: &str, at: Span, lines: &[String]) -> Insertion {
    let line_break = line_break(text);
    let mut inserted = String::new();
    if at.start > 0 && !text[..at.start].ends_with('\n') {
        inserted.push_str(line_break);
    }
    for line in lines {
        inserted.push_str(line);
        inserted.push_str(line_break);
    }
    Insertion { at, text: inserted }
}

fn line_break(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

fn apply(text: &str, mut insertions: Vec<Insertion>) -> String {
    insertions.sort_by_key(|insertion| std::cmp::Reverse(insertion.at));
    let mut edited = text.to_owned();
    for Insertion { at, text } in insertions {
        edited.replace_range(at.start..at.end, &text);
    }
    edited
}

/// Whether the edited text is a manifest with the wanted entries.
fn holds(text: &str, new: &Shorthand) -> bool {
    let Ok(root) = yaml::parse(text.as_bytes()) else {
        return false;
    };
    let model = value_of(Some(&root), "model");
    let has = |block: &str, (name, wanted): &(String, String)| {
        value_of(value_of(model, block), name).is_some_and(|value| same(value, wanted))
    };
    new.attributes.iter().all(|entry| has("attributes", entry))
        && new.relations.iter().all(|entry| has("relations", entry))
}

#[cfg(test)]
mod tests;
