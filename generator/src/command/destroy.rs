//! `formwork destroy resource …` (regeneration.md, "Commands"): the manifest and the files that are
//! as generated go, what was edited is listed and stays, and the table is dropped by a migration.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::generate::{self, units};
use super::pipeline::{self, Request};
use super::turn::Turn;
use super::{mistakes, root};
use crate::apply;
use crate::cli::{Cli, DestroyArgs, DestroyCommand, RunArgs};
use crate::error::Refused;
use crate::exit::Exit;
use crate::manifest::Sources;
use crate::merge::style;
use crate::name;
use crate::plan::place::Places;
use crate::plan::{Before, Class, FileChange, Plan, StateChange};
use crate::report::{Mode, Report};
use crate::schema::Previous;
use crate::state::{self, Digest, State};
use crate::suggestion::did_you_mean;

/// Where edited manifests go, below the state.
const FOLDER: &str = "destroyed";

/// A resource or supporting model that is to go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destroyed {
    /// Its unit, `igniter_cart.menus`.
    pub unit: String,
    /// Its manifest below the project; `None` where that is gone already, but its files or its table are not.
    pub manifest: Option<String>,
}

/// Removes a resource.
///
/// # Errors
/// A refusal, or what reading or writing failed with; then nothing is written.
pub fn run(cli: &Cli, args: &DestroyArgs) -> Result<Exit> {
    let DestroyCommand::Resource {
        ext,
        name,
        dry_run,
        diff,
    } = &args.what;
    let root = root::find(cli)?;
    let _turn = match dry_run {
        true => None,
        false => Turn::wait(&root)?,
    };
    // The manifests are read for each plan: files may change under a run.
    let mut diagnostics = Vec::new();
    let mut plan = || {
        let (plan, found) = planned(cli, &root, (ext, name), !dry_run)?;
        diagnostics = found;
        Ok(plan)
    };
    let (plan, mode) = match dry_run {
        true => (generate::preview(&root, plan()?), Mode::DryRun),
        false => (apply::run(&root, plan)?, Mode::Generate),
    };
    let report = Report {
        plan: &plan,
        command: "destroy",
        mode,
        diff: *diff,
        diagnostics: &diagnostics,
    };
    generate::show(cli, &report)
}

/// The plan, and the warnings about the manifests that are left.
fn planned(
    cli: &Cli,
    root: &Path,
    (ext, name): (&str, &str),
    writes: bool,
) -> Result<(Plan, Vec<Value>)> {
    let mut sources = Sources::read(root)?;
    let (destroyed, units) = find(&sources, root, ext, name)?;
    if let Some(manifest) = &destroyed.manifest {
        sources.remove(manifest);
    }
    let checked = mistakes::check(&sources, cli).with_context(|| {
        let unit = &destroyed.unit;
        format!("nothing was destroyed: without {unit} the manifests are wrong")
    })?;
    let run = RunArgs::default();
    let request = Request {
        root,
        drafts: &[],
        units: Some(units),
        destroyed: Some(&destroyed),
        writes,
        run: &run,
    };
    let plan = pipeline::plan(&request, &checked.project)?;
    Ok((plan, checked.diagnostics))
}

/// What the command line names, and the units it changes.
fn find(
    sources: &Sources,
    root: &Path,
    ext: &str,
    word: &str,
) -> Result<(Destroyed, BTreeSet<String>)> {
    let folder = extension(sources, ext)?;
    let of_folder = |file: &crate::manifest::ManifestFile<'_>| file.folder == folder;
    let manifests: Vec<_> = sources.manifests().filter(of_folder).collect();
    let left = left(&State::load(root)?, &folder)?;
    let stems = manifests.iter().map(|file| file.stem);
    let known: BTreeSet<&str> = stems.chain(left.iter().map(String::as_str)).collect();
    let key = name::key_of(word, known.iter().copied());
    if !known.contains(key.as_str()) {
        let known: Vec<&str> = known.into_iter().collect();
        let hint = did_you_mean(word, &known).map_or(String::new(), |hint| format!(": {hint}"));
        let problem = format!("the extension `{folder}` has no resource `{word}`{hint}");
        return Err(Refused::new(Exit::Usage, problem).into());
    }
    let manifest = manifests.iter().find(|file| file.stem == key);
    let destroyed = Destroyed {
        unit: format!("{folder}.{key}"),
        manifest: manifest.map(|file| file.path.to_owned()),
    };
    Ok((destroyed, units(&folder, Some(&key))))
}

