//! Manifests → project → rendered files → plan: what `generate`, `--check`, `status` and `new` share.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;

use super::checkout;
use super::destroy::Destroyed;
use super::progress;
use super::templates::{self, Ejected};
use crate::cli::{Cli, Format, RunArgs};
use crate::diagnostic;
use crate::error::Refused;
use crate::exit::Exit;
use crate::manifest::Sources;
use crate::moment::Clock;
use crate::plan::place::Places;
use crate::plan::{self, Class, FileChange, Plan, PlanOptions, Rendering};
use crate::project::Project;
use crate::render;
use crate::rendered::{Content, Owner, RenderedFile};
use crate::resolve;
use crate::schema::{self, Migrations, Previous};
use crate::state::State;

/// The unit of the project itself.
const PROJECT: &str = "project";

/// A manifest that a command writes before the project is rendered.
#[derive(Debug, Clone)]
pub struct Draft {
    /// Path below the project.
    pub path: String,
    /// Its new text.
    pub text: String,
    /// Unit of the resource it describes.
    pub unit: String,
}

impl Draft {
    /// A new manifest is recorded like a file that is poured once, so that `destroy` can tell one
    /// that nobody touched from one that somebody wrote.
    fn rendered(&self) -> RenderedFile {
        RenderedFile {
            path: self.path.clone(),
            artefact: format!("{}/manifest", self.unit.replace('.', "/")),
            unit: self.unit.clone(),
            owner: Owner::Once,
            content: Content::Text(self.text.clone()),
        }
    }
}

/// What a run plans for.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// Folder of the project.
    pub root: &'a Path,
    /// Files the command itself writes.
    pub drafts: &'a [Draft],
    /// Only these units; everything when `None`.
    pub units: Option<BTreeSet<String>>,
    /// What the command destroys.
    pub destroyed: Option<&'a Destroyed>,
    /// The switches of the command line.
    pub run: &'a RunArgs,
}

impl Request<'_> {
    /// Manifests that are not there yet.
    fn new_drafts(&self) -> impl Iterator<Item = &Draft> {
        let is_new = |draft: &&Draft| !self.root.join(&draft.path).exists();
        self.drafts.iter().filter(is_new)
    }
}

/// Resolves the sources, and prints every mistake and warning.
///
/// # Errors
/// Nothing but the fact: the mistakes are printed.
pub fn resolve(sources: &Sources, cli: &Cli) -> Result<Project, ()> {
    let (project, found) = match resolve::resolve(sources) {
        Ok(resolved) => (Ok(resolved.project), resolved.warnings),
        Err(mistakes) => (Err(()), mistakes),
    };
    if cli.format == Format::Json {
        if !found.is_empty() || project.is_err() {
            anstream::println!("{}", diagnostic::to_json(&found, sources));
        }
    } else if !found.is_empty() && (!cli.quiet || project.is_err()) {
        anstream::eprint!("{}", diagnostic::render(&found, sources, true));
    }
    project
}

/// Says that a project has no mistakes, unless it was asked to be quiet.
pub fn say_all_is_well(cli: &Cli, project: &Project) {
    let (resources, models): (Vec<_>, Vec<_>) =
        project.registered().partition(|(_, one)| one.api.is_some());
    if cli.format == Format::Text && !cli.quiet {
        anstream::println!(
            "No mistakes: {} resources, {} supporting models.",
            resources.len(),
            models.len()
        );
    }
}

