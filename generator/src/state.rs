//! The state of a project: `.formwork/`, committed.
//!
//! `base/<path>` is the text of each file as last rendered, `lock/<unit>.lock` the facts about it.
//! Reading it needs neither the project to compile nor the two to agree: after a git merge the
//! readable parts of both are used, and the next run writes them again.

mod folder;
pub mod lock;
mod stray;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Result;

pub use self::folder::{CONSTANT_FILES, FOLDER};
pub use self::lock::Entry;
use crate::digest::Digest;
use crate::error::Refused;
use crate::exit::Exit;
use crate::merge::markers;
use crate::merge::style;
use crate::rendered::Owner;

/// The state of a project, as read from disk.
#[derive(Debug, Clone, Default)]
pub struct State {
    root: PathBuf,
    entries: BTreeMap<String, Entry>,
    manifests: BTreeMap<String, String>,
    templates: BTreeMap<(String, String), Option<Digest>>,
    tables: BTreeSet<String>,
    locks: BTreeMap<String, String>,
    forgotten: BTreeSet<String>,
    notices: Vec<String>,
}

impl State {
    /// Reads the state of the project at `root`; a project without one has an empty state.
    ///
    /// # Errors
    /// [`Refused`] with [`Exit::Usage`] where a lock was written by a newer Formwork, else what
    /// reading the folder failed with.
    pub fn load(root: &Path) -> Result<State> {
        let mut state = State {
            root: root.to_owned(),
            ..State::default()
        };
        let (mut newer, mut damage) = (Vec::new(), stray::Damage::default());
        for (name, text) in state.files_below("lock")? {
            let Some(unit) = name
                .strip_prefix("lock/")
                .and_then(|n| n.strip_suffix(".lock"))
            else {
                continue;
            };
            let lock = lock::parse(unit, &text);
            newer.extend(lock.versions.iter().filter(|version| lock::is_newer(version)).map(|version| {
                let own = env!("CARGO_PKG_VERSION");
                format!("{FOLDER}/{name} was written by Formwork {version}; this is {own}: install that version")
            }));
            damage.take(&name, unit, &text, &lock);
            state.take(unit, lock);
            state.locks.insert(unit.to_owned(), text);
        }
        Refused::unless_empty(Exit::Usage, newer)?;
        state.mend(damage)?;
        Ok(state)
    }

    /// Damage of the state, which the next run that writes repairs.
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    fn take(&mut self, unit: &str, lock: lock::Lock) {
        if let Some(manifest) = lock.manifest {
            self.manifests.insert(unit.to_owned(), manifest);
        }
        for (name, digest) in lock.templates {
            // Two branches rendered it differently: the base may be of either.
            let known = self.templates.entry((unit.to_owned(), name));
            let known = known.or_insert(Some(digest));
            *known = known.filter(|known| *known == digest);
        }
        self.tables.extend(lock.tables);
        for entry in lock.entries {
            match self.entries.get_mut(&entry.path) {
                // Two branches rendered it differently: the base's text decides.
                Some(known) if known.base != entry.base || known.raw != entry.raw => {
                    (known.base, known.raw) = (None, None);
                }
                Some(_) => {}
                None => {
                    self.entries.insert(entry.path.clone(), entry);
                }
            }
        }
    }

    /// The project's folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Whether the project was never rendered.
    pub fn is_empty(&self) -> bool {
        self.locks.is_empty()
    }

    /// The record of the file at `path`.
    pub fn entry(&self, path: &str) -> Option<&Entry> {
        self.entries.get(path)
    }

    /// Leaves record and base of the file at `path` out, as if it had never been rendered.
    pub fn forget(&mut self, path: &str) -> Option<Entry> {
        self.forgotten.insert(path.to_owned());
        self.entries.remove(path)
    }

    /// Files of this extension are removed like any others where they are as rendered, migrations as well.
    pub fn release_extension(&mut self, folder: &str) {
        let entries = self.entries.values_mut();
        for entry in entries.filter(|entry| is_of(&entry.unit, folder)) {
            entry.owner = Owner::User;
        }
    }

    /// A migration is removed like any other file, where it is as it was emitted.
    pub fn release(&mut self, path: &str) {
        if let Some(entry) = self.entries.get_mut(path) {
            entry.owner = Owner::User;
        }
    }

