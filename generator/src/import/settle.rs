//! What an import does to the manifests that are there: it merges, as `generate` merges code.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;

use crate::error::Refused;
use crate::exit::Exit;
use crate::manifest::{ManifestKind, manifest_path};
use crate::merge::{Language, MergeContext, merge};
use crate::plan::place::{Place, Places};
use crate::plan::{Before, Cause, Class, FileChange, Plan, StateChange};
use crate::state::{FOLDER, State};

/// Where the last import's manifests are kept, below the state.
const IMPORTED: &str = "imported";

/// A manifest of this import.
#[derive(Debug)]
pub struct Imported {
    /// Its kind.
    pub kind: ManifestKind,
    /// Its key.
    pub key: String,
    /// Its text.
    pub text: String,
}

/// Plans the manifests of an extension; `is_whole` where all tables were imported, so that a missing one is gone.
///
/// # Errors
/// Files that cannot be read.
pub fn plan(root: &Path, folder: &str, imported: &[Imported], is_whole: bool) -> Result<Plan> {
    let state = State::load(root)?;
    let mut plan = Plan::default();
    let mut places = Places::new(root);
    let mut bases: BTreeMap<String, String> = state.files_below(IMPORTED)?.into_iter().collect();
    for one in imported {
        let path = manifest_path(folder, one.kind, &one.key);
        let name = format!("{IMPORTED}/{folder}.{}.yaml", one.key);
        let before = take(&mut bases, &name);
        let place = places
            .look(&path)
            .map_err(|why| Refused::new(Exit::Failed, why))?;
        let change = change(path, place, before.as_deref(), &one.text);
        let is_recorded = !matches!(
            change.class,
            Class::Conflict(Cause::Foreign) | Class::Unresolved
        );
        if is_recorded && before.as_deref() != Some(one.text.as_str()) {
            plan.state.push(StateChange {
                path: format!("{FOLDER}/{name}"),
                new: Some(one.text.clone()),
                before: Before::Known(before.map(String::into_bytes)),
            });
        }
        plan.files.push(change);
    }
    if is_whole {
        plan.notices.extend(gone(&bases, folder, &mut places));
    }
    plan.files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(plan)
}

/// Takes the base out, whether its name has the folder in it or not.
fn take(bases: &mut BTreeMap<String, String>, name: &str) -> Option<String> {
    let short = name.rsplit('/').next().unwrap_or(name);
    bases.remove(name).or_else(|| bases.remove(short))
}

fn change(path: String, place: Place, base: Option<&str>, theirs: &str) -> FileChange {
    let mut change = FileChange {
        path,
        place: place.path,
        class: Class::Create,
        old: None,
        new: Some(theirs.as_bytes().to_vec()),
        mode: None,
        reason: "new".to_owned(),
        keys: Vec::new(),
        moved_from: None,
    };
    let Some(file) = place.file else {
        if let Some(base) = base {
            change.class = Class::StaysDeleted {
                moved_on: base != theirs,
            };
            change.new = None;
            change.reason = "you deleted it; its table is in the database".to_owned();
        }
        return change;
    };
    let ours = String::from_utf8_lossy(&file.bytes).into_owned();
    let (class, new, reason) = settled(base, &ours, theirs);
    change.class = class;
    change.new = new.map(String::into_bytes);
    change.reason = reason.to_owned();
    change.mode = file.mode;
    change.old = Some(file.bytes);
    change
}

/// What becomes of a manifest that is there: class, new text, reason.
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
                "it was not imported: left as it is",
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

/// Notices about manifests whose tables are gone.
fn gone(bases: &BTreeMap<String, String>, folder: &str, places: &mut Places) -> Vec<String> {
    let keys = bases.keys().filter_map(|name| {
        let short = name.rsplit('/').next().unwrap_or(name);
        short
            .strip_prefix(folder)?
            .strip_prefix('.')?
            .strip_suffix(".yaml")
    });
    let mut notices = Vec::new();
    for key in keys {
        for kind in [ManifestKind::Resource, ManifestKind::Model] {
            let path = manifest_path(folder, kind, key);
            if places.look(&path).is_ok_and(|place| place.file.is_some()) {
                let word = kind.word();
                notices.push(format!(
                    "{path}: its table is not in the database any more: `formwork destroy {word} {folder} {key}` removes it"
                ));
            }
        }
    }
    notices
}
