//! A lock: what Formwork rendered for one unit (a resource, an extension, the project).
//!
//! One line per fact, sorted and without timestamps, so that two branches merge:
//!
//! ```text
//! formwork 0.1.0
//! manifest <sha256>
//! table <name>
//! file <owner> <artefact> base=<sha256> raw=<sha256> <path>
//! template <sha256> <template>
//! migration <version> <artefact> base=<sha256> <path>
//! ```
//!
//! `base` is the hash of the text below `.formwork/base`, `raw` that of the render before it was
//! formatted: an equal raw render needs no formatting. A line that cannot be read is listed in
//! [`Lock::damaged`]; its file is still found by its base, so that the next run writes the line
//! again.

use std::collections::BTreeMap;

use crate::digest::Digest;
use crate::merge::markers;
use crate::rendered::Owner;

/// One rendered file, as the state records it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Path below the project, with `/`.
    pub path: String,
    /// Stable id of the artefact.
    pub artefact: String,
    /// Its lock.
    pub unit: String,
    /// Owner of the file.
    pub owner: Owner,
    /// Hash of the base; unknown after a git merge that left two.
    pub base: Option<Digest>,
    /// Hash of the raw render.
    pub raw: Option<Digest>,
}

impl Entry {
    /// The version of a migration: its file's name before the first `_`.
    pub fn version(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        name.split(['_', '.']).next().unwrap_or_default()
    }

    fn line(&self) -> String {
        let (kind, word) = match self.owner {
            Owner::Migration => ("migration ", self.version()),
            owner => ("file ", owner_word(owner)),
        };
        let mut line = [kind, word, " ", &self.artefact].concat();
        for (name, digest) in [(" base=", self.base), (" raw=", self.raw)] {
            if let Some(digest) = digest {
                line.extend([name, &digest.to_string()]);
            }
        }
        line.extend([" ", &self.path]);
        line
    }
}

/// A lock as read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lock {
    /// The versions of Formwork that wrote it; two after a git merge.
    pub versions: Vec<String>,
    /// Hash of the manifest.
    pub manifest: Option<String>,
    /// Tables that migrations of the unit made, and none dropped.
    pub tables: Vec<String>,
    /// Hashes of the templates that rendered its files.
    pub templates: Vec<(String, Digest)>,
    /// Files and migrations.
    pub entries: Vec<Entry>,
    /// Lines that are not as Formwork writes them.
    pub damaged: Vec<String>,
}

/// Reads the lock of `unit`. Of a conflict that git left, both sides count.
pub fn parse(unit: &str, text: &str) -> Lock {
    let mut lock = Lock::default();
    for line in markers::both_sides(text).lines() {
        if !lock.take(unit, line.trim_end()) && !is_left_of_a_marker(line) {
            lock.damaged.push(line.to_owned());
        }
    }
    lock
}

/// Checks for leftovers of git's markers, which are skipped: the lines between them suffice.
pub fn is_left_of_a_marker(line: &str) -> bool {
    let signs = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"];
    line.trim_end().is_empty() || signs.iter().any(|sign| line.starts_with(sign))
}

impl Lock {
    /// Takes one line; false where it is not as Formwork writes it. The readable parts are used.
    fn take(&mut self, unit: &str, line: &str) -> bool {
        match line.split_once(' ') {
            Some(("formwork", version)) => self.versions.push(version.to_owned()),
            Some(("manifest", hash)) => {
                self.manifest = Some(hash.to_owned());
                return hash.parse::<Digest>().is_ok();
            }
            Some(("template", rest)) => match rest.split_once(' ') {
                Some((hash, name)) if let Ok(hash) = hash.parse() => {
                    self.templates.push((name.to_owned(), hash));
                }
                _ => return false,
            },
            Some(("table", name)) => self.tables.push(name.to_owned()),
            Some((kind @ ("file" | "migration"), rest)) => match entry(unit, kind, rest) {
                Some((entry, whole)) => {
                    self.entries.push(entry);
                    return whole;
                }
                None => return false,
            },
            _ => return false,
        }
        true
    }
}

/// The entry of a line, and whether its hashes are as they should be.
fn entry(unit: &str, kind: &str, rest: &str) -> Option<(Entry, bool)> {
    let (word, rest) = rest.split_once(' ')?;
    let owner = match kind {
        "migration" => Owner::Migration,
        _ => owner_of(word)?,
    };
    let (artefact, mut rest) = rest.split_once(' ')?;
    let (mut hashes, mut whole) = ([None, None], true);
    for (name, digest) in ["base=", "raw="].into_iter().zip(&mut hashes) {
        let hash = rest
            .strip_prefix(name)
            .and_then(|rest| rest.split_once(' '));
        if let Some((hash, after)) = hash {
            *digest = hash.parse().ok();
            whole &= digest.is_some();
            rest = after;
        }
    }
    let [base, raw] = hashes;
    let entry = Entry {
        path: rest.to_owned(),
        artefact: artefact.to_owned(),
        unit: unit.to_owned(),
        owner,
        base,
        raw,
    };
    let is_path = !rest.is_empty() && !rest.starts_with("base=") && !rest.starts_with("raw=");
    is_path.then_some((entry, whole))
}

