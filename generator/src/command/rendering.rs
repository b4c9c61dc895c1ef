//! What a run renders with, beside its project.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;

use super::run::{Run, Scope};
use super::units::{OWN_TEMPLATES, PROJECT};
use super::{checkout, chosen};
use crate::moment::Clock;
use crate::project::{Project, Resource};
use crate::render::{RenderOptions, Templates};
use crate::report::Mode;
use crate::schema::{MigrationOptions, Previous};
use crate::state::State;

/// What earlier runs left.
#[derive(Debug)]
pub struct Memory {
    /// Files as they were rendered.
    pub state: State,
    /// Tables and migrations.
    pub previous: Previous,
}

impl Memory {
    /// Of the project at `root`.
    ///
    /// # Errors
    /// A refusal where the state is damaged, or what reading it failed with.
    pub fn read(root: &Path) -> Result<Memory> {
        let state = State::load(root)?;
        let previous = Previous::read(&state)?;
        Ok(Memory { state, previous })
    }
}

/// What rendering needs; adds to `notices` what it leaves out.
pub fn options<'a>(
    run: &Run<'_>,
    scope: &'a Scope,
    project: &Project,
    memory: &Memory,
    templates: Templates,
    notices: &mut Vec<String>,
) -> RenderOptions<'a> {
    let chosen = chosen::known(run.chosen, &memory.state);
    let gone = memory.previous.gone.iter();
    let missing = gone.filter(|path| !chosen.asked(path, None).restore);
    let listed = scope.units.as_ref();
    let listed = listed.map(|units| listed_of(project, units, &memory.state, notices));
    RenderOptions {
        runtime: checkout::runtime_of(run.root),
        templates,
        gone: gone_extensions(project, &memory.state),
        listed,
        migrations: MigrationOptions {
            clock: match run.mode {
                Mode::Generate => Clock::now(),
                _ => Clock::of_previews(),
            },
            units: scope.units.as_ref(),
            allow_destructive: run.chosen.allow_destructive,
            destroyed: scope.destroyed.as_deref(),
        },
        missing: missing.cloned().collect(),
    }
}

/// What the aggregates of a run for some units list: neither an extension nor a resource whose files are still
/// to come, for the project would not compile.
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
        notices.push(format!(
            "not generated yet: {list}: formwork generate does it"
        ));
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
