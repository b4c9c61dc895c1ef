//! `formwork generate …` and `formwork status`.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::pipeline::{self, Draft, Request};
use super::{progress, root};
use crate::apply;
use crate::cli::{Cli, Format, GenerateArgs, GenerateCommand, ResourceArgs, RunArgs};
use crate::error::Refused;
use crate::exit::Exit;
use crate::manifest::shorthand::{self, NewManifest};
use crate::manifest::{ManifestKind, Sources, edit, manifest_path};
use crate::name;
use crate::report::{Mode, Report};

/// What one run of `generate` works on.
#[derive(Debug, Default)]
struct Scope {
    drafts: Vec<Draft>,
    units: Option<BTreeSet<String>>,
}

/// Renders everything, or makes an extension or a resource first.
///
/// # Errors
/// A refusal, or what reading or writing failed with.
pub fn run(cli: &Cli, args: &GenerateArgs) -> Result<Exit> {
    let root = root::find(cli)?;
    let _turn = if mode(&args.run) == Mode::Generate {
        wait_for_turn(&root)?
    } else {
        None
    };
    once(cli, args, &root)
}

/// So long a run waits for its turn.
const PATIENCE: Duration = Duration::from_secs(30);

/// Runs that write read the manifests one after the other: the aggregates of a run that read them before
/// another wrote its own would leave that one out. An OS lock, freed by a kill, on a file nobody reads.
fn wait_for_turn(root: &Path) -> Result<Option<File>> {
    let Ok(file) = File::open(root.join(crate::state::FOLDER).join(".gitignore")) else {
        return Ok(None);
    };
    let deadline = Instant::now() + PATIENCE;
    while let Err(error) = file.try_lock() {
        let TryLockError::WouldBlock = error else {
            return Ok(None);
        };
        if Instant::now() > deadline {
            let problem = "another formwork is at work on this project: wait for it, and run again";
            return Err(Refused::new(Exit::Failed, problem).into());
        }
        thread::sleep(Duration::from_millis(10));
    }
    Ok(Some(file))
}

fn once(cli: &Cli, args: &GenerateArgs, root: &Path) -> Result<Exit> {
    let mut sources = Sources::read(root)?;
    let scope = match &args.what {
        None => Scope::default(),
        Some(GenerateCommand::Extension { ext }) => extension(&mut sources, ext)?,
        Some(GenerateCommand::Resource(resource)) => self::resource(&mut sources, resource)?,
    };
    let Ok(project) = pipeline::resolve(&sources, cli) else {
        return Ok(Exit::Usage);
    };
    let Scope { drafts, units } = scope;
    let request = Request {
        root,
        drafts: &drafts,
        units,
        destroyed: None,
        run: &args.run,
    };
    let mode = mode(&args.run);
    let plan = match mode {
        Mode::Generate => apply::run(root, || pipeline::plan(&request, &project)),
        _ => pipeline::plan(&request, &project),
    };
    let plan = plan.map_err(|error| {
        if mode == Mode::Check {
            as_drift(error)
        } else {
            error
        }
    })?;
    let diff = args.run.diff || mode == Mode::Check;
    Ok(print(
        cli,
        &Report {
            plan: &plan,
            command: "generate",
            mode,
            diff,
        },
    ))
}

/// Says what is not as rendered; writes nothing.
///
/// # Errors
/// A refusal, or what reading failed with.
pub fn status(cli: &Cli) -> Result<Exit> {
    let root = root::find(cli)?;
    let sources = Sources::read(&root)?;
    let Ok(project) = pipeline::resolve(&sources, cli) else {
        return Ok(Exit::Usage);
    };
    let run = RunArgs::default();
    let request = Request {
        root: &root,
        drafts: &[],
        units: None,
        destroyed: None,
        run: &run,
    };
    let plan = pipeline::plan(&request, &project)?;
    Ok(print(
        cli,
        &Report {
            plan: &plan,
            command: "status",
            mode: Mode::Status,
            diff: false,
        },
    ))
}

fn mode(run: &RunArgs) -> Mode {
    match (run.check, run.dry_run) {
        (true, _) => Mode::Check,
        (_, true) => Mode::DryRun,
        _ => Mode::Generate,
    }
}

/// `--check` answers 5 where a run would refuse a destructive migration (regeneration.md, "Commands").
fn as_drift(error: anyhow::Error) -> anyhow::Error {
    match error.downcast::<Refused>() {
        Ok(refused) if refused.exit == Exit::Destructive => Refused {
            exit: Exit::Drift,
            ..refused
        }
        .into(),
        Ok(refused) => refused.into(),
        Err(error) => error,
    }
}

pub(super) fn print(cli: &Cli, report: &Report<'_>) -> Exit {
    progress::finish();
    match cli.format {
        Format::Json => anstream::println!("{}", report.json()),
        Format::Text => anstream::print!("{}", report.text(cli.quiet)),
    }
    report.exit()
}

/// Declares an extension, which the templates then pour.
fn extension(sources: &mut Sources, id: &str) -> Result<Scope> {
    let folder = declare(sources, id)?;
    Ok(Scope {
        units: Some(units(&folder, None)),
        ..Scope::default()
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

/// The resource's own unit, and the aggregates that list it.
pub(super) fn units(folder: &str, key: Option<&str>) -> BTreeSet<String> {
    let own = key.map(|key| format!("{folder}.{key}"));
    own.into_iter()
        .chain(["project".to_owned(), folder.to_owned()])
        .collect()
}

/// Writes or extends the resource's manifest in the sources.
fn resource(sources: &mut Sources, args: &ResourceArgs) -> Result<Scope> {
    let folder = declare(sources, &args.ext)?;
    let wanted = shorthand::parse(&args.attributes).map_err(|mistakes| {
        let problems = mistakes.iter().map(ToString::to_string).collect();
        Refused {
            exit: Exit::Usage,
            problems,
        }
    })?;
    let known = sources
        .manifests()
        .filter(|file| file.folder == folder && file.kind == ManifestKind::Resource);
    let key = name::key_of(&args.name, known.map(|file| file.stem));
    let path = manifest_path(&folder, ManifestKind::Resource, &key);
    let text = match sources.text(&path) {
        Some(text) => extend(&text, &wanted, args, &path)?,
        None => write(&key, wanted, args),
    };
    let units = Some(units(&folder, Some(&key)));
    if sources.bytes(&path) == Some(text.as_bytes()) {
        return Ok(Scope {
            units,
            ..Scope::default()
        });
    }
    sources.set(path.clone(), text.clone());
    Ok(Scope {
        drafts: vec![Draft {
            path,
            text,
            unit: format!("{folder}.{key}"),
        }],
        units,
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
