//! `formwork destroy …`: removes the manifests and unedited files, lists and keeps edited ones, and
//! emits migrations that drop the tables.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use formwork_vocabulary::did_you_mean::nearest;

use super::root;
use crate::cli::{Cli, DestroyArgs, DestroyCommand};
use crate::error::Refused;
use crate::exit::Exit;
use crate::manifest::{ManifestFile, ManifestKind, Sources};
use crate::name;
use crate::plan::ManifestEdit;
use crate::report::Mode;
use crate::run::pipeline;
use crate::run::request::{Destroyed, Purpose, Request, Run, units_of};
use crate::schema::Previous;
use crate::state::{State, is_of};
use crate::suggestion::did_you_mean;

/// Removes the resource, model or extension that the command line names.
///
/// # Errors
/// A refusal, or what reading or writing failed with; then no file is written.
pub fn run(cli: &Cli, args: &DestroyArgs) -> Result<Exit> {
    let root = root::find(cli)?;
    let how = match &args.command {
        DestroyCommand::Resource(args) | DestroyCommand::Model(args) => args.run,
        DestroyCommand::Extension { run, .. } => *run,
    };
    let request = || {
        let project = Existing::read(&root)?;
        match &args.command {
            DestroyCommand::Resource(args) => {
                project.without_resource(&args.ext, &args.name, ManifestKind::Resource)
            }
            DestroyCommand::Model(args) => {
                project.without_resource(&args.ext, &args.name, ManifestKind::Model)
            }
            DestroyCommand::Extension { ext, .. } => project.without_extension(ext),
        }
    };
    let run = Run {
        mode: match how.dry_run {
            true => Mode::DryRun,
            false => Mode::Generate,
        },
        diff: how.diff,
        ..Run::new("destroy", &root, Purpose::Render(&request))
    };
    pipeline::report(cli, &run)
}

/// Keys, and what each of them is.
type Keys = BTreeMap<String, Option<ManifestKind>>;

/// The resources, models and extensions of a project.
struct Existing {
    sources: Sources,
    state: State,
    /// Units that have a table.
    with_tables: BTreeSet<String>,
}

impl Existing {
    fn read(root: &std::path::Path) -> Result<Self> {
        let state = State::load(root)?;
        let tables = Previous::read(&state)?.schema.tables;
        Ok(Existing {
            sources: Sources::read(root)?,
            with_tables: tables.into_values().map(|table| table.unit).collect(),
            state,
        })
    }

    /// The project without a resource or supporting model, whose manifest may be gone already, but not its files or
    /// its table.
    fn without_resource(mut self, ext: &str, word: &str, kind: ManifestKind) -> Result<Request> {
        let folder = self.extension(ext)?;
        let known = self.keys(&folder);
        let key = name::key_of(word, known.keys().map(String::as_str));
        match known.get(&key) {
            None => return Err(unknown(&folder, word, &known, kind).into()),
            Some(Some(other)) if *other != kind => {
                let problem = line_for(&folder, &key, *other);
                return Err(Refused::new(Exit::Usage, problem).into());
            }
            Some(_) => {}
        }
        let unit = format!("{folder}.{key}");
        let edits = self.take_manifests(|file| file.folder == folder && file.stem == key);
        Ok(Request {
            command: None,
            sources: self.sources,
            edits,
            units: Some(units_of(&folder, Some(&key))),
            destroyed: Some(Destroyed {
                name: unit.clone(),
                units: BTreeSet::from([unit]),
                extension: None,
                notices: Vec::new(),
            }),
        })
    }

    /// The project without an extension. As long as it has tables, its crate stays with the
    /// migrations that drop them.
    fn without_extension(mut self, ext: &str) -> Result<Request> {
        let folder = self.extension(ext)?;
        let mut units: BTreeSet<String> = units_of(&folder, None);
        let (locks, tables) = (self.state.locks(), self.with_tables.iter());
        let recorded = locks
            .map(|(unit, _)| unit)
            .chain(tables.map(String::as_str));
        units.extend(
            recorded
                .filter(|unit| is_of(unit, &folder))
                .map(str::to_owned),
        );
        let tables = self.tables_of(&folder);
        let is_crate = self.sources.extension_cargo(&folder).is_some();
        let stays = is_crate && !tables.is_empty();
        let mut edits = self.take_manifests(|file| file.folder == folder);
        units.extend(edits.iter().map(|edit| edit.unit.clone()));
        if !stays {
            edits.extend(self.take_cargo(&folder));
        }
        Ok(Request {
            command: None,
            sources: self.sources,
            edits,
            destroyed: Some(Destroyed {
                name: folder.clone(),
                units: units.clone(),
                notices: notices(&folder, stays, is_crate, &tables),
                extension: (!stays).then_some(folder),
            }),
            units: Some(units),
        })
    }

