//! Decides what happens to each file. Planning only
//! reads; [`crate::apply`] carries a plan out.

mod change;
mod conflicted;
mod lookalike;
mod manifest;
mod mention;
pub mod place;
mod reason;
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

pub use self::change::{Before, Cause, Class, FileChange, Mention, Plan, StateChange};
pub use self::manifest::{ManifestEdit, Outdated};
use self::reason::Reasons;
use self::record::Records;
pub use self::selection::{PlanOptions, SelectedPaths, Selection, Switch};
use self::survey::Case;
use self::texts::Texts;
use crate::error::Refused;
use crate::exit::Exit;
use crate::former;
use crate::rendered::Rendered;
use crate::state::State;

/// Plans what carrying `rendered` to the project of this state does.
///
/// # Errors
/// [`Refused`] with all reasons where anything cannot be planned: a path that leaves the project,
/// something in the way, a file that cannot be read or written, `Cargo.toml` that is no TOML. [`Outdated`] where
/// a manifest changed since it was read.
pub fn plan(mut rendered: Rendered, mut state: State, options: &PlanOptions) -> Result<Plan> {
    if options.selection.selects_both_sides() {
        let problem = "--ours and --theirs exclude each other: name different files with each";
        return Err(Refused::new(Exit::Usage, problem).into());
    }
    let new = options.manifests.iter().filter_map(ManifestEdit::rendered);
    rendered.files.extend(new);
    Refused::unless_empty(Exit::Usage, place::faults(&rendered.files))?;
    let edited = manifest::plan(&mut state, &options.manifests, options.reads_only)?;
    let mut plan = of_files(&rendered, &state, options)?;
    plan.files
        .retain(|file| edited.files.iter().all(|edited| edited.path != file.path));
    plan.files.extend(edited.files);
    plan.files.sort_by(|one, other| one.path.cmp(&other.path));
    plan.state.extend(edited.state);
    if !plan.has_markers() {
        // Unresolved markers are reported before a destructive migration.
        plan.refused = rendered.refused;
    }
    Ok(plan)
}

/// Plans what is rendered.
fn of_files(rendered: &Rendered, state: &State, options: &PlanOptions) -> Result<Plan> {
    let (root, files) = (state.root(), &rendered.files);
    let former = former_units(state, &rendered.was, options);
    let (mut cases, mut problems) = survey::survey(state, files, &former, options);
    let reasons = Reasons::new(rendered, state, &former)?;
    for case in &mut cases {
        if let (Some(file), Some(_)) = (case.rendered, &case.entry) {
            case.changed = reasons.of(file, !case.doubtful_base);
        }
        case.resolve(options);
    }
    let (texts, notice) = texts::gather(state, &cases, options)?;
    let units: BTreeSet<&str> = files.iter().map(|file| file.unit.as_str()).collect();
    let renamed = rendered.renamed.iter().cloned();
    let names = mention::names(renamed.chain(reasons.renamed_relations()), &former);
    let mut records = Records::new(former.clone());
    let mut changes = Vec::with_capacity(cases.len());
    let mut mentions = Vec::new();
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
        mentions.extend(mention::find(&names, state, (case, texts), &change));
        changes.push(change);
    }
    let surveyed: BTreeSet<&str> = cases.iter().map(|case| case.path).collect();
    let known = |path: &str| surveyed.contains(path) || state.entry(path).is_some();
    mentions.extend(mention::in_own_files(&names, root, &known));
    let unwritable = unwritable(&cases, &changes);
    let (told, refused) = match options.reads_only {
        true => (unwritable, Vec::new()),
        false => (Vec::new(), unwritable),
    };
    problems.extend(refused);
    if !change::has_markers(&changes) {
        // Unresolved markers are reported before them.
        Refused::unless_empty(Exit::Failed, std::mem::take(&mut problems))?;
    }
    name_lookalikes(root, state, &cases, &texts, &mut changes);
    let state = records.changes(state, rendered, options)?;
    let notices = notice.into_iter().chain(problems).chain(told);
    let notices = notices.chain(twins(root, &changes));
    Ok(Plan {
        notices: notices.collect(),
        files: changes,
        mentions,
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

/// A read-only file is not replaced.
fn unwritable(cases: &[Case<'_>], files: &[FileChange]) -> Vec<String> {
    let protected = |case: &Case<'_>| case.file.as_ref().is_some_and(|file| file.read_only);
    let touched = |change: &FileChange| change.written().is_some() || change.class == Class::Delete;
    let both = cases
        .iter()
        .zip(files)
        .filter(|(case, change)| protected(case) && touched(change));
    both.map(|(case, _)| format!("{}: it is read-only, and this run changes it", case.path))
        .collect()
}

/// New files that are the same as another one on a disk that ignores case.
fn twins(root: &Path, files: &[FileChange]) -> Vec<String> {
    let new = files.iter().filter(|file| file.class == Class::Create);
    let twins = twin::twins(root, new.map(|file| file.place.as_str()));
    let sentence = |(twin, path): (String, &str)| {
        format!(
            "{twin} and {path} differ in case only: on many disks they are one file; rename yours"
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
                .push_str(&format!("; {path} has similar text"));
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
