//! The inputs of rendering, beside the project.

use std::collections::BTreeSet;

use anyhow::Result;

use super::ejected::Ejected;
use super::history::History;
use super::request::{OWN_TEMPLATES, PROJECT, Request, Run};
use super::{amend, checkout, located, progress};
use crate::moment::Clock;
use crate::output::{self, Scope};
use crate::plan::{Selection, Switch};
use crate::project::{Project, Resource};
use crate::render::{self, RenderOptions, Templates};
use crate::rendered::Rendered;
use crate::report::Mode;
use crate::schema::MigrationOptions;
use crate::state::{Entry, State};

/// Renders a project, and the templates that were ejected.
///
/// # Errors
/// A refusal of a change that no migration can make, or a mistake in a template of the project's
/// own.
pub fn render(
    run: &Run<'_>,
    request: &Request,
    project: &Project,
    history: &History,
    ejected: Ejected,
    selection: &Selection,
) -> Result<Rendered> {
    progress::phase("rendering");
    let mut notices = ejected.notices;
    notices.extend(request.destroyed.iter().flat_map(|one| one.notices.clone()));
    let options = options(
        run,
        request,
        project,
        history,
        ejected.templates,
        selection,
        &mut notices,
    );
    let rendered = render::render(project, &history.previous, &options);
    let mut rendered = rendered.map_err(|error| located::in_manifests(error, project, request))?;
    if let Some(refused) = &mut rendered.refused {
        located::locate(refused, project, request);
    }
    if let Some(refused) = &mut rendered.refused
        && !run.args.amend
    {
        let (previous, options) = (&history.previous, &options.migrations);
        refused
            .help
            .extend(amend::help(run.root, project, previous, options));
    }
    rendered.files.extend(ejected.files);
    rendered.notices.splice(0..0, notices);
    Ok(rendered)
}

/// The inputs of rendering; left-out files are added to `notices`.
fn options<'a>(
    run: &Run<'_>,
    request: &'a Request,
    project: &Project,
    history: &History,
    templates: Templates,
    selection: &Selection,
    notices: &mut Vec<String>,
) -> RenderOptions<'a> {
    let docs = history.state.entries().filter(|entry| is_docs(entry));
    let docs = docs.map(|entry| &entry.path);
    let docs = docs.filter(|path| !run.root.join(path).exists());
    let gone = history.previous.gone.iter().chain(docs);
    let missing = gone.filter(|path| !selection.includes(Switch::Restore, path));
    let listed = request.units.as_ref();
    let listed = listed.map(|units| listed_of(project, units, &history.state, notices));
    RenderOptions {
        runtime: checkout::runtime_of(run.root),
        templates,
        gone: gone_extensions(project, &history.state),
        listed,
        migrations: MigrationOptions {
            clock: match run.mode {
                Mode::Generate => Clock::now(),
                _ => Clock::of_previews(),
            },
            units: request.units.as_ref(),
            allow_destructive: run.args.allow_destructive,
            destroyed: request.destroyed.as_ref().map(|destroyed| &destroyed.units),
        },
        missing: missing.cloned().collect(),
    }
}

/// Whether a file is the reference docs of a resource.
fn is_docs(entry: &Entry) -> bool {
    let mut rows = output::of(Scope::Resource).filter(|row| row.template == output::DOCS);
    rows.any(|row| entry.artefact.rsplit('/').next() == Some(row.artefact))
}

/// The entries of aggregates in a run for some units: extensions and resources without files are
/// left out, because the project would not compile.
fn listed_of(
    project: &Project,
    units: &BTreeSet<String>,
    state: &State,
    notices: &mut Vec<String>,
) -> Project {
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
    if !to_come.is_empty() {
        let list = to_come.join(", ");
        notices.push(format!("not generated yet: {list}: run formwork generate"));
    }
    listed
}

/// Extensions that were poured to, and whose folder is gone.
fn gone_extensions(project: &Project, state: &State) -> Vec<String> {
    let is_there = |folder: &str| project.extensions.iter().any(|one| one.folder == folder);
    let folders = state.locks().map(|(unit, _)| unit);
    let extensions = folders.filter(|unit| {
        ![PROJECT, OWN_TEMPLATES].contains(unit) && !unit.contains('.') && !is_there(unit)
    });
    extensions.map(str::to_owned).collect()
}
