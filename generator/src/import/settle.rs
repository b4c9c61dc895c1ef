//! Plans the manifests of an import: those that exist are merged, as `generate` merges code.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;

use super::describe::Known;
use super::known::{IMPORTED, base_name, key_in};
use crate::error::Refused;
use crate::exit::Exit;
use crate::manifest::{ManifestKind, manifest_path};
use crate::merge::{Language, MergeContext, merge};
use crate::plan::place::{OnDisk, Places};
use crate::plan::{Before, Cause, Class, FileChange, Plan, StateChange};
use crate::state::{FOLDER, State};

/// A manifest of this import.
#[derive(Debug)]
pub struct Imported {
    /// Its kind.
    pub kind: ManifestKind,
    /// Its key.
    pub key: String,
    /// Its table.
    pub table: String,
    /// The columns that it has.
    pub columns: Vec<String>,
    /// Its text.
    pub text: String,
}

/// An import into one extension.
#[derive(Debug)]
pub struct Import<'a> {
    /// Its manifests.
    pub manifests: &'a [Imported],
    /// The manifests that the project has.
    pub known: &'a Known,
    /// Whether the whole database was read, so that a missing table was dropped.
    pub is_whole: bool,
    /// Tables without a manifest, and the reasons.
    pub reasons: BTreeMap<String, String>,
}

/// Plans the manifests of an extension.
///
/// # Errors
/// Files that cannot be read.
pub fn plan(root: &Path, import: &Import<'_>) -> Result<Plan> {
    let state = State::load(root)?;
    let mut settling = Settling {
        import,
        folder: &import.known.folder,
        bases: state.files_below(IMPORTED)?.into_iter().collect(),
        places: Places::new(root),
        plan: Plan::default(),
    };
    for one in import.manifests {
        settling.settle(one)?;
    }
    if import.is_whole {
        settling.look_for_gone()?;
    }
    let mut plan = settling.plan;
    plan.files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(plan)
}

/// An import while it is planned.
struct Settling<'a> {
    import: &'a Import<'a>,
    folder: &'a str,
    /// Manifests of the last import that are not settled yet, by name.
    bases: BTreeMap<String, String>,
    places: Places,
    plan: Plan,
}

/// A manifest on disk.
struct Found {
    /// Path below the project.
    path: String,
    /// The same with symlinks resolved.
    place: String,
    file: Option<OnDisk>,
}

impl Settling<'_> {
    fn settle(&mut self, one: &Imported) -> Result<()> {
        let name = base_name(self.folder, &one.key);
        let known = self.bases.remove(&name);
        let former = if known.is_none() {
            self.take_former(one)
        } else {
            None
        };
        let before = known
            .clone()
            .or_else(|| former.as_ref().map(|(_, base)| base.clone()));
        let path = manifest_path(self.folder, one.kind, &one.key);
        let mut found = self.look(path)?;
        let mut moved_from = None;
        if found.file.is_none() && before.is_some() {
            // The table was a resource and is now a supporting model, or the other way round.
            let other = self.look(manifest_path(self.folder, other(one.kind), &one.key))?;
            if other.file.is_some() {
                moved_from = Some(other.path);
                found.file = other.file;
            }
        }
        let mut change = change(found, moved_from, before.as_deref(), &one.text)?;
        if change.class == Class::Move {
            change.reason = format!("its table is now a {}", one.kind.word());
        }
        if matches!(change.class, Class::Write | Class::Merge | Class::Move) {
            change.reason.push_str(&self.columns(one));
        }
        let is_recorded = !matches!(
            change.class,
            Class::Conflict(Cause::Foreign) | Class::Unresolved
        );
        if is_recorded && known.as_deref() != Some(one.text.as_str()) {
            self.record(&name, known, Some(one.text.clone()));
            if let Some((name, base)) = former {
                self.record(&name, Some(base), None);
            }
        }
        self.plan.files.push(change);
        Ok(())
    }

    fn look(&mut self, path: String) -> Result<Found> {
        let place = self.places.look(&path);
        let place = place.map_err(|why| Refused::new(Exit::Failed, why))?;
        Ok(Found {
            path,
            place: place.path,
            file: place.file,
        })
    }

    fn record(&mut self, name: &str, before: Option<String>, new: Option<String>) {
        self.plan.state.push(StateChange {
            path: format!("{FOLDER}/{name}"),
            new,
            before: Before::Known(before.map(String::into_bytes)),
        });
    }

    /// Takes the base of a manifest whose file was given another key.
    fn take_former(&mut self, one: &Imported) -> Option<(String, String)> {
        let table = Some(one.table.as_str());
        let mut known = self.import.known.imported.iter();
        let former = known.find(|known| known.table.as_deref() == table && known.key != one.key)?;
        self.bases
            .remove_entry(&base_name(self.folder, &former.key))
    }

    /// The new and the dropped columns of the table, as the end of a reason.
    fn columns(&self, one: &Imported) -> String {
        let table = Some(one.table.as_str());
        let mut known = self.import.known.imported.iter();
        let Some(before) = known.find(|known| known.table.as_deref() == table) else {
            return String::new();
        };
        let list = |said: &str, columns: &[String], others: &[String]| {
            let columns = columns.iter().filter(|column| !others.contains(column));
            let columns: Vec<String> = columns.map(|column| format!("`{column}`")).collect();
            match columns.is_empty() {
                true => String::new(),
                false => format!("; {said} {}", columns.join(", ")),
            }
        };
        let (new, old) = (&one.columns, &before.columns);
        list("new columns:", new, old) + &list("dropped columns:", old, new)
    }

    /// Reports manifests of earlier imports whose tables are not imported any more.
    fn look_for_gone(&mut self) -> Result<()> {
        for (name, base) in std::mem::take(&mut self.bases) {
            let Some(key) = key_in(&name, self.folder) else {
                continue;
            };
            let mut is_there = false;
            for kind in [ManifestKind::Resource, ManifestKind::Model] {
                let found = self.look(manifest_path(self.folder, kind, key))?;
                let Some(file) = found.file else { continue };
                is_there = true;
                let reason = self.reason(kind, key);
                self.plan.files.push(FileChange {
                    path: found.path,
                    place: found.place,
                    class: Class::Orphan,
                    mode: file.mode,
                    old: Some(file.bytes),
                    new: None,
                    reason,
                    keys: Vec::new(),
                    moved_from: None,
                });
            }
            if !is_there {
                // If the table comes back, it is new.
                self.record(&name, Some(base), None);
            }
        }
        Ok(())
    }

    /// Why the table of a manifest is not imported any more, and the command that removes the manifest.
    fn reason(&self, kind: ManifestKind, key: &str) -> String {
        let mut known = self.import.known.imported.iter();
        let known = known.find(|known| known.key == key);
        let table = known.and_then(|known| known.table.as_deref());
        let reason = match table.and_then(|table| self.import.reasons.get(table)) {
            Some(reason) => format!("its table is not imported any more: {reason}"),
            None => "its table is not in the database any more".to_owned(),
        };
        let (word, folder) = (kind.word(), self.folder);
        format!("{reason}; `formwork destroy {word} {folder} {key}` removes it")
    }
}