fn extension(sources: &Sources, id: &str) -> Result<String> {
    let names = name::extension(id).map_err(|reason| Refused::new(Exit::Usage, reason))?;
    let known: Vec<&str> = sources.extension_folders().into_iter().collect();
    if known.contains(&names.folder.as_str()) {
        return Ok(names.folder);
    }
    let hint =
        did_you_mean(&names.folder, &known).map_or(String::new(), |hint| format!(": {hint}"));
    Err(Refused::new(Exit::Usage, format!("there is no extension `{id}`{hint}")).into())
}

/// Keys whose manifest may be gone, but whose table is not.
fn left(state: &State, folder: &str) -> Result<Vec<String>> {
    let schema = Previous::read(state)?.schema;
    let of_folder = |unit: &str| {
        let key = unit.strip_prefix(folder)?.strip_prefix('.')?;
        Some(key.to_owned())
    };
    let tables = schema.tables.values();
    Ok(tables.filter_map(|table| of_folder(&table.unit)).collect())
}

/// What becomes of the manifest.
#[derive(Debug, Default)]
pub(super) struct Removal {
    file: Option<FileChange>,
    base: Option<StateChange>,
}

impl Destroyed {
    /// Takes the manifest out of the state, and plans what becomes of the file: one that is as the
    /// command line wrote it goes, any other moves to `.formwork/destroyed`.
    ///
    /// # Errors
    /// A refusal where the manifest's path leads out of the project.
    pub(super) fn removal(&self, root: &Path, state: &mut State) -> Result<Removal> {
        let Some(path) = &self.manifest else {
            return Ok(Removal::default());
        };
        let found = Places::new(root).look(path);
        let place = found.map_err(|why| Refused::new(Exit::Failed, why))?;
        let recorded = state.forget(path);
        let base = recorded.as_ref().map(|_| StateChange {
            path: format!("{}/base/{path}", state::FOLDER),
            new: None,
            before: Before::Unknown,
        });
        let gone = place.removable().to_owned();
        let Some(file) = place.file else {
            return Ok(Removal { file: None, base });
        };
        let written = recorded.and_then(|entry| entry.base);
        let text = String::from_utf8_lossy(&file.bytes);
        let as_written = written == Some(Digest::of(style::normalise(&text).as_bytes()));
        let mut change = FileChange {
            path: path.clone(),
            place: gone,
            class: Class::Delete,
            new: None,
            mode: file.mode,
            reason: "destroyed, as asked for".to_owned(),
            moved_from: None,
            old: Some(file.bytes),
        };
        if !as_written {
            set_aside(&mut change, &free_path(root, &self.unit));
        }
        let file = Some(change);
        Ok(Removal { file, base })
    }
}

/// An edited manifest holds what no command line can say again.
fn set_aside(change: &mut FileChange, path: &str) {
    change.class = Class::Move;
    change.new = change.old.clone();
    change.moved_from = Some(std::mem::replace(&mut change.place, path.to_owned()));
    path.clone_into(&mut change.path);
    "it is written by hand: move it back, and formwork generate makes the resource again"
        .clone_into(&mut change.reason);
}

/// `.formwork/destroyed/shop.dishes.yaml`, or the next number where that is taken.
fn free_path(root: &Path, unit: &str) -> String {
    let path = |number: usize| {
        let number = if number > 1 {
            format!(".{number}")
        } else {
            String::new()
        };
        format!("{}/{FOLDER}/{unit}{number}.yaml", state::FOLDER)
    };
    let taken = |number: &usize| root.join(path(*number)).symlink_metadata().is_ok();
    let number = (1..).find(|number| !taken(number)).unwrap_or(1);
    path(number)
}

impl Removal {
    /// Makes it part of the plan, so that it happens with everything else, or not at all.
    pub(super) fn add_to(self, plan: &mut Plan) {
        plan.files.extend(self.file);
        plan.files.sort_by(|one, other| one.path.cmp(&other.path));
        plan.state.extend(self.base);
    }
}
