//! Decides what happens to each file (regeneration.md, "What happens to a file"). Planning only
//! reads; [`crate::apply`] carries a plan out.

mod lookalike;
pub mod place;
mod record;
pub mod selection;
mod settle;
mod survey;
pub mod table;
mod texts;
pub mod twin;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Result;

use self::record::Records;
pub use self::selection::Selection;
use self::survey::Case;
use self::texts::Texts;
use crate::error::Refused;
use crate::exit::Exit;
use crate::former;
use crate::rendered::RenderedFile;
use crate::state::State;

/// Everything a run renders.
#[derive(Debug, Clone, Default)]
pub struct Rendering<'a> {
    /// Files of the project; their texts as the templates gave them: planning formats what differs.
    pub files: &'a [RenderedFile],
    /// Hash of each unit's manifest, for its lock.
    pub manifests: BTreeMap<String, String>,
    /// Further files of the state, by their path below `.formwork`: their text, or `None` to
    /// remove one. A file that is not named stays as it is.
    pub state_files: BTreeMap<String, Option<String>>,
    /// Units with the name they had before (`was:`): their files follow.
    pub was: BTreeMap<String, String>,
}

/// What the user asked for (regeneration.md, "What happens to a file").
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanOptions {
    /// Keep the file where both sides changed it.
    pub ours: Selection,
    /// Take the render where both sides changed a file, and over foreign files.
    pub theirs: Selection,
    /// Render deleted files again.
    pub restore: Selection,
    /// Keep foreign files, and record the render as their base.
    pub adopt: Selection,
    /// Only these units are planned for; everything else is left alone.
    pub units: Option<BTreeSet<String>>,
    /// Nothing will be written: what only a write meets is told, and no reason to stop.
    pub reads_only: bool,
}

/// Why a file is in conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// Formwork never rendered it: it is left as it is.
    Foreign,
    /// Formwork rendered it, and cannot merge or restore it: it is left as it is.
    Unmergeable,
    /// Both sides changed the same lines: it gets conflict markers.
    Markers,
}

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// It is made.
    Create,
    /// It is as rendered already, or kept as the user's own: only recorded.
    Adopt,
    /// It is replaced; it held no edits, or the user said so.
    Write,
    /// It is edited, and stays.
    Keep {
        /// Whether the template moved on since.
        moved_on: bool,
    },
    /// Edits and render are merged into it.
    Merge,
    /// Both sides cannot be had.
    Conflict(Cause),
    /// The user deleted it.
    StaysDeleted {
        /// Whether the template moved on since.
        moved_on: bool,
    },
    /// It is removed.
    Delete,
    /// Nothing is rendered to it, but it is edited.
    Orphan,
    /// It follows its template to another path, as it is.
    Move,
    /// Nothing.
    Unchanged,
    /// It holds conflict markers; nothing is written at all.
    Unresolved,
}

/// What happens to one file, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// Path below the project, with `/`.
    pub path: String,
    /// The same with symlinks resolved: what is written.
    pub place: String,
    /// What happens.
    pub class: Class,
    /// Content on disk, where it matters.
    pub old: Option<Vec<u8>>,
    /// New content; for a foreign file, what would be there.
    pub new: Option<Vec<u8>>,
    /// Permission bits of the file on disk.
    pub mode: Option<u32>,
    /// Why, for people.
    pub reason: String,
    /// Where the file is until it moves.
    pub moved_from: Option<String>,
}

impl FileChange {
    /// The content to write, where any is written.
    pub fn written(&self) -> Option<&[u8]> {
        match self.class {
            Class::Conflict(Cause::Foreign | Cause::Unmergeable) | Class::Unresolved => None,
            _ => self.new.as_deref(),
        }
    }

    /// Whether a run changes the disk for this file, or leaves work: what `--check` calls drift.
    pub fn is_drift(&self) -> bool {
        use Class::{Conflict, Create, Delete, Merge, Move, Orphan, Unresolved, Write};
        matches!(
            self.class,
            Create | Write | Merge | Delete | Move | Orphan | Conflict(_) | Unresolved
        )
    }
}

/// What is known of a state file before it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Before {
    /// It was not read.
    Unknown,
    /// Its content, if it was there.
    Known(Option<Vec<u8>>),
}

/// A change of the state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateChange {
    /// Path below the project.
    pub path: String,
    /// New text; `None` removes it.
    pub new: Option<String>,
    /// What was there.
    pub before: Before,
}

/// What a run does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// Every file that is rendered or recorded, by path.
    pub files: Vec<FileChange>,
    /// What changes in `.formwork`.
    pub state: Vec<StateChange>,
    /// Said once, before the report.
    pub notices: Vec<String>,
    /// Whether a run was interrupted while it wrote, and the next one that writes finishes it first.
    pub is_unfinished: bool,
    /// Why nothing may be written, where that is a migration that destroys.
    pub refused: Option<Refused>,
}

impl Plan {
    /// Whether nothing is written, because of conflict markers or a refusal.
    pub fn is_blocked(&self) -> bool {
        self.has_markers() || self.refused.is_some()
    }

    /// Whether a file holds conflict markers.
    pub fn has_markers(&self) -> bool {
        has_markers(&self.files)
    }

    /// Whether carrying it out writes nothing.
    pub fn is_empty(&self) -> bool {
        self.state.is_empty()
            && self
                .files
                .iter()
                .all(|file| file.written().is_none() && file.class != Class::Delete)
    }

    /// The exit status of a run.
    pub fn exit(&self) -> Exit {
        let left = |file: &FileChange| matches!(file.class, Class::Conflict(_) | Class::Orphan);
        match () {
            () if self.has_markers() => Exit::Markers,
            () if self.refused.is_some() => Exit::Destructive,
            () if self.files.iter().any(left) => Exit::Conflicts,
            () => Exit::Done,
        }
    }

