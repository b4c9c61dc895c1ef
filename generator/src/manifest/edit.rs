//! Adds attributes and relations to an existing manifest, as text: every other byte stays.

use thiserror::Error;

use super::scalar::scalar;
use super::shorthand::{Shorthand, attribute_lines, relation_lines};
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

/// Lines of a block, from its entries and their indentation.
type Lines = fn(&[(String, String)], &str) -> Vec<String>;

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
    let model = entry(&root, "model").map(|(_, value)| value);
    let attributes = missing(model, "attributes", &wanted.attributes)?;
    let relations = missing(model, "relations", &wanted.relations)?;
    let new = Shorthand {
        attributes,
        relations,
    };
    if new.is_empty() {
        return Ok(text.to_owned());
    }
    let edited = apply(text, insertions(text, &root, &new)?);
    holds(&edited, &new)
        .then_some(edited)
        .ok_or(EditError::Layout("model"))
}

/// Entries that are not in the block yet. An entry that exists already is not a mistake: a command
/// may be repeated.
fn missing(
    model: Option<&Node>,
    block: &str,
    wanted: &[(String, String)],
) -> Result<Vec<(String, String)>, EditError> {
    let block = model
        .and_then(|model| entry(model, block))
        .map(|(_, value)| value);
    let mut new = Vec::new();
    for (name, text) in wanted {
        match block.and_then(|block| entry(block, name)) {
            None => new.push((name.clone(), text.clone())),
            Some((_, value)) if same(value, text) => {}
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
    let attributes = block(
        text,
        model,
        "attributes",
        &new.attributes,
        attribute_lines_of,
    )?;
    let relations = block(text, model, "relations", &new.relations, relation_lines_of)?;
    // Two missing blocks are inserted at one place, attributes first.
    Ok(match (attributes, relations) {
        (Some(mut first), Some(second)) if first.at == second.at => {
            first.text.push_str(&second.text);
            vec![first]
        }
        (first, second) => first.into_iter().chain(second).collect(),
    })
}

fn attribute_lines_of(entries: &[(String, String)], indent: &str) -> Vec<String> {
    let shorthand = Shorthand {
        attributes: entries.to_vec(),
        relations: Vec::new(),
    };
    attribute_lines(&shorthand, indent)
}

fn relation_lines_of(entries: &[(String, String)], indent: &str) -> Vec<String> {
    let shorthand = Shorthand {
        attributes: Vec::new(),
        relations: entries.to_vec(),
    };
    relation_lines(&shorthand, indent)
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
    for (name, block) in [
        ("attributes", attribute_lines(new, "    ")),
        ("relations", relation_lines(new, "    ")),
    ] {
        if !block.is_empty() {
            lines.push(format!("  {name}:"));
            lines.extend(block);
        }
    }
    Ok(Insertion {
        at,
        text: joined(text, at, &lines),
    })
}

fn block(
    text: &str,
    model: &Node,
    name: &'static str,
    new: &[(String, String)],
    lines_of: Lines,
) -> Result<Option<Insertion>, EditError> {
    if new.is_empty() {
        return Ok(None);
    }
    let outer = indent_of(text, model).ok_or(EditError::Layout("model"))?;
    let inner = format!("{outer}  ");
    let Some((key, value)) = entry(model, name) else {
        let at = line_after(text, model.written_end());
        let mut lines = vec![format!("{outer}{name}:")];
        lines.extend(lines_of(new, &inner));
        return Ok(Some(Insertion {
            at,
            text: joined(text, at, &lines),
        }));
    };
    match &value.value {
        Value::Mapping(pairs, Layout::Block) if !pairs.is_empty() => {
            let indent = indent_of(text, value).ok_or(EditError::Layout(name))?;
            let at = line_after(text, value.written_end());
            Ok(Some(Insertion {
                at,
                text: joined(text, at, &lines_of(new, &indent)),
            }))
        }
        Value::Mapping(pairs, _) if pairs.is_empty() => {
            let lines = lines_of(new, &inner).join(line_break(text));
            let at = Span::new(key.span.end, value.span.end);
            Ok(Some(Insertion {
                at,
                text: format!(":{}{lines}", line_break(text)),
            }))
        }
        Value::Mapping(..) => Ok(Some(in_braces(text, value, new))),
        _ if value.is_null() => {
            let at = line_after(text, key.span.end);
            Ok(Some(Insertion {
                at,
                text: joined(text, at, &lines_of(new, &inner)),
            }))
        }
        _ => Err(EditError::Layout(name)),
    }
}

/// In `{ }` the values are quoted, because rules contain commas.
fn in_braces(text: &str, value: &Node, new: &[(String, String)]) -> Insertion {
    let end = text[..value.span.end]
        .trim_end()
        .trim_end_matches('}')
        .trim_end()
        .len();
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
    match &node.value {
        Value::Mapping(pairs, _) => pairs
            .iter()
            .find(|(key, _)| key.as_text() == Some(name))
            .map(|(key, value)| (key, value)),
        _ => None,
    }
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

fn joined(text: &str, at: Span, lines: &[String]) -> String {
    let line_break = line_break(text);
    let mut joined = String::new();
    if at.start > 0 && !text[..at.start].ends_with('\n') {
        joined.push_str(line_break);
    }
    for line in lines {
        joined.push_str(line);
        joined.push_str(line_break);
    }
    joined
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
    let model = entry(&root, "model").map(|(_, model)| model);
    let has = |block: &str, (name, wanted): &(String, String)| {
        let block = model
            .and_then(|model| entry(model, block))
            .map(|(_, value)| value);
        let found = block.and_then(|block| entry(block, name));
        found.is_some_and(|(_, value)| same(value, wanted))
    };
    new.attributes.iter().all(|entry| has("attributes", entry))
        && new.relations.iter().all(|entry| has("relations", entry))
}

#[cfg(test)]
mod tests;
