//! Lines of edited files that still say a name that this run renamed: the compiler does not find
//! them in SQL, strings and comments.

use std::collections::{BTreeMap, BTreeSet};

use super::change::{Class, FileChange, Mention};
use super::survey::Case;
use super::texts::Texts;
use crate::state::State;

/// Names that changed, former and new: columns, tables and relations of this run, and keys of resources.
pub(super) fn names(
    renamed: impl Iterator<Item = (String, String)>,
    units: &BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let key = |unit: &String| Some(unit.split_once('.')?.1.to_owned());
    let keys = units
        .iter()
        .filter_map(|(was, now)| Some((key(was)?, key(now)?)));
    let names = renamed.chain(keys);
    names.filter(|(was, now)| was != now).collect()
}

/// The mentions in a file as it is after the run. Lines of the render do not count.
pub(super) fn find(
    names: &BTreeMap<String, String>,
    state: &State,
    (case, texts): (&Case<'_>, &Texts),
    change: &FileChange,
) -> Vec<Mention> {
    use Class::{Adopt, Conflict, Keep, Merge, Move, Orphan};
    let is_edited = matches!(
        change.class,
        Adopt | Conflict(_) | Keep { .. } | Merge | Move | Orphan
    );
    let bytes = change.written().or(change.old.as_deref());
    let Some(text) = bytes.and_then(|bytes| str::from_utf8(bytes).ok()) else {
        return Vec::new();
    };
    if names.is_empty() || !is_edited {
        return Vec::new();
    }
    let rendered = texts.theirs.clone().or_else(|| texts.base.clone());
    let rendered = rendered.or_else(|| state.base_text(case.path).ok().flatten());
    let rendered = rendered.unwrap_or_default();
    let rendered: BTreeSet<&str> = rendered.lines().map(str::trim).collect();
    let mut mentions = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let said = names.iter().filter(|(was, _)| says(line, was));
        mentions.extend(
            said.filter(|_| !rendered.contains(line.trim()))
                .map(|(was, now)| Mention {
                    path: change.path.clone(),
                    line: index + 1,
                    name: was.clone(),
                    now: now.clone(),
                }),
        );
    }
    mentions
}

/// Whether a line says a name as a whole word.
fn says(line: &str, name: &str) -> bool {
    let is_part =
        |letter: Option<char>| letter.is_some_and(|one| one.is_alphanumeric() || one == '_');
    line.match_indices(name).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + name.len()..]);
        !is_part(before.chars().next_back()) && !is_part(after.chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_are_said() {
        assert!(says("WHERE \"title\" = ?", "title") && says("title", "title"));
        assert!(says("subtitle, title", "title"));
        for line in ["subtitle", "titles", "title_id", "der Untertitel"] {
            assert!(!says(line, "title"), "{line}");
        }
    }
}