/// Plans a run. Reads the disk, writes nothing.
///
/// # Errors
/// A refusal, or what reading failed with.
pub fn plan(request: &Request<'_>, project: &Project) -> Result<Plan> {
    let mut state = State::load(request.root)?;
    for draft in request.new_drafts() {
        // It may have been there before, and have been removed by hand since.
        state.forget(&draft.path);
    }
    let previous = Previous::read(&state)?;
    progress::phase("rendering");
    let emitted = emit(request, project, &previous);
    let refused = emitted.as_ref().err().cloned();
    // Unresolved markers are reported before a destructive migration (regeneration.md, "Commands").
    let mut migrations = match (emitted, &refused) {
        (Err(refused), _) if refused.exit != Exit::Destructive => return Err(refused.into()),
        (emitted, _) => emitted.unwrap_or_else(|_| unchanged(&previous)),
    };
    let removal = match request.destroyed {
        Some(destroyed) => {
            let (unit, clock) = (&destroyed.unit, Clock::from_environment());
            schema::destroy(&mut migrations, project, &previous, unit, clock)?;
            Some(destroyed.removal(request.root, &mut state)?)
        }
        None => None,
    };
    let mut plan = plan_files(request, project, &state, &migrations)?;
    if let Some(refused) = refused.filter(|_| !plan.is_blocked()) {
        return Err(refused.into());
    }
    plan.notices.extend(abandoned(&migrations));
    add_drafts(&mut plan, request)?;
    if let Some(removal) = removal {
        removal.add_to(&mut plan);
    }
    let written = plan.files.iter().filter(|file| file.written().is_some());
    progress::phase(format!("writing {}", progress::files(written.count())));
    Ok(plan)
}

fn emit(
    request: &Request<'_>,
    project: &Project,
    previous: &Previous,
) -> Result<Migrations, Refused> {
    let options = schema::Options {
        clock: Clock::from_environment(),
        units: request.units.as_ref(),
        allow_destructive: request.run.allow_destructive,
    };
    schema::migrations(project, previous, &options)
}

/// The migrations as they are.
fn unchanged(previous: &Previous) -> Migrations {
    Migrations {
        all: previous.emitted.clone(),
        ..Migrations::default()
    }
}

fn plan_files(
    request: &Request<'_>,
    project: &Project,
    state: &State,
    migrations: &Migrations,
) -> Result<Plan> {
    let run = request.run;
    let mut options = PlanOptions {
        ours: run.ours,
        theirs: run.theirs,
        restore: run.restore,
        adopt: run.adopt,
        units: request.units.clone(),
    };
    let ejected = Ejected::find(state, &options)?;
    let with = render::Options {
        runtime: checkout::runtime_of(request.root),
        templates: ejected.templates,
        gone: gone(project, state),
    };
    let mut rendered = render::render(project, migrations, &with)?;
    rendered.files.extend(ejected.files);
    if let Some(units) = &mut options.units {
        units.insert(templates::UNIT.to_owned());
    }
    rendered
        .files
        .extend(request.new_drafts().map(Draft::rendered));
    let rendering = Rendering {
        files: &rendered.files,
        manifests: rendered.manifests,
        state_files: rendered.state_files,
        was: project.former_units(),
    };
    progress::phase(format!(
        "comparing {}",
        progress::files(rendering.files.len())
    ));
    plan::plan(request.root, &rendering, state, &options)
}

/// Extensions that were poured to, and whose folder is gone.
fn gone(project: &Project, state: &State) -> Vec<String> {
    let is_there = |folder: &str| project.extensions.iter().any(|one| one.folder == folder);
    let folders = state.locks().map(|(unit, _)| unit);
    let extensions = folders.filter(|unit| {
        ![PROJECT, templates::UNIT].contains(unit) && !unit.contains('.') && !is_there(unit)
    });
    extensions.map(str::to_owned).collect()
}

fn abandoned(migrations: &Migrations) -> Option<String> {
    let tables = &migrations.abandoned;
    let list = tables.join(", ");
    (!tables.is_empty())
        .then(|| format!("no manifest describes these tables any more; they stay: {list}"))
}

/// A manifest that is there and gets more is part of the same plan, so that nothing is written when
/// anything is refused.
fn add_drafts(plan: &mut Plan, request: &Request<'_>) -> Result<()> {
    for draft in request.drafts {
        let found = Places::new(request.root).look(&draft.path);
        let place = found.map_err(|why| Refused::new(Exit::Failed, why))?;
        let Some(file) = place.file else { continue };
        if file.read_only {
            let problem = format!("{}: it is read-only, and would have to change", draft.path);
            return Err(Refused::new(Exit::Failed, problem).into());
        }
        plan.files.retain(|change| change.path != draft.path);
        plan.files.push(FileChange {
            path: draft.path.clone(),
            place: place.path,
            class: Class::Merge,
            old: Some(file.bytes),
            new: Some(draft.text.clone().into_bytes()),
            mode: file.mode,
            reason: "attributes of the command line were added".to_owned(),
            moved_from: None,
        });
    }
    plan.files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(())
}
