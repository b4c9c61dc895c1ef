//! What each command does: short callers of the pipeline.

pub mod checkout;
mod demo;
mod destroy;
mod example;
mod generate;
mod manifest;
mod new;
mod pipeline;
mod progress;
mod root;
mod templates;

use std::io::Write as _;

use anyhow::Result;
use clap::CommandFactory as _;

use crate::cli::{Cli, Command};
use crate::error::Refused;
use crate::exit::Exit;

/// Runs a command and returns its exit status.
///
/// # Errors
/// What the command failed with; [`Exit::of`] tells the status.
pub fn run(cli: &Cli) -> Result<Exit> {
    progress::allow(cli);
    let done = carry_out(cli);
    progress::finish();
    done
}

fn carry_out(cli: &Cli) -> Result<Exit> {
    match &cli.command {
        Command::Demo(args) => demo::run(args, cli.quiet).map(|()| Exit::Done),
        Command::New(args) => new::run(args, cli.quiet),
        Command::Generate(args) => generate::run(cli, args),
        Command::Destroy(args) => destroy::run(cli, args),
        Command::Status => generate::status(cli),
        Command::Manifest { command } => manifest::run(cli, command),
        Command::Completions { shell } => {
            clap_complete::generate(
                *shell,
                &mut Cli::command(),
                "formwork",
                &mut std::io::stdout(),
            );
            Ok(Exit::Done)
        }
        Command::Man => {
            clap_mangen::Man::new(Cli::command()).render(&mut std::io::stdout())?;
            std::io::stdout().flush()?;
            Ok(Exit::Done)
        }
        Command::Import(_) => Err(not_yet("`formwork import`")),
        Command::Templates { command } => templates::run(cli, command),
    }
}

/// The refusal of what the command line names, but this version does not do.
fn not_yet(what: &str) -> anyhow::Error {
    Refused::new(
        Exit::Usage,
        format!("not yet: {what} comes with a later version; nothing was done"),
    )
    .into()
}