    /// All records, by path.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values()
    }

    /// Emitted migrations, by version, then path.
    pub fn migrations(&self) -> Vec<&Entry> {
        let mut emitted: Vec<_> = self
            .entries()
            .filter(|e| e.owner == Owner::Migration)
            .collect();
        emitted.sort_by_key(|entry| (entry.version(), entry.path.as_str()));
        emitted
    }

    /// Hash of the manifest that `unit` was last rendered from.
    pub fn manifest(&self, unit: &str) -> Option<&str> {
        self.manifests.get(unit).map(String::as_str)
    }

    /// Hash of a template as it last rendered the files of `unit`.
    pub fn template(&self, unit: &str, name: &str) -> Option<Digest> {
        let key = (unit.to_owned(), name.to_owned());
        self.templates.get(&key).copied().flatten()
    }

    /// Tables that emitted migrations made, and none dropped.
    pub fn tables(&self) -> impl Iterator<Item = &str> {
        self.tables.iter().map(String::as_str)
    }

    /// Units that have a lock, with its text.
    pub fn locks(&self) -> impl Iterator<Item = (&str, &str)> {
        self.locks
            .iter()
            .map(|(unit, text)| (unit.as_str(), text.as_str()))
    }

    /// The text of the file at `path` as last rendered, with line feeds; of a conflict that git
    /// left, our side. `None` where there is none.
    ///
    /// # Errors
    /// An error while reading the file.
    pub fn base_text(&self, path: &str) -> Result<Option<String>> {
        if self.forgotten.contains(path) {
            return Ok(None);
        }
        let text = self.file(&format!("base/{path}"))?;
        Ok(text.map(|text| markers::ours_side(&style::normalise(&text))))
    }

    /// The text of the state file `name` (`schema/menus.schema`), exactly as it is.
    ///
    /// # Errors
    /// An error while reading the file.
    pub fn file(&self, name: &str) -> Result<Option<String>> {
        folder::file(&self.root, name)
    }

    /// Names and texts of the state files in `folder` (not in folders below it), sorted.
    ///
    /// # Errors
    /// An error while reading the files.
    pub fn files_below(&self, folder: &str) -> Result<Vec<(String, String)>> {
        folder::files_below(&self.root, folder)
    }

    /// Removes entries of files that do not exist (neither on disk, nor among the bases, nor
    /// rendered), such as a cut line. Their files are recorded again, and so are migrations that no
    /// line names.
    ///
    /// # Errors
    /// An error while reading the bases.
    pub fn settle_records(&mut self, is_rendered: impl Fn(&str) -> bool) -> Result<()> {
        let is_there = |path: &str| {
            let base = self.root.join(FOLDER).join("base").join(path);
            // A file that cannot be looked up counts as existing.
            base.try_exists().unwrap_or(true) || self.root.join(path).try_exists().unwrap_or(true)
        };
        let others = self.entries().filter(|entry| !is_rendered(&entry.path));
        let phantoms = others.filter(|entry| !is_there(&entry.path));
        let phantoms: Vec<Entry> = phantoms.cloned().collect();
        let mut damage = stray::Damage::default();
        for Entry { path, unit, .. } in &phantoms {
            let text = self.locks.get(unit).map_or("", String::as_str);
            damage.name_nowhere(unit, text, path);
            self.entries.remove(path);
        }
        self.mend(damage)?;
        self.record_migrations()
    }

    /// A git merge may keep one side of a lock: its lines are whole, and the other side's migrations are missing.
    fn record_migrations(&mut self) -> Result<()> {
        for path in folder::migrations(&self.root)? {
            if !self.entries.contains_key(&path) {
                let (notice, entry) = stray::migration(path);
                self.notices.push(notice);
                self.entries.insert(entry.path.clone(), entry);
            }
        }
        Ok(())
    }

    /// Records again a file that only its base names.
    fn mend(&mut self, damage: stray::Damage) -> Result<()> {
        let known = &self.entries;
        let mended = damage.mend(&self.root, |path| known.contains_key(path))?;
        self.notices.extend(mended.notices);
        let entries = mended.entries.into_iter();
        self.entries
            .extend(entries.map(|entry| (entry.path.clone(), entry)));
        Ok(())
    }
}

/// Whether a unit is the extension in this folder, or one of its resources and models.
pub fn is_of(unit: &str, folder: &str) -> bool {
    unit.split_once('.').map_or(unit, |(folder, _)| folder) == folder
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn project(locks: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join(FOLDER).join("lock");
        fs::create_dir_all(&folder).unwrap();
        for (unit, text) in locks {
            fs::write(folder.join(format!("{unit}.lock")), text).unwrap();
        }
        root
    }

    #[test]
    fn a_project_without_state_has_an_empty_one() {
        let root = tempfile::tempdir().unwrap();
        let state = State::load(root.path()).unwrap();
        assert!(state.is_empty() && state.entries().next().is_none());
        assert_eq!(state.base_text("src/lib.rs").unwrap(), None);
    }

    #[test]
    fn a_newer_lock_is_refused_as_wrong_usage() {
        let root = project(&[("a", "formwork 0.1.0\n"), ("b", "formwork 999.1.0\n")]);
        let error = State::load(root.path()).unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Usage);
        assert!(
            error
                .to_string()
                .contains("lock/b.lock was written by Formwork 999.1.0"),
            "{error}"
        );
    }

    #[test]
    fn two_hashes_for_one_file_leave_it_to_the_base_text() {
        let (one, two) = (Digest::of("1"), Digest::of("2"));
        let text = format!(
            "formwork 0.1.0\nfile user a base={one} raw={one} a.rs\nfile user a base={two} raw={two} a.rs\n"
        );
        let root = project(&[("a", &text)]);
        let state = State::load(root.path()).unwrap();
        let entry = state.entry("a.rs").unwrap();
        assert_eq!((entry.base, entry.raw), (None, None));
    }

    #[test]
    fn migrations_come_by_version() {
        let line = |name: &str| format!("migration x m base={} {name}\n", Digest::of(name));
        let root = project(&[
            (
                "a",
                &format!("formwork 0.1.0\n{}", line("z/20260102000000_b.sql")),
            ),
            (
                "b",
                &format!("formwork 0.1.0\n{}", line("a/20260103000000_c.sql")),
            ),
            (
                "c",
                &format!("formwork 0.1.0\n{}", line("m/20260101000000_a.sql")),
            ),
        ]);
        let state = State::load(root.path()).unwrap();
        let versions: Vec<_> = state
            .migrations()
            .iter()
            .map(|entry| entry.version())
            .collect();
        assert_eq!(
            versions,
            ["20260101000000", "20260102000000", "20260103000000"]
        );
    }
}
