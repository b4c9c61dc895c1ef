//! `formwork generate …` and `formwork status`.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;
use serde_json::Value;

use super::pipeline::{self, Draft, Request};
use super::turn::Turn;
use super::{mistakes, print, progress, root};
use crate::apply;
use crate::cli::{Cli, Format, GenerateArgs, GenerateCommand, ResourceArgs, RunArgs};
use crate::error::Refused;
use crate::exit::Exit;
use crate::manifest::shorthand::{self, NewManifest};
use crate::manifest::{ManifestKind, Sources, edit, manifest_path};
use crate::name;
use crate::plan::Plan;
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
    let _turn = match mode(&args.run) {
        Mode::Generate => Turn::wait(&root)?,
        _ => None,
    };
    once(cli, args, &root)
}

fn once(cli: &Cli, args: &GenerateArgs, root: &Path) -> Result<Exit> {
    // The manifests are read for each plan: a run that was killed is finished before, and files may change
    // under this one.
    let mut diagnostics = Vec::new();
    let mut plan = || {
        let (plan, found) = planned(cli, args, root)?;
        diagnostics = found;
        Ok(plan)
    };
    let mode = mode(&args.run);
    let plan = match mode {
        Mode::Generate => apply::run(root, plan)?,
        _ => preview(root, plan()?),
    };
    let diff = args.run.diff || mode == Mode::Check;
    let report = Report {
        plan: &plan,
        command: "generate",
        mode,
        diff,
        diagnostics: &diagnostics,
    };
    show(cli, &report)
}

/// The plan, and the warnings about the manifests it was made from.
fn planned(cli: &Cli, args: &GenerateArgs, root: &Path) -> Result<(Plan, Vec<Value>)> {
    let mut sources = Sources::read(root)?;
    let scope = match &args.what {
        None => Scope::default(),
        Some(GenerateCommand::Extension { ext }) => extension(&mut sources, ext)?,
        Some(GenerateCommand::Resource(resource)) => self::resource(&mut sources, resource)?,
    };
    let checked = mistakes::check(&sources, cli)?;
    let Scope { drafts, units } = scope;
    let request = Request {
        root,
        drafts: &drafts,
        units,
        destroyed: None,
        writes: mode(&args.run) == Mode::Generate,
        run: &args.run,
    };
    let plan = pipeline::plan(&request, &checked.project)?;
    Ok((plan, checked.diagnostics))
}

/// What only reads says that a run was killed, and leaves the project as that left it.
pub(super) fn preview(root: &Path, mut plan: Plan) -> Plan {
    plan.is_unfinished = apply::is_unfinished(root);
    if plan.is_unfinished {
        let notice = "a run was interrupted while it wrote: formwork generate finishes it first";
        plan.notices.insert(0, notice.to_owned());
    }
    plan
}

/// Says what is not as rendered; writes nothing.
///
/// # Errors
/// A refusal, or what reading failed with.
pub fn status(cli: &Cli) -> Result<Exit> {
    let root = root::find(cli)?;
    let sources = Sources::read(&root)?;
    let checked = mistakes::check(&sources, cli)?;
    let run = RunArgs::default();
    let request = Request {
        root: &root,
        drafts: &[],
        units: None,
        destroyed: None,
        writes: false,
        run: &run,
    };
    let plan = preview(&root, pipeline::plan(&request, &checked.project)?);
    let report = Report {
        plan: &plan,
        command: "status",
        mode: Mode::Status,
        diff: false,
        diagnostics: &checked.diagnostics,
    };
    show(cli, &report)
}

fn mode(run: &RunArgs) -> Mode {
    match (run.check, run.dry_run) {
        (true, _) => Mode::Check,
        (_, true) => Mode::DryRun,
        _ => Mode::Generate,
    }
}

/// Prints a report; returns the status it stands for.
pub(super) fn show(cli: &Cli, report: &Report<'_>) -> Result<Exit> {
    progress::finish();
    match cli.format {
        Format::Json => print::out(&format!("{}\n", report.json()))?,
        Format::Text => print::out(&report.text(cli.quiet))?,
    }
    Ok(report.exit())
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
    if !name::is_word(&args.name) {
        let problem = format!(
            "`{}` is no name for a resource: write it in letters, digits and `_`, as `menus` or `menu_items`",
            args.name
        );
        return Err(Refused::new(Exit::Usage, problem).into());
    }
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
    let before = sources.bytes(&path).map(<[u8]>::to_vec);
    let text = match before.as_deref().map(str::from_utf8) {
        Some(Ok(text)) => Some(extend(text, &wanted, args, &path)?),
        // It is reported with all other mistakes, and stays as it is.
        Some(Err(_)) => None,
        None => Some(write(&key, wanted, args)),
    };
    let mut scope = Scope {
        units: Some(units(&folder, Some(&key))),
        ..Scope::default()
    };
    if let Some(text) = text.filter(|text| before.as_deref() != Some(text.as_bytes())) {
        sources.set(path.clone(), text.clone());
        scope.drafts.push(Draft {
            path,
            before,
            text,
            unit: format!("{folder}.{key}"),
        });
    }
    Ok(scope)
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
