//! Finishing what a killed run began.

use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context, Result};

use super::disk::Disk;
use super::journal::{Journal, Step};
use crate::digest::Digest;
use crate::plan::twin;
use crate::state;

/// Finishes or rolls back the run whose journal is left. The caller holds the lock.
///
/// A file that was changed since keeps its text; its base and its line in the lock are not written
/// either, so that the next plan merges it. Returns the paths of such files.
pub(super) fn recover(root: &Path, disk: &dyn Disk) -> Result<Vec<String>> {
    let journal = Journal::of(root, disk);
    let mut passed_over = Vec::new();
    let steps = journal.committed()?.unwrap_or_default();
    for (index, step) in steps.iter().enumerate() {
        if depends_on(step, &passed_over) || has_come_back(&journal, root, step, &steps) {
            continue;
        }
        let context = || format!("cannot finish the run that was interrupted: {}", step.path);
        let now = digest(&root.join(&step.path)).with_context(context)?;
        let is_staged = step.after.is_none() || journal.staged(index).exists();
        if now == step.after {
            continue;
        }
        if now == step.before && is_staged {
            leave_out(&journal, disk, index, step, &passed_over).with_context(context)?;
            journal.carry_out(index, step).with_context(context)?;
        } else {
            passed_over.push(step.path.clone());
        }
    }
    journal.close(&steps)?;
    Ok(passed_over
        .into_iter()
        .filter(|path| !path.starts_with(state::FOLDER))
        .collect())
}

/// Whether the file that the step removes was written by another step, under a name that differs in
/// case only.
fn has_come_back(journal: &Journal<'_>, root: &Path, step: &Step, steps: &[Step]) -> bool {
    step.after.is_none()
        && steps.iter().enumerate().any(|(index, other)| {
            other.after.is_some()
                && twin::is_one_file(root, &step.path, &other.path)
                && !journal.staged(index).exists()
        })
}

/// The base of a skipped file is not written either.
fn depends_on(step: &Step, passed_over: &[String]) -> bool {
    let base = step
        .path
        .strip_prefix(state::FOLDER)
        .and_then(|path| path.strip_prefix("/base/"));
    base.is_some_and(|path| passed_over.iter().any(|passed| passed == path))
}

/// A lock must not record a skipped file as rendered.
fn leave_out(
    journal: &Journal<'_>,
    disk: &dyn Disk,
    index: usize,
    step: &Step,
    passed_over: &[String],
) -> io::Result<()> {
    if passed_over.is_empty() || step.after.is_none() || !step.path.ends_with(".lock") {
        return Ok(());
    }
    let staged = journal.staged(index);
    let text = fs::read_to_string(&staged)?;
    let stays = |line: &&str| {
        !passed_over
            .iter()
            .any(|path| line.trim_end().ends_with(&format!(" {path}")))
    };
    let kept: String = text.split_inclusive('\n').filter(stays).collect();
    disk.write(&staged, kept.as_bytes(), None)?;
    disk.sync(&staged)
}

fn digest(path: &Path) -> io::Result<Option<Digest>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(Digest::of(bytes))),
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
