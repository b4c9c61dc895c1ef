//! Carries plans out: the only writer.
//!
//! All new contents are put aside first, then committed by one record, then renamed into place
//! ([`journal`]). A run that is killed is finished or rolled back by the next; a run that fails (a
//! full disk, a folder that is not writable) undoes its changes.
//!
//! Every content is synced to the disk before the record, and every rename before the record is
//! removed: a power failure is like a killed run. Files are synced many at once, because each sync
//! waits for the disk.

pub mod disk;
pub mod journal;
mod recover;
pub mod run_lock;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context, Result};

use self::disk::{Disk, OsDisk};
use self::journal::{Journal, Step};
pub use self::run_lock::{PATIENCE, RunLock};
use crate::digest::Digest;
use crate::error::Refused;
use crate::exit::Exit;
use crate::plan::{Before, Class, Outdated, Plan, twin};

/// One change as planned.
struct PlannedChange<'a> {
    path: &'a str,
    before: Option<Vec<u8>>,
    after: Option<&'a [u8]>,
    mode: Option<u32>,
}

/// Whether an interrupted run left committed changes that are not all made.
pub fn is_unfinished(root: &Path) -> bool {
    Journal::is_committed(root)
}

/// Carries a plan out.
///
/// # Errors
/// [`Refused`] where the plan is blocked by conflict markers or a migration that destroys, [`Outdated`] where
/// files changed since they were read, else what writing failed with. In each case the project is as it was.
pub fn apply(plan: &Plan, root: &Path, lock: &RunLock) -> Result<()> {
    if let Some(refused) = &plan.refused {
        return Err(refused.clone().into());
    }
    if plan.has_markers() {
        return Err(Refused::new(Exit::Markers, "files hold unresolved conflict markers").into());
    }
    if plan.is_empty() {
        return Ok(());
    }
    lock.sign()?;
    write(plan, root, &OsDisk)
}

/// Finishes or rolls back an interrupted run, if there was one; says so in notices.
///
/// # Errors
/// An error while finishing it; the journal stays, and the next run tries again.
pub fn recover(root: &Path, lock: &RunLock) -> Result<Vec<String>> {
    if !Journal::is_left(root) {
        return Ok(Vec::new());
    }
    lock.sign()?;
    let passed_over = recover::recover(root, &OsDisk)?;
    let mut notices = vec!["an interrupted run was finished first".to_owned()];
    notices.extend(
        passed_over
            .into_iter()
            .map(|path| format!("{path} changed since, and was left as it is")),
    );
    Ok(notices)
}

/// Writes with the lock held, on any disk: the seam for tests that stop it at each step.
fn write(plan: &Plan, root: &Path, disk: &dyn Disk) -> Result<()> {
    refuse_files_of_others(plan, root)?;
    let changes = changes(plan, root)?;
    let steps: Vec<Step> = changes.iter().map(step).collect();
    let journal = Journal::of(root, disk);
    let staged = stage(&journal, &changes).and_then(|()| journal.commit(&steps));
    if let Err(error) = staged {
        // No file was touched yet. The next run removes files that cannot be removed now.
        let _ = journal.close(&[]);
        return Err(error);
    }
    for (index, (step, change)) in steps.iter().zip(&changes).enumerate() {
        // Writing many files to the journal takes time, in which the user may save one.
        let done = as_before(root, change).and_then(|()| journal.carry_out(index, step));
        if let Err(error) = done {
            return Err(take_back(&journal, disk, root, &changes[..=index], error));
        }
    }
    journal.close(&steps)
}

fn as_before(root: &Path, change: &PlannedChange<'_>) -> Result<()> {
    expect(root, change.path, change.before.as_deref()).map(drop)
}

/// A rename does not need write permission for the file it replaces; a read-only file must not be
/// replaced all the same.
fn refuse_files_of_others(plan: &Plan, root: &Path) -> Result<()> {
    let touched = plan.files.iter().filter(|file| {
        file.old.is_some() && (file.written().is_some() || file.class == Class::Delete)
    });
    let denied = touched.filter_map(|file| {
        let place = file.moved_from.as_ref().unwrap_or(&file.place);
        let opened = fs::File::options().write(true).open(root.join(place));
        let why = opened.err().filter(|error| {
            use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
            matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem)
        })?;
        Some(format!(
            "{place}: you may not write it, and this run changes it:  {why}"
        ))
    });
    Ok(Refused::unless_empty(Exit::Failed, denied.collect())?)
}

fn stage(journal: &Journal<'_>, changes: &[PlannedChange<'_>]) -> Result<()> {
    journal.open()?;
    let mut staged = Vec::with_capacity(changes.len());
    for (index, change) in changes.iter().enumerate() {
        if let Some(content) = change.after {
            staged.push(journal.stage(index, content, change.mode)?);
        }
    }
    journal.sync(&staged)
}

fn step(change: &PlannedChange<'_>) -> Step {
    Step {
        path: change.path.to_owned(),
        before: change.before.as_ref().map(Digest::of),
        after: change.after.map(Digest::of),
    }
}

