//! `formwork generate …` and `formwork status`.

use anyhow::Result;

use super::run::{Request, Run};
use super::{pipeline, root, units};
use crate::cli::{Cli, GenerateArgs, GenerateCommand, ResourceArgs, RunArgs};
use crate::error::Refused;
use crate::exit::Exit;
use crate::manifest::shorthand::{self, NewManifest};
use crate::manifest::{ManifestKind, Sources, edit, manifest_path};
use crate::name;
use crate::plan::ManifestEdit;
use crate::report::Mode;

/// Renders everything, or makes an extension or a resource first.
///
/// # Errors
/// A refusal, or what reading or writing failed with.
pub fn run(cli: &Cli, args: &GenerateArgs) -> Result<Exit> {
    let root = root::find(cli)?;
    let mode = mode(&args.run);
    let run = Run {
        command: "generate",
        root: &root,
        mode,
        diff: args.run.diff || mode == Mode::Check,
        chosen: &args.run,
        request: &|| request(Sources::read(&root)?, args.what.as_ref()),
    };
    pipeline::report(cli, &run)
}

/// Says what is not as rendered; writes nothing.
///
/// # Errors
/// A refusal, or what reading failed with.
pub fn status(cli: &Cli) -> Result<Exit> {
    let root = root::find(cli)?;
    let run = Run {
        command: "status",
        root: &root,
        mode: Mode::Status,
        diff: false,
        chosen: &RunArgs::default(),
        request: &|| Ok(Request::all(Sources::read(&root)?)),
    };
    pipeline::report(cli, &run)
}

fn mode(run: &RunArgs) -> Mode {
    match (run.check, run.dry_run) {
        (true, _) => Mode::Check,
        (_, true) => Mode::DryRun,
        _ => Mode::Generate,
    }
}

fn request(sources: Sources, what: Option<&GenerateCommand>) -> Result<Request> {
    match what {
        None => Ok(Request::all(sources)),
        Some(GenerateCommand::Extension { ext }) => extension(sources, ext),
        Some(GenerateCommand::Resource(args)) => resource(sources, args),
    }
}

/// Declares an extension, which the templates then pour.
fn extension(mut sources: Sources, id: &str) -> Result<Request> {
    let folder = declare(&mut sources, id)?;
    Ok(Request {
        units: Some(units::of(&folder, None)),
        ..Request::all(sources)
    })
}

/// Folder of the extension `id`, declared in the sources where no `Cargo.toml` names it yet.
fn declare(sources: &mut Sources, id: &str) -> Result<String> {
    let names = name::extension(id).map_err(|reason| Refused::new(Exit::Usage, reason))?;
    if sources.extension_cargo(&names.folder).is_none() {
        sources.declare_extension(names.folder.clone(), id);
    }
    Ok(names.folder)
}

/// Writes or extends the resource's manifest in the sources.
fn resource(mut sources: Sources, args: &ResourceArgs) -> Result<Request> {
    if !name::is_word(&args.name) {
        let problem = format!(
            "`{}` is no name for a resource: write it in letters, digits and `_`, as `menus` or `menu_items`",
            args.name
        );
        return Err(Refused::new(Exit::Usage, problem).into());
    }
    let folder = declare(&mut sources, &args.ext)?;
    let wanted = shorthand::parse(&args.attributes).map_err(|mistakes| {
        Refused::all(
            Exit::Usage,
            mistakes.iter().map(ToString::to_string).collect(),
        )
    })?;
    let known = sources
        .manifests()
        .filter(|file| file.folder == folder && file.kind == ManifestKind::Resource);
    let key = name::key_of(&args.name, known.map(|file| file.stem));
    let path = manifest_path(&folder, ManifestKind::Resource, &key);
    let before = sources.bytes(&path).map(<[u8]>::to_vec);
    let text = match before.as_deref().map(str::from_utf8) {
        Some(Ok(text)) => Some(extend(text, &wanted, args, &path)?),
        // It is reported with all other mistakes, and stays as it is.
        Some(Err(_)) => None,
        None => Some(write(&key, wanted, args)),
    };
    let mut edits = Vec::new();
    if let Some(text) = text.filter(|text| before.as_deref() != Some(text.as_bytes())) {
        sources.set(path.clone(), text.clone());
        edits.push(ManifestEdit {
            path,
            unit: format!("{folder}.{key}"),
            before,
            after: Some(text),
        });
    }
    Ok(Request {
        units: Some(units::of(&folder, Some(&key))),
        edits,
        ..Request::all(sources)
    })
}

fn write(key: &str, shorthand: shorthand::Shorthand, args: &ResourceArgs) -> String {
    let actions = args.actions.join(",");
    shorthand::write(&NewManifest {
        key,
        table: args.table.as_deref(),
        actions: (!actions.is_empty()).then_some(actions.as_str()),
        repository: args.repository.as_deref(),
        shorthand,
    })
}

/// A known resource gets the attributes it lacks; the rest of its manifest is changed in the manifest.
fn extend(
    text: &str,
    wanted: &shorthand::Shorthand,
    args: &ResourceArgs,
    path: &str,
) -> Result<String, Refused> {
    let named = [
        ("--actions", !args.actions.is_empty()),
        ("--repository", args.repository.is_some()),
        ("--table", args.table.is_some()),
    ];
    let refused = named.iter().filter(|(_, given)| *given).map(|(option, _)| {
        format!("{option}: {path} is there already: change it in the manifest, then run formwork generate")
    });
    Refused::unless_empty(Exit::Usage, refused.collect())?;
    edit::add(text, wanted).map_err(|error| Refused::new(Exit::Usage, format!("{path}: {error}")))
}
