//! `formwork destroy resource …`: the manifest and the files that are
//! as generated go, what was edited is listed and stays, and the table is dropped by a migration.

use std::collections::BTreeSet;

use anyhow::Result;

use super::run::{Request, Run};
use super::{pipeline, root, units};
use crate::cli::{Cli, DestroyArgs, DestroyCommand, RunArgs};
use crate::error::Refused;
use crate::exit::Exit;
use crate::manifest::{ManifestFile, Sources};
use crate::name;
use crate::plan::ManifestEdit;
use crate::report::Mode;
use crate::schema::Previous;
use crate::state::State;
use crate::suggestion::did_you_mean;

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
    let run = Run {
        command: "destroy",
        root: &root,
        mode: match dry_run {
            true => Mode::DryRun,
            false => Mode::Generate,
        },
        diff: *diff,
        chosen: &RunArgs::default(),
        request: &|| request(Sources::read(&root)?, &State::load(&root)?, ext, name),
    };
    pipeline::report(cli, &run)
}

/// The project without what the command line names: a resource or supporting model, whose manifest may be gone
/// already, but not its files or its table.
fn request(mut sources: Sources, state: &State, ext: &str, word: &str) -> Result<Request> {
    let folder = extension(&sources, ext)?;
    let of_folder = |file: &ManifestFile<'_>| file.folder == folder;
    let manifests: Vec<_> = sources.manifests().filter(of_folder).collect();
    let left = left(state, &folder)?;
    let stems = manifests.iter().map(|file| file.stem);
    let known: BTreeSet<&str> = stems.chain(left.iter().map(String::as_str)).collect();
    let key = name::key_of(word, known.iter().copied());
    if !known.contains(key.as_str()) {
        let known: Vec<&str> = known.into_iter().collect();
        let hint = did_you_mean(word, &known).map_or(String::new(), |hint| format!(": {hint}"));
        let problem = format!("the extension `{folder}` has no resource `{word}`{hint}");
        return Err(Refused::new(Exit::Usage, problem).into());
    }
    let unit = format!("{folder}.{key}");
    let manifest = manifests.iter().find(|file| file.stem == key);
    let edit = manifest.map(|file| ManifestEdit {
        path: file.path.to_owned(),
        unit: unit.clone(),
        before: Some(file.bytes.to_vec()),
        after: None,
    });
    let edits: Vec<ManifestEdit> = edit.into_iter().collect();
    for edit in &edits {
        sources.remove(&edit.path);
    }
    Ok(Request {
        sources,
        edits,
        units: Some(units::of(&folder, Some(&key))),
        destroyed: Some(unit),
    })
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