    /// The exit status of `--check`. A change of the state alone is no drift.
    pub fn check_exit(&self) -> Exit {
        match () {
            () if self.has_markers() => Exit::Markers,
            () if self.is_unfinished || self.refused.is_some() => Exit::Drift,
            () if self.files.iter().any(FileChange::is_drift) => Exit::Drift,
            () => Exit::Done,
        }
    }
}

fn has_markers(files: &[FileChange]) -> bool {
    files.iter().any(|file| file.class == Class::Unresolved)
}

/// Plans what carrying `rendering` to the project at `root` does.
///
/// # Errors
/// [`Refused`] with all reasons where anything cannot be planned: a path that leaves the project,
/// something in the way, a file that cannot be read or written, `Cargo.toml` that is no TOML.
pub fn plan(
    root: &Path,
    rendering: &Rendering<'_>,
    state: &State,
    options: &PlanOptions,
) -> Result<Plan> {
    if options.ours.meets(&options.theirs) {
        let problem = "--ours and --theirs exclude each other: name other files with each";
        return Err(Refused::new(Exit::Usage, problem).into());
    }
    Refused::unless_empty(Exit::Usage, place::faults(rendering.files))?;
    let former = former_units(state, &rendering.was, options);
    let (cases, mut problems) = survey::survey(state, rendering.files, &former, options)?;
    let (texts, notice) = texts::gather(state, &cases, options)?;
    let units: BTreeSet<&str> = rendering
        .files
        .iter()
        .map(|file| file.unit.as_str())
        .collect();
    let mut records = Records::new(former);
    let mut files = Vec::with_capacity(cases.len());
    for (case, texts) in cases.iter().zip(&texts) {
        let unit = case.entry.as_ref().map_or("", |entry| entry.unit.as_str());
        let (change, record) = settle::settle(case, texts, units.contains(unit), options);
        let left = matches!(
            change.class,
            Class::Conflict(Cause::Foreign | Cause::Unmergeable)
                | Class::Unresolved
                | Class::Orphan
        );
        records.take(case, texts, record, left);
        files.push(change);
    }
    let unwritable = unwritable(&cases, &files);
    let (told, refused) = match options.reads_only {
        true => (unwritable, Vec::new()),
        false => (Vec::new(), unwritable),
    };
    problems.extend(refused);
    if !has_markers(&files) {
        // Unresolved markers are reported before them (regeneration.md, "Commands").
        Refused::unless_empty(Exit::Failed, std::mem::take(&mut problems))?;
    }
    name_lookalikes(root, state, &cases, &texts, &mut files);
    let state = records.changes(state, rendering, options)?;
    let notices = notice.into_iter().chain(problems).chain(told);
    let notices = notices.chain(twins(root, &files));
    Ok(Plan {
        notices: notices.collect(),
        files,
        state,
        ..Plan::default()
    })
}

/// Units that were renamed since the last run: old and new.
fn former_units(
    state: &State,
    was: &BTreeMap<String, String>,
    options: &PlanOptions,
) -> BTreeMap<String, String> {
    let chosen = |unit: &str| {
        let units = options.units.as_ref();
        units.is_none_or(|units| units.contains(unit))
    };
    let names = was.iter().filter(|(now, _)| chosen(now));
    let names = names.map(|(now, was)| (now.as_str(), was.as_str()));
    let locks: BTreeSet<&str> = state.locks().map(|(unit, _)| unit).collect();
    let pending = former::pending(&names.collect(), |unit| locks.contains(unit));
    let owned = |(was, now): (&str, &str)| (was.to_owned(), now.to_owned());
    pending.into_iter().map(owned).collect()
}

/// A file that its owner protected against writing is not replaced behind their back.
fn unwritable(cases: &[Case<'_>], files: &[FileChange]) -> Vec<String> {
    let protected = |case: &Case<'_>| case.file.as_ref().is_some_and(|file| file.read_only);
    let touched = |change: &FileChange| change.written().is_some() || change.class == Class::Delete;
    let both = cases
        .iter()
        .zip(files)
        .filter(|(case, change)| protected(case) && touched(change));
    both.map(|(case, _)| format!("{}: it is read-only, and would have to change", case.path))
        .collect()
}

/// New files that are another one where the disk does not tell upper case from lower.
fn twins(root: &Path, files: &[FileChange]) -> Vec<String> {
    let new = files.iter().filter(|file| file.class == Class::Create);
    let twins = twin::twins(root, new.map(|file| file.place.as_str()));
    let sentence = |(twin, path): (String, &str)| {
        format!(
            "{twin} and {path} differ in case only: many disks take them for one file; rename yours"
        )
    };
    twins.into_iter().map(sentence).collect()
}

fn name_lookalikes(
    root: &Path,
    state: &State,
    cases: &[Case<'_>],
    texts: &[Texts],
    files: &mut [FileChange],
) {
    let moved_on = |change: &FileChange| change.class == Class::StaysDeleted { moved_on: true };
    let indices: Vec<usize> = (0..files.len())
        .filter(|index| moved_on(&files[*index]))
        .collect();
    let missing: Vec<(&str, &str)> = indices
        .iter()
        .map(|i| {
            (
                cases[*i].path,
                texts[*i].base.as_deref().unwrap_or_default(),
            )
        })
        .collect();
    let rendered: BTreeSet<&str> = cases.iter().map(|case| case.path).collect();
    let known = |path: &str| rendered.contains(path) || state.entry(path).is_some();
    for (index, found) in indices.iter().zip(lookalike::find(root, &missing, &known)) {
        if let Some(path) = found {
            files[*index]
                .reason
                .push_str(&format!("; {path} looks like it"));
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