    /// The folder of an extension that is there, or was poured to.
    fn extension(&self, id: &str) -> Result<String> {
        let names = name::extension(id).map_err(|reason| Refused::new(Exit::Usage, reason))?;
        let mut known = self.sources.extension_folders();
        let units = self.state.locks().map(|(unit, _)| unit);
        let of_extensions = units.filter_map(|unit| Some(unit.split_once('.')?.0));
        known.extend(of_extensions);
        if known.contains(names.folder.as_str()) {
            return Ok(names.folder);
        }
        let known: Vec<&str> = known.into_iter().collect();
        let hint =
            did_you_mean(&names.folder, &known).map_or(String::new(), |hint| format!(": {hint}"));
        Err(Refused::new(Exit::Usage, format!("there is no extension `{id}`{hint}")).into())
    }

    /// Keys of an extension whose manifest or table is there. What a key without a manifest was is
    /// not known.
    fn keys(&self, folder: &str) -> Keys {
        let tables = self.with_tables.iter();
        let tables = tables.filter_map(|unit| unit.strip_prefix(folder)?.strip_prefix('.'));
        let mut keys: Keys = tables.map(|key| (key.to_owned(), None)).collect();
        let manifests = self.sources.manifests();
        let manifests = manifests.filter(|file| file.folder == folder);
        keys.extend(manifests.map(|file| (file.stem.to_owned(), Some(file.kind))));
        keys
    }

    fn tables_of(&self, folder: &str) -> Vec<String> {
        let units = self.with_tables.iter();
        units.filter(|unit| is_of(unit, folder)).cloned().collect()
    }

    /// Removes manifests from the sources; returns the edits of their files.
    fn take_manifests(
        &mut self,
        is_destroyed: impl Fn(&ManifestFile<'_>) -> bool,
    ) -> Vec<ManifestEdit> {
        let files = self.sources.manifests().filter(is_destroyed);
        let edit = |file: ManifestFile<'_>| {
            let unit = format!("{}.{}", file.folder, file.stem);
            edit(file.path, unit, file.bytes)
        };
        let edits: Vec<_> = files.map(edit).collect();
        for edit in &edits {
            self.sources.remove(&edit.path);
        }
        edits
    }

    /// An extension is there as long as its `Cargo.toml` is.
    fn take_cargo(&mut self, folder: &str) -> Option<ManifestEdit> {
        let path = format!("extensions/{folder}/Cargo.toml");
        let edit = edit(&path, folder.to_owned(), self.sources.bytes(&path)?);
        self.sources.remove(&path);
        Some(edit)
    }
}

fn edit(path: &str, unit: String, bytes: &[u8]) -> ManifestEdit {
    ManifestEdit {
        path: path.to_owned(),
        unit,
        before: Some(bytes.to_vec()),
        after: None,
    }
}

/// Suggests what the command removes; where only something of the other kind is similar, the line
/// that removes that.
fn unknown(folder: &str, word: &str, known: &Keys, kind: ManifestKind) -> Refused {
    let is_other = |is: &Option<ManifestKind>| is.is_some_and(|is| is != kind);
    let (others, own): (Vec<_>, Vec<_>) = known.iter().partition(|(_, is)| is_other(is));
    let own: Vec<&str> = own.into_iter().map(|(key, _)| key.as_str()).collect();
    let other = nearest(word, others.iter().map(|(key, _)| key.as_str()));
    let other = other.filter(|_| nearest(word, own.iter().copied()).is_none());
    let hint = match other.and_then(|key| Some((key, known.get(key).copied()??))) {
        Some((key, other)) => Some(line_for(folder, key, other)),
        None => did_you_mean(word, &own),
    };
    let hint = hint.map_or(String::new(), |hint| format!(": {hint}"));
    let problem = format!(
        "the extension `{folder}` has no {} `{word}`{hint}",
        kind.word()
    );
    Refused::new(Exit::Usage, problem)
}

fn line_for(folder: &str, key: &str, kind: ManifestKind) -> String {
    let word = kind.word();
    format!("`{key}` is a {word}: write `formwork destroy {word} {folder} {key}`")
}

fn notices(folder: &str, stays: bool, is_crate: bool, units: &[String]) -> Vec<String> {
    let list = units.join(", ");
    let notice = match (stays, is_crate) {
        (true, _) => format!(
            "extensions/{folder} stays for the migrations that drop its tables: once every database has run them, \
             `formwork destroy extension {folder}` removes it as well"
        ),
        (false, true) => format!(
            "the migrations of extensions/{folder} go as well: a database that has not run all of them keeps its tables"
        ),
        (false, false) if units.is_empty() => return Vec::new(),
        (false, false) => format!(
            "extensions/{folder} is gone, and no migration can drop its tables: databases keep the tables of {list}"
        ),
    };
    vec![notice]
}