/// Writes a lock; `None` if it has no records.
pub fn write<'a>(
    manifest: Option<&str>,
    tables: &[String],
    templates: &BTreeMap<&str, Digest>,
    entries: impl Iterator<Item = &'a Entry>,
) -> Option<String> {
    let mut lines: Vec<String> = entries.map(Entry::line).collect();
    lines.extend(
        templates
            .iter()
            .map(|(name, hash)| format!("template {hash} {name}")),
    );
    lines.sort_unstable();
    if lines.is_empty() && tables.is_empty() && manifest.is_none() {
        return None;
    }
    let mut text = format!("formwork {}\n", env!("CARGO_PKG_VERSION"));
    let manifest = manifest.map(|hash| format!("manifest {hash}"));
    let tables = tables.iter().map(|name| format!("table {name}"));
    for line in manifest.into_iter().chain(tables).chain(lines) {
        text.extend([&line, "\n"]);
    }
    Some(text)
}

/// Whether two locks record the same, whichever version wrote them: a new Formwork alone is no
/// reason to touch a thousand locks.
pub fn same(one: &str, other: &str) -> bool {
    let body = |text| str::split_once(text, '\n').map(|(_, rest)| rest);
    one == other || (one.starts_with("formwork ") && body(one) == body(other))
}

/// Whether `version` is newer than this Formwork.
pub fn is_newer(version: &str) -> bool {
    numbers(version) > numbers(env!("CARGO_PKG_VERSION"))
}

fn numbers(version: &str) -> [u64; 3] {
    let core = version.split(['-', '+']).next().unwrap_or_default();
    let mut parts = core.split('.').map(|part| part.trim().parse().unwrap_or(0));
    [(); 3].map(|()| parts.next().unwrap_or(0))
}

fn owner_word(owner: Owner) -> &'static str {
    match owner {
        Owner::User => "user",
        Owner::Formwork => "formwork",
        Owner::Once => "once",
        Owner::Structured => "structured",
        Owner::Migration => "migration",
    }
}

fn owner_of(word: &str) -> Option<Owner> {
    [Owner::User, Owner::Formwork, Owner::Once, Owner::Structured]
        .into_iter()
        .find(|owner| owner_word(*owner) == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries() -> Vec<Entry> {
        let entry = |path: &str, owner| Entry {
            path: path.to_owned(),
            artefact: format!("cart/{}", path.len()),
            unit: "cart.menus".to_owned(),
            owner,
            base: Some(Digest::of(path)),
            raw: (owner != Owner::Migration).then(|| Digest::of("raw")),
        };
        vec![
            entry("src/with space.rs", Owner::User),
            entry("src/mod.rs", Owner::Formwork),
            entry(
                "migrations/sqlite/20260131120000_create_menus.sql",
                Owner::Migration,
            ),
        ]
    }

    #[test]
    fn a_lock_is_read_back_as_it_was_written() {
        let entries = entries();
        let templates = BTreeMap::from([("a/b.tera", Digest::of("t"))]);
        let text = write(
            Some("abc"),
            &["menus".to_owned()],
            &templates,
            entries.iter(),
        )
        .unwrap();
        let lock = parse("cart.menus", &text);
        assert_eq!(lock.manifest.as_deref(), Some("abc"));
        assert_eq!(lock.tables, ["menus"]);
        assert_eq!(lock.templates, [("a/b.tera".to_owned(), Digest::of("t"))]);
        assert_eq!(lock.versions, [env!("CARGO_PKG_VERSION")]);
        assert_eq!(lock.entries.len(), 3);
        assert!(
            entries.iter().all(|entry| lock.entries.contains(entry)),
            "{lock:?}"
        );
        assert_eq!(entries[2].version(), "20260131120000");
        let lines: Vec<_> = text.lines().skip(3).collect();
        assert!(lines.is_sorted(), "{text}");
    }

    #[test]
    fn both_sides_of_a_conflict_count_and_the_ancestor_does_not() {
        let [a, b, c] = entries().try_into().unwrap();
        let text = format!(
            "formwork 0.1.0\n<<<<<<< HEAD\n{}\n||||||| base\n{}\n=======\n{}\n>>>>>>> branch\n",
            a.line(),
            c.line(),
            b.line()
        );
        assert_eq!(parse("cart.menus", &text).entries, [a, b]);
    }

    #[test]
    fn damaged_lines_are_reported_and_the_others_are_read() {
        let [a, b, c] = entries().try_into().unwrap();
        let broken = b.line().replace("base=", "base=x");
        let cut = &c.line()[..c.line().find(" migrations/").unwrap()];
        let text = format!(
            "formwork 0.1.0\n{}\n{broken}\nnonsense\n{cut}\n=======\n",
            a.line()
        );
        let lock = parse("cart.menus", &text);
        assert_eq!(lock.damaged, [broken.as_str(), "nonsense", cut]);
        let paths: Vec<&str> = lock.entries.iter().map(|one| one.path.as_str()).collect();
        assert_eq!(paths, [a.path.as_str(), b.path.as_str()]);
        assert_eq!(lock.entries[1].base, None, "its text says it");
    }

    #[test]
    fn versions_compare_by_number() {
        assert!(is_newer("999.0.0") && is_newer("0.10000.0-beta.1"));
        assert!(
            !is_newer(env!("CARGO_PKG_VERSION")) && !is_newer("0.0.9") && !is_newer("nonsense")
        );
    }

    #[test]
    fn the_version_alone_is_no_change() {
        assert!(same(
            "formwork 0.1.0\nmanifest a\n",
            "formwork 0.2.0\nmanifest a\n"
        ));
        assert!(!same(
            "formwork 0.1.0\nmanifest a\n",
            "formwork 0.1.0\nmanifest b\n"
        ));
    }
}
