//! `formwork generate …` and `formwork status`.

mod manifest;

use anyhow::Result;

use super::root;
use crate::cli::{Cli, GenerateArgs, GenerateCommand, RunArgs};
use crate::exit::Exit;
use crate::manifest::Sources;
use crate::report::Mode;
use crate::run::command_source::CommandSource;
use crate::run::pipeline;
use crate::run::request::{Purpose, Request, Run, units_of};

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
        args: args.run.clone(),
        purpose: Purpose::Render(&|| {
            let mut request = request(Sources::read(&root)?, args.command.as_ref())?;
            if args.run.amend {
                // Drafts of any unit are replaced.
                request.units = None;
            }
            Ok(request)
        }),
    };
    pipeline::report(cli, &run)
}

/// Reports files that differ from their render; writes nothing.
///
/// # Errors
/// A refusal, or what reading failed with.
pub fn status(cli: &Cli) -> Result<Exit> {
    let root = root::find(cli)?;
    let request = || Ok(Request::all(Sources::read(&root)?));
    let run = Run {
        mode: Mode::Status,
        ..Run::new("status", &root, Purpose::Render(&request))
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

fn request(sources: Sources, command: Option<&GenerateCommand>) -> Result<Request> {
    match command {
        None => Ok(Request::all(sources)),
        Some(GenerateCommand::Extension { ext }) => extension(sources, ext),
        Some(GenerateCommand::Resource(args)) => manifest::of_resource(sources, args),
        Some(GenerateCommand::Model(args)) => manifest::of_model(sources, args),
    }
}

/// Declares an extension, which the templates then pour.
fn extension(mut sources: Sources, id: &str) -> Result<Request> {
    let folder = manifest::declare(&mut sources, id)?;
    let command = manifest::cargo_to_make(&sources, &folder).map(|cargo| {
        let mut command = CommandSource::new(&cargo, "", "formwork generate extension");
        command.file(id, &cargo);
        command
    });
    Ok(Request {
        units: Some(units_of(&folder, None)),
        command,
        ..Request::all(sources)
    })
}