fn other(kind: ManifestKind) -> ManifestKind {
    match kind {
        ManifestKind::Resource => ManifestKind::Model,
        ManifestKind::Model => ManifestKind::Resource,
    }
}

/// Plans the file of a manifest.
///
/// # Errors
/// A refusal of a file that is not UTF-8.
fn change(
    found: Found,
    moved_from: Option<String>,
    base: Option<&str>,
    theirs: &str,
) -> Result<FileChange> {
    let mut change = FileChange {
        path: found.path,
        place: found.place,
        class: Class::Create,
        old: None,
        new: Some(theirs.as_bytes().to_vec()),
        mode: None,
        reason: "new".to_owned(),
        keys: Vec::new(),
        moved_from,
    };
    let Some(file) = found.file else {
        if let Some(base) = base {
            change.class = Class::StaysDeleted {
                moved_on: base != theirs,
            };
            change.new = None;
            change.reason = "you deleted it; its table is still in the database".to_owned();
        }
        return Ok(change);
    };
    let Ok(ours) = str::from_utf8(&file.bytes).map(str::to_owned) else {
        let problem = format!("{}: this is not UTF-8", change.path);
        let refused = Refused::new(Exit::Usage, problem);
        return Err(refused.with_help("save the file as UTF-8").into());
    };
    let (class, new, reason) = settled(base, &ours, theirs);
    change.class = class;
    change.new = new.map(String::into_bytes);
    change.reason = reason.to_owned();
    change.mode = file.mode;
    change.old = Some(file.bytes);
    if change.moved_from.is_some() {
        follow(&mut change, &ours);
    }
    Ok(change)
}

/// Moves a manifest to the folder of its new kind, unless it has conflict markers.
fn follow(change: &mut FileChange, ours: &str) {
    match change.class {
        Class::Unresolved => change.path = change.moved_from.take().unwrap_or_default(),
        Class::Conflict(_) => {}
        _ => {
            change.class = Class::Move;
            change.new.get_or_insert_with(|| ours.as_bytes().to_vec());
        }
    }
}

/// Class, new text and reason for a manifest that exists.
fn settled(base: Option<&str>, ours: &str, theirs: &str) -> (Class, Option<String>, &'static str) {
    if ours.lines().any(|line| line.starts_with("<<<<<<< ")) {
        return (Class::Unresolved, None, "it holds conflict markers");
    }
    let Some(base) = base else {
        return match ours == theirs {
            true => (Class::Unchanged, None, ""),
            false => (
                Class::Conflict(Cause::Foreign),
                None,
                "no import wrote it: left as it is",
            ),
        };
    };
    let context = MergeContext {
        language: Language::Other,
        original: ours,
    };
    let merged = merge(base, ours, theirs, &context);
    if merged.conflicts > 0 {
        return (
            Class::Conflict(Cause::Markers),
            Some(merged.text),
            "you and the database changed the same lines",
        );
    }
    match merged.text == ours {
        true if ours == theirs => (Class::Unchanged, None, ""),
        true => (Class::Keep { moved_on: false }, None, "edited"),
        false if ours == base => (Class::Write, Some(merged.text), "the table changed"),
        false => (
            Class::Merge,
            Some(merged.text),
            "the table changed; your edits are kept",
        ),
    }
}
