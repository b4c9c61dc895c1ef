//! The inputs of planning, and notices about the project.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use anyhow::Result;

use super::history::History;
use super::request::{OWN_TEMPLATES, Request, Run};
use super::{progress, selection};
use crate::apply;
use crate::error::Refused;
use crate::exit::Exit;
use crate::plan::{self, Outdated, Plan, PlanOptions, Selection};
use crate::rendered::Rendered;
use crate::report::Mode;
use crate::schema::Previous;

/// Plans what carrying the render out does.
///
/// # Errors
/// A refusal, or what reading the project failed with.
pub fn plan(
    run: &Run<'_>,
    request: &Request,
    mut rendered: Rendered,
    history: History,
    selection: Selection,
) -> Result<Plan> {
    let count = rendered.files.len();
    progress::phase(format!("comparing {}", progress::files(count)));
    let History {
        mut state,
        previous,
    } = history;
    let paths = rendered.files.iter().map(|file| file.path.as_str());
    let mut files: HashSet<&str> = paths.collect();
    // Entries of files that are nowhere leave the state.
    state.settle_records(|path| files.contains(path))?;
    files.extend(state.entries().map(|entry| entry.path.as_str()));
    selection::check(&selection, &files)?;
    let options = PlanOptions {
        selection,
        units: request.units.clone().map(|mut units| {
            units.insert(OWN_TEMPLATES.to_owned());
            units
        }),
        manifests: request.edits.clone(),
        reads_only: run.mode != Mode::Generate,
    };
    let mut notices = state.notices().to_vec();
    notices.append(&mut rendered.notices);
    let refused = rendered.refused.clone();
    let plan = plan::plan(rendered, state, &options);
    let mut plan = plan.map_err(|error| graver(run, error, refused))?;
    notices.extend(selection::notices(&options.selection, &plan));
    notices.extend(unlisted(run.root, &plan, previous));
    plan.notices.append(&mut notices);
    Ok(plan)
}

/// A destructive migration is reported before files that cannot be read or written, but not by
/// `--check`.
fn graver(run: &Run<'_>, error: anyhow::Error, refused: Option<Refused>) -> anyhow::Error {
    let is_failure = Exit::of(&error) == Exit::Failed && !error.is::<Outdated>();
    match refused.filter(|_| is_failure && run.mode != Mode::Check) {
        Some(refused) => refused.into(),
        None => error,
    }
}

/// Notices about missing SQL, and about SQL that is not a migration.
fn unlisted(root: &Path, plan: &Plan, previous: Previous) -> Vec<String> {
    let is_back = |path: &String| {
        let mut files = plan.files.iter();
        files.any(|file| file.path == *path && file.written().is_some())
    };
    let gone = previous.gone.into_iter().filter(|path| !is_back(path));
    // If its crate is missing, all migrations of the extension are.
    let mut notices: BTreeSet<String> = BTreeSet::new();
    notices.extend(gone.map(|path| match without_crate(root, &path) {
        Some(folder) => format!(
            "extensions/{folder} is missing, and a new database would lack the tables of its migrations: \
             `formwork destroy extension {folder}` forgets it, `formwork generate --restore extensions/{folder}` \
             writes them again"
        ),
        None => format!(
            "{path}: this migration is missing, and a new database would lack its changes: \
             `formwork generate --restore {path}` writes it again"
        ),
    }));
    previous.notices.into_iter().chain(notices).collect()
}

/// The folder of the extension that a path is below, where its crate is gone.
fn without_crate<'p>(root: &Path, path: &'p str) -> Option<&'p str> {
    let (folder, _) = path.strip_prefix("extensions/")?.split_once('/')?;
    let cargo = root.join("extensions").join(folder).join("Cargo.toml");
    (!cargo.exists()).then_some(folder)
}

/// A run that writes nothing reports a killed run, and does not finish it.
pub fn add_unfinished(plan: &mut Plan, root: &Path) {
    plan.is_unfinished = apply::is_unfinished(root);
    if plan.is_unfinished {
        let notice = "a run was interrupted while it wrote: formwork generate finishes it first";
        plan.notices.insert(0, notice.to_owned());
    }
}
