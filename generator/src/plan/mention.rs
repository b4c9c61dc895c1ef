//! Lines that still contain a name that this run renamed: the compiler does not find them in SQL,
//! strings and comments.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::change::{Class, FileChange, Mention};
use super::lookalike;
use super::survey::Case;
use super::texts::Texts;
use crate::merge::outline::part::comments_and_strings;
use crate::state::State;

/// Lines of a user's own files that one run lists, at most: a name may be a common word.
const MOST: usize = 100;

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
    in_lines(names, &change.path, text, &rendered)
}

/// The mentions in files that Formwork does not pour, such as modules and SQL of the user's own.
/// `known` says which paths are files of Formwork's.
pub(super) fn in_own_files(
    names: &BTreeMap<String, String>,
    root: &Path,
    known: &dyn Fn(&str) -> bool,
) -> Vec<Mention> {
    if names.is_empty() {
        return Vec::new();
    }
    let own = lookalike::sources(root).filter(|path| is_own(path) && !known(path));
    let mentions = own.flat_map(|path| {
        let text = fs::read_to_string(root.join(&path)).unwrap_or_default();
        in_lines(names, &path, &text, &BTreeSet::new())
    });
    mentions.take(MOST).collect()
}

/// Whether a file may need a former name replaced. Migrations and `was` in manifests keep it.
fn is_own(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    let is_history = matches!(
        parts[..],
        ["extensions", _, "migrations" | "resources" | "models", ..]
    );
    let is_read = path
        .rsplit_once('.')
        .is_some_and(|(_, ending)| matches!(ending, "rs" | "sql" | "md" | "yaml"));
    is_read && !is_history && matches!(parts[0], "extensions" | "src" | "tests")
}

/// The mentions in a text, without the lines that are `rendered`.
fn in_lines(
    names: &BTreeMap<String, String>,
    path: &str,
    text: &str,
    rendered: &BTreeSet<&str>,
) -> Vec<Mention> {
    let searched = match path.ends_with(".rs") {
        true => Cow::Owned(comments_and_strings(text)),
        false => Cow::Borrowed(text),
    };
    let lines = text.lines().zip(searched.lines()).enumerate();
    let lines = lines.filter(|(_, (line, _))| !rendered.contains(line.trim()));
    let mentions = lines.flat_map(|(index, (_, searched))| {
        let contained = names.iter().filter(move |(was, _)| contains(searched, was));
        contained.map(move |(was, now)| Mention {
            path: path.to_owned(),
            line: index + 1,
            name: was.clone(),
            now: now.clone(),
        })
    });
    mentions.collect()
}

/// Whether a line contains a name as a whole word.
fn contains(line: &str, name: &str) -> bool {
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
    fn a_variable_of_a_rust_source_is_no_mention() {
        let names = BTreeMap::from([("service".to_owned(), "treatment".to_owned())]);
        let source = "let service = start();\nservice.get(\"/api/service\");\n// The service.\n";
        let lines = |path: &str| {
            let mentions = in_lines(&names, path, source, &BTreeSet::new());
            mentions.into_iter().map(|one| one.line).collect::<Vec<_>>()
        };
        assert_eq!(lines("src/visits.rs"), [2, 3]);
        assert_eq!(lines("docs/visits.md"), [1, 2, 3]);
    }

    #[test]
    fn only_whole_words_count() {
        assert!(contains("WHERE \"title\" = ?", "title") && contains("title", "title"));
        assert!(contains("subtitle, title", "title"));
        for line in ["subtitle", "titles", "title_id", "der Untertitel"] {
            assert!(!contains(line, "title"), "{line}");
        }
    }
}
