//! One run: manifests are resolved, rendered, planned and applied. Commands describe it by a `Run`.

use std::path::Path;

use anyhow::{Context as _, Result};
use rayon::join;

use super::diagnostics::{self, Checked, Printed};
use super::ejected::Ejected;
use super::history::History;
use super::request::{Done, Purpose, Request, Run};
use super::{amend, planning, print, progress, rendering, selection};
use crate::apply::{self, RunLock};
use crate::cli::{Cli, Format};
use crate::exit::Exit;
use crate::plan::Outdated;
use crate::report::{Mode, RunReport};

/// How often a run begins again because files changed meanwhile.
const ATTEMPTS: usize = 3;

/// Runs, and prints the report.
///
/// # Errors
/// A refusal, or what reading or writing failed with; then no file is written.
pub fn report(cli: &Cli, run: &Run<'_>) -> Result<Exit> {
    let done = carry_out(cli, run)?;
    let report = RunReport {
        plan: &done.plan,
        command: run.command,
        again: match run.mode {
            Mode::Status => "formwork generate",
            _ => &cli.again,
        },
        mode: run.mode,
        diff: run.diff,
        diagnostics: &done.diagnostics,
    };
    progress::finish();
    match cli.format {
        Format::Json => print::out(&format!("{}\n", report.json()))?,
        Format::Text => print::out(&report.text(cli.quiet))?,
    }
    Ok(report.exit())
}

/// Runs.
///
/// # Errors
/// A refusal, or what reading or writing failed with; then no file is written.
pub fn carry_out(cli: &Cli, run: &Run<'_>) -> Result<Done> {
    let printed = Printed::default();
    if run.mode == Mode::Generate {
        return locked(run.root, |lock| sequence(cli, run, Some(lock), &printed));
    }
    let mut done = sequence(cli, run, None, &printed)?;
    planning::add_unfinished(&mut done.plan, run.root);
    Ok(done)
}

/// From manifests to files. A run that writes nothing holds no lock, and applies no plan.
fn sequence(cli: &Cli, run: &Run<'_>, lock: Option<&RunLock>, printed: &Printed) -> Result<Done> {
    let done = match run.purpose {
        Purpose::Render(request) => planned(cli, run, &request()?, printed)?,
        Purpose::Plan(plan) => Done {
            plan: plan()?,
            diagnostics: Vec::new(),
        },
    };
    if let Some(lock) = lock.filter(|_| !done.plan.has_markers()) {
        let count = done.plan.written();
        progress::phase(format!("writing {}", progress::files(count)));
        apply::apply(&done.plan, run.root, lock)?;
    }
    Ok(done)
}

/// Resolves, renders and plans.
fn planned(cli: &Cli, run: &Run<'_>, request: &Request, printed: &Printed) -> Result<Done> {
    let checked = || resolve(request, cli, printed);
    let (checked, history) = join(checked, || History::read(run.root));
    let Checked {
        project,
        diagnostics,
    } = checked?;
    let mut history = history?;
    let destroyed = request.destroyed.as_ref();
    if let Some(folder) = destroyed.and_then(|one| one.extension.as_ref()) {
        history.forget_extension(folder);
    }
    history.read_enum_values(&project)?;
    let mut notice = None;
    if run.args.amend {
        notice = amend::leave_out_drafts(run.root, &project, &mut history)?;
    }
    let selection = selection::resolve(&run.args, &history.state);
    // Ejected templates go first: all else is rendered with the templates as they are after this run.
    let ejected = Ejected::rendered(&history.state, &project.outputs)?;
    let merged = ejected.plan(&history.state, &selection)?;
    let ejected = ejected.after(&merged);
    let mut rendered = rendering::render(run, request, &project, &history, ejected, &selection)?;
    rendered.notices.extend(notice);
    let plan = planning::plan(run, request, rendered, history, selection)?;
    Ok(Done { plan, diagnostics })
}

fn resolve(request: &Request, cli: &Cli, printed: &Printed) -> Result<Checked> {
    let checked = diagnostics::check(&request.sources, request.command.as_ref(), cli, printed);
    match &request.destroyed {
        None => Ok(checked?),
        Some(destroyed) => checked.with_context(|| {
            let name = &destroyed.name;
            format!("nothing was destroyed: without {name} the manifests have mistakes")
        }),
    }
}

/// Runs `attempt` with the project's lock, after finishing an interrupted run, and again where files
/// changed meanwhile.
///
/// # Errors
/// The error of `attempt`, or a refusal where another run holds the lock.
fn locked(root: &Path, attempt: impl Fn(&RunLock) -> Result<Done>) -> Result<Done> {
    let lock = RunLock::take(root, apply::PATIENCE)?;
    let finished = apply::recover(root, &lock)?;
    let mut attempts = 1;
    let done = loop {
        match attempt(&lock) {
            Err(error) if attempts < ATTEMPTS && error.is::<Outdated>() => attempts += 1,
            done => break done,
        }
    };
    match done {
        Ok(mut done) => {
            done.plan.notices.splice(0..0, finished);
            Ok(done)
        }
        // The notice about the finished run is kept, also if this run failed.
        Err(error) if !finished.is_empty() => Err(error.context(finished.join("; "))),
        Err(error) => Err(error),
    }
}
