//! The differences between two versions of a manifest.

use crate::manifest::yaml::{self, Node, Value};

/// One key of a manifest, and what happened to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeyChange {
    /// The key, with those above it.
    pub key: String,
    /// For people, with the key.
    pub text: String,
    /// Whether it has its former value under another name (`was:`).
    pub is_rename: bool,
}

/// The differences between two manifests; comments and layout do not count. `None` where one cannot
/// be read. `renamed` is the change of the unit's own name.
pub(super) fn compare(old: &str, new: &str, renamed: Option<KeyChange>) -> Option<Vec<KeyChange>> {
    let (old, new) = (
        yaml::parse(old.as_bytes()).ok()?,
        yaml::parse(new.as_bytes()).ok()?,
    );
    let known: &[&str] = if renamed.is_some() { &["was"] } else { &[] };
    let mut changes: Vec<KeyChange> = renamed.into_iter().collect();
    differences("", &old, &new, known, &mut changes);
    Some(changes)
}

/// Adds the differences below `key`, but for the entries of `known`, which are named already.
fn differences(key: &str, old: &Node, new: &Node, known: &[&str], changes: &mut Vec<KeyChange>) {
    let (Value::Mapping(before, _), Value::Mapping(now, _)) = (&old.value, &new.value) else {
        if !same(old, new) && !is_short_for(old, new, known) {
            changes.push(change(key, "changed"));
        }
        return;
    };
    let first = changes.len();
    let mut renamed = Vec::new();
    for (name, value) in now {
        let name = name.as_text().unwrap_or_default();
        if known.contains(&name) {
            continue;
        }
        let (key, old) = (below(key, name), entry(before, name));
        if let Some(was) = former(value, old).filter(|was| entry(before, was).is_some()) {
            renamed.push(was);
            changes.push(rename(&key, &sibling(&key, was), name));
            let known = &["was"];
            entry(before, was).inspect(|old| differences(&key, old, value, known, changes));
        } else if let Some((was, name)) = named(value).filter(|_| former(value, old).is_some()) {
            changes.push(rename(&key, &format!("{key} {was}"), name));
            let known = &["was", "name"];
            old.inspect(|old| differences(&key, old, value, known, changes));
        } else if let Some(old) = old {
            differences(&key, old, value, &[], changes);
        } else {
            changes.push(change(&key, "is new"));
        }
    }
    let names = before.iter().filter_map(|(name, _)| name.as_text());
    let gone = names.filter(|name| entry(now, name).is_none() && !known.contains(name));
    let gone = gone.filter(|name| !renamed.contains(name));
    changes.extend(gone.map(|name| change(&below(key, name), "is gone")));
    let is_same_order = before.iter().zip(now).all(|((a, _), (b, _))| same(a, b));
    if changes.len() == first && known.is_empty() && !is_same_order {
        changes.push(change(key, "is in another order"));
    }
}

/// The name that an entry says it had, unless it said so before.
fn former<'n>(value: &'n Node, old: Option<&Node>) -> Option<&'n str> {
    let was = text_at(value, "was")?;
    let before = old.and_then(|old| text_at(old, "was"));
    (before != Some(was)).then_some(was)
}

/// Former and present name of a thing that its entry names, such as a table.
fn named(value: &Node) -> Option<(&str, &str)> {
    Some((text_at(value, "was")?, text_at(value, "name")?))
}

fn text_at<'n>(node: &'n Node, name: &str) -> Option<&'n str> {
    let Value::Mapping(entries, _) = &node.value else {
        return None;
    };
    entry(entries, name)?.as_text()
}

/// Whether a text, such as `string required`, holds the same words as the entries of a mapping.
fn is_short_for(text: &Node, mapping: &Node, known: &[&str]) -> bool {
    let (Some(text), Value::Mapping(entries, _)) = (text.as_text(), &mapping.value) else {
        return false;
    };
    let is_known = |name: &Node| name.as_text().is_some_and(|name| known.contains(&name));
    let others = entries.iter().filter(|(name, _)| !is_known(name));
    let words: Option<Vec<&str>> = others.map(|(_, value)| value.as_text()).collect();
    let words = words.unwrap_or_default();
    // Where nothing but a name is left, the text was the former name.
    words.is_empty() || words.join(" ") == text
}

/// The change of a unit's own name.
pub(super) fn of_unit(was: &str, now: &str) -> KeyChange {
    let key = |unit: &'_ str| unit.split_once('.').map_or(unit, |(_, key)| key).to_owned();
    rename("was", &key(was), &key(now))
}

fn rename(key: &str, was: &str, now: &str) -> KeyChange {
    KeyChange {
        key: key.to_owned(),
        text: format!("{was} was renamed to {now}"),
        is_rename: true,
    }
}

fn change(key: &str, what: &str) -> KeyChange {
    let key = if key.is_empty() { "the manifest" } else { key };
    KeyChange {
        key: key.to_owned(),
        text: format!("{key} {what}"),
        is_rename: false,
    }
}

/// The key of another entry in the same mapping.
fn sibling(key: &str, name: &str) -> String {
    below(key.rsplit_once('.').map_or("", |(parent, _)| parent), name)
}

fn below(key: &str, name: &str) -> String {
    match key {
        "" => name.to_owned(),
        key => format!("{key}.{name}"),
    }
}

fn entry<'n>(entries: &'n [(Node, Node)], name: &str) -> Option<&'n Node> {
    let mut entries = entries.iter();
    let found = entries.find(|(key, _)| key.as_text() == Some(name));
    found.map(|(_, value)| value)
}

/// Whether two nodes are equal, wherever they are.
fn same(one: &Node, other: &Node) -> bool {
    match (&one.value, &other.value) {
        (Value::Scalar(a), Value::Scalar(b)) => (&a.text, a.plain) == (&b.text, b.plain),
        (Value::Sequence(a, _), Value::Sequence(b, _)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Mapping(a, _), Value::Mapping(b, _)) => {
            let equal = |((a, x), (b, y)): (&(Node, Node), &(Node, Node))| same(a, b) && same(x, y);
            a.len() == b.len() && a.iter().zip(b).all(equal)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;
