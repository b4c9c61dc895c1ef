//! Manifests → project → rendered files → plan: what `generate`, `--check`, `status` and `new` share.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;

use super::checkout;
use crate::cli::{Cli, Format, RunArgs};
use crate::diagnostic;
use crate::error::Refused;
use crate::exit::Exit;
use crate::manifest::Sources;
use crate::moment::Clock;
use crate::plan::{self, Class, FileChange, Plan, PlanOptions, Rendering};
use crate::project::Project;
use crate::render;
use crate::resolve;
use crate::schema::{self, Migrations, Previous};
use crate::state::State;

/// A file that a command writes before the project is rendered: a manifest, or what `new` begins with.
#[derive(Debug, Clone)]
pub struct Draft {
    /// Path below the project.
    pub path: String,
    /// Its new text.
    pub text: String,
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
    /// The switches of the command line.
    pub run: &'a RunArgs,
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
    let state = State::load(request.root)?;
    let previous = Previous::read(&state)?;
    let emitted = emit(request, project, &previous);
    let refused = emitted.as_ref().err().cloned();
    // Unresolved markers are reported before a destructive migration (regeneration.md, "Commands").
    let migrations = match (emitted, &refused) {
        (Err(refused), _) if refused.exit != Exit::Destructive => return Err(refused.into()),
        (emitted, _) => emitted.unwrap_or_else(|_| unchanged(&previous)),
    };
    let mut plan = plan_files(request, project, &state, &migrations)?;
    if let Some(refused) = refused.filter(|_| !plan.is_blocked()) {
        return Err(refused.into());
    }
    plan.notices.extend(abandoned(&migrations));
    add_drafts(&mut plan, request)?;
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
    let options = render::Options {
        runtime: checkout::runtime_dependency(),
        templates: render::own_templates(request.root)?,
    };
    let rendered = render::render(project, migrations, &options)?;
    let rendering = Rendering {
        files: &rendered.files,
        manifests: rendered.manifests,
        state_files: rendered.state_files,
    };
    let run = request.run;
    let options = PlanOptions {
        ours: run.ours,
        theirs: run.theirs,
        restore: run.restore,
        adopt: run.adopt,
        units: request.units.clone(),
    };
    plan::plan(request.root, &rendering, state, &options)
}

fn abandoned(migrations: &Migrations) -> Option<String> {
    let tables = &migrations.abandoned;
    let list = tables.join(", ");
    (!tables.is_empty())
        .then(|| format!("no manifest describes these tables any more; they stay: {list}"))
}

/// The command's own files are part of the same plan, so that nothing is written when anything is refused.
fn add_drafts(plan: &mut Plan, request: &Request<'_>) -> Result<()> {
    for draft in request.drafts {
        let old = match std::fs::read(request.root.join(&draft.path)) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        if old.as_deref() == Some(draft.text.as_bytes()) {
            continue;
        }
        let (class, reason) = match old {
            None => (Class::Create, "as the command line says"),
            Some(_) => (Class::Merge, "attributes of the command line were added"),
        };
        plan.files.push(FileChange {
            path: draft.path.clone(),
            place: draft.path.clone(),
            class,
            old,
            new: Some(draft.text.clone().into_bytes()),
            mode: None,
            reason: reason.to_owned(),
            moved_from: None,
        });
    }
    plan.files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(())
}