/// The changes in the order in which they are made: new files, removed files, then the state. A
/// moved file is written before the old one is removed, so that its lines are never lost. Checks
/// that the files on disk are still as planned.
fn changes<'a>(plan: &'a Plan, root: &Path) -> Result<Vec<PlannedChange<'a>>> {
    let (mut changes, mut removals) = (Vec::new(), Vec::new());
    for file in &plan.files {
        let (old, mode) = (file.old.as_deref(), file.mode);
        let after = file.written();
        let from = file.moved_from.as_deref().filter(|_| after.is_some());
        if let Some(from) = from.filter(|from| twin::is_one_file(root, from, &file.place)) {
            let gone = PlannedChange {
                mode,
                ..expect(root, from, old)?
            };
            changes.extend(in_case_only(gone, &file.place, after));
            continue;
        }
        if after.is_some() {
            let there = old.filter(|_| file.moved_from.is_none());
            changes.push(PlannedChange {
                after,
                mode,
                ..expect(root, &file.place, there)?
            });
        }
        let gone = match &file.moved_from {
            Some(from) if after.is_some() => Some(from),
            _ => Some(&file.place).filter(|_| file.class == Class::Delete),
        };
        if let Some(gone) = gone {
            removals.push(PlannedChange {
                mode,
                ..expect(root, gone, old)?
            });
        }
    }
    changes.extend(removals);
    changes.extend(of_state(plan, root)?);
    Ok(changes)
}

/// The new name of a file differs in case only, and the disk ignores case: the old name is removed
/// before the new one is written, or the file would be deleted. In between, its content is in the
/// journal.
fn in_case_only<'a>(
    gone: PlannedChange<'a>,
    to: &'a str,
    after: Option<&'a [u8]>,
) -> [PlannedChange<'a>; 2] {
    let arrives = PlannedChange {
        path: to,
        before: None,
        after,
        mode: gone.mode,
    };
    [gone, arrives]
}

fn of_state<'a>(plan: &'a Plan, root: &Path) -> Result<Vec<PlannedChange<'a>>> {
    let mut changes: Vec<PlannedChange<'_>> = Vec::with_capacity(plan.state.len());
    for change in &plan.state {
        let found = match &change.before {
            Before::Known(before) => expect(root, &change.path, before.as_deref())?,
            Before::Unknown => as_found(root, &change.path)?,
        };
        changes.push(PlannedChange {
            after: change.new.as_deref().map(str::as_bytes),
            ..found
        });
    }
    let removed = changes
        .iter()
        .enumerate()
        .filter(|(_, change)| change.after.is_none());
    let removed = removed.map(|(index, change)| (change.path.to_lowercase(), index));
    let removed: BTreeMap<String, usize> = removed.collect();
    for index in 0..changes.len() {
        let to = changes[index].path;
        let gone = removed.get(&to.to_lowercase()).copied();
        let gone = gone.filter(|gone| twin::is_one_file(root, changes[*gone].path, to));
        if let Some(gone) = gone.filter(|_| changes[index].after.is_some()) {
            changes[index].before = None;
            if gone > index {
                changes.swap(gone, index);
            }
        }
    }
    Ok(changes)
}

fn expect<'a>(root: &Path, path: &'a str, before: Option<&[u8]>) -> Result<PlannedChange<'a>> {
    let found = as_found(root, path)?;
    if found.before.as_deref() != before {
        return Err(Outdated(path.to_owned()).into());
    }
    Ok(found)
}

fn as_found<'a>(root: &Path, path: &'a str) -> Result<PlannedChange<'a>> {
    let before = match fs::read(root.join(path)) {
        Ok(bytes) => Some(bytes),
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            None
        }
        Err(error) => return Err(error).with_context(|| format!("cannot read {path}")),
    };
    Ok(PlannedChange {
        path,
        before,
        after: None,
        mode: None,
    })
}

/// Undoes the changes that were made, the last first; `error` is why.
fn take_back(
    journal: &Journal<'_>,
    disk: &dyn Disk,
    root: &Path,
    made: &[PlannedChange<'_>],
    error: anyhow::Error,
) -> anyhow::Error {
    let mut backwards = made.iter().enumerate().rev();
    let undone = backwards.try_for_each(|(index, change)| undo(journal, disk, root, index, change));
    match undone.and_then(|()| journal.close(&[])) {
        Ok(()) => error.context("nothing was written"),
        Err(_) => error.context("the run was interrupted; the next one finishes it"),
    }
}

fn undo(
    journal: &Journal<'_>,
    disk: &dyn Disk,
    root: &Path,
    index: usize,
    change: &PlannedChange<'_>,
) -> Result<()> {
    let target = root.join(change.path);
    match change.before.as_deref() {
        // The change was not made, or the user saved the file since: then the saved text stays.
        _ if as_found(root, change.path)?.before.as_deref() != change.after => {}
        None => journal.remove_with_empty_folders(&target)?,
        Some(content) => {
            // The folder of a deleted file may have been removed with it.
            target
                .parent()
                .map_or(Ok(()), |folder| disk.create_folder(folder))?;
            disk.write(&journal.staged(index), content, change.mode)?;
            disk.sync(&journal.staged(index))?;
            disk.rename(&journal.staged(index), &target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
