//! Manifests → project → rendered files → plan: what `generate`, `--check`, `status` and `new` share.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use anyhow::Result;

use super::checkout;
use super::chosen::{self, Chosen};
use super::destroy::Destroyed;
use super::progress;
use super::templates::{self, Ejected};
use crate::apply::Outdated;
use crate::cli::RunArgs;
use crate::error::Refused;
use crate::exit::Exit;
use crate::moment::Clock;
use crate::plan::place::Places;
use crate::plan::{self, Class, FileChange, Plan};
use crate::project::{Project, Resource};
use crate::render::{self, RenderOptions};
use crate::rendered::{Content, Owner, Rendered, RenderedFile};
use crate::schema::{self, Migrations, Previous};
use crate::state::State;

/// The unit of the project itself.
const PROJECT: &str = "project";

/// A manifest that a command writes before the project is rendered.
#[derive(Debug, Clone)]
pub struct Draft {
    /// Path below the project.
    pub path: String,
    /// What it was made from; `None` for a manifest that is not there yet.
    pub before: Option<Vec<u8>>,
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
    /// Whether the plan is to be carried out.
    pub writes: bool,
    /// The switches of the command line.
    pub run: &'a RunArgs,
}

impl Request<'_> {
    /// Manifests that are not there yet.
    fn new_drafts(&self) -> impl Iterator<Item = &Draft> {
        self.drafts.iter().filter(|draft| draft.before.is_none())
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
    leave_out(&mut migrations, &previous, request, &state);
    let planned = plan_files(request, project, &mut state, &migrations);
    let mut plan = settled(planned, refused, request)?;
    plan.notices.extend(state.notices().iter().cloned());
    plan.notices.extend(abandoned(&migrations));
    plan.notices.extend(unlisted(&plan, previous));
    add_drafts(&mut plan, request)?;
    if let Some(removal) = removal {
        removal.add_to(&mut plan);
    }
    let written = plan.files.iter().filter(|file| file.written().is_some());
    progress::phase(format!("writing {}", progress::files(written.count())));
    Ok(plan)
}

/// A refused migration ends what would write, unless markers or wrong usage do; what only reads reports it.
fn settled(planned: Result<Plan>, refused: Option<Refused>, request: &Request<'_>) -> Result<Plan> {
    let Some(refused) = refused else {
        return planned;
    };
    match planned {
        Ok(plan) if plan.has_markers() => Ok(plan),
        Ok(plan) if !request.writes => Ok(Plan {
            refused: Some(refused),
            ..plan
        }),
        Err(error) if request.run.check || Exit::of(&error) != Exit::Failed => Err(error),
        _ => Err(refused.into()),
    }
}

fn emit(
    request: &Request<'_>,
    project: &Project,
    previous: &Previous,
) -> Result<Migrations, Refused> {
    let options = schema::MigrationOptions {
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
    state: &mut State,
    migrations: &Migrations,
) -> Result<Plan> {
    let (rendered, notices) = rendered(request, project, state, migrations)?;
    let paths = rendered.files.iter().map(|file| file.path.as_str());
    let mut known: HashSet<&str> = paths.collect();
    state.drop_phantoms(|path| known.contains(path))?;
    known.extend(recorded(state));
    let mut options = Chosen::new(request.run, request.root, &known).all()?;
    options.units = request.units.clone().map(|mut units| {
        units.insert(templates::UNIT.to_owned());
        units
    });
    options.reads_only = !request.writes;
    let files = progress::files(rendered.files.len());
    progress::phase(format!("comparing {files}"));
    let mut plan = plan::plan(request.root, &rendered, state, &options)?;
    plan.notices.extend(notices);
    plan.notices.extend(chosen::idle(&options, &plan));
    Ok(plan)
}

fn recorded(state: &State) -> HashSet<&str> {
    state.entries().map(|entry| entry.path.as_str()).collect()
}

/// What the templates make of the project, and of the project's own templates and manifests, with notices.
fn rendered(
    request: &Request<'_>,
    project: &Project,
    state: &State,
    migrations: &Migrations,
) -> Result<(Rendered, Vec<String>)> {
    let recorded = recorded(state);
    let options = Chosen::new(request.run, request.root, &recorded).known();
    let ejected = Ejected::find(state, &options)?;
    let mut notices = ejected.notices;
    let listed = listed(request, project, state, &mut notices);
    let with = RenderOptions {
        listed,
        runtime: checkout::runtime_of(request.root),
        templates: ejected.templates,
        gone: gone(project, state),
    };
    let mut rendered = render::render(project, migrations, &with)?;
    rendered.files.extend(ejected.files);
    let drafts = request.new_drafts().map(Draft::rendered);
    rendered.files.extend(drafts);
    Ok((rendered, notices))
}

/// What the aggregates of a run for some units list: neither an extension nor a resource whose files are still
/// to come, for the project would not compile.
fn listed(
    request: &Request<'_>,
    project: &Project,
    state: &State,
    notices: &mut Vec<String>,
) -> Option<Project> {
    let units = request.units.as_ref()?;
    let poured: BTreeSet<&str> = state.locks().map(|(unit, _)| unit).collect();
    let is_there = |unit: &str| units.contains(unit) || poured.contains(unit);
    let mut listed = project.clone();
    let mut to_come = Vec::new();
    for extension in &mut listed.extensions {
        let folder = extension.folder.clone();
        let mut is_poured = |resource: &Resource| {
            let unit = format!("{folder}.{}", resource.key);
            let is_there = is_there(&unit);
            to_come.extend((!is_there).then_some(unit));
            is_there
        };
        extension.resources.retain(&mut is_poured);
        extension.models.retain(is_poured);
    }
    listed.extensions.retain(|one| is_there(&one.folder));
    let list = to_come.join(", ");
    let notice = || format!("not generated yet: {list}: formwork generate does it");
    notices.extend((!to_come.is_empty()).then(notice));
    Some(listed)
}

/// Migrations whose files are gone are not listed, unless they come back in this run.
fn leave_out(
    migrations: &mut Migrations,
    previous: &Previous,
    request: &Request<'_>,
    state: &State,
) {
    if previous.gone.is_empty() {
        return;
    }
    let recorded = recorded(state);
    let options = Chosen::new(request.run, request.root, &recorded).known();
    let stays = |path: &str| !options.asked(path, None).restore;
    migrations.leave_out(|path| previous.gone.contains(path) && stays(path));
}

/// What is said of SQL that is gone, and of SQL that is no migration.
fn unlisted(plan: &Plan, previous: Previous) -> Vec<String> {
    let is_back = |path: &String| {
        let mut files = plan.files.iter();
        files.any(|file| file.path == *path && file.written().is_some())
    };
    let gone = previous.gone.into_iter().filter(|path| !is_back(path));
    let gone = gone.map(|path| {
        format!(
            "{path}: this migration is gone, and a new database lacks what it did: \
             `formwork generate --restore {path}` writes it again"
        )
    });
    previous.notices.into_iter().chain(gone).collect()
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
/// anything is refused. One that somebody saved since it was read is another than the one that gets more.
fn add_drafts(plan: &mut Plan, request: &Request<'_>) -> Result<()> {
    for draft in request.drafts {
        let found = Places::new(request.root).look(&draft.path);
        let place = found.map_err(|why| Refused::new(Exit::Failed, why))?;
        if draft.before != place.file.as_ref().map(|file| file.bytes.clone()) {
            return Err(Outdated(draft.path.clone()).into());
        }
        let Some(file) = place.file else { continue };
        if file.read_only && request.writes {
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
