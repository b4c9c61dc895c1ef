//! The commands: short callers of [`crate::run`].

pub mod complete;
mod demo;
mod destroy;
mod generate;
#[cfg(feature = "import")]
mod import;
mod man;
mod manifest;
mod new;
mod root;
mod templates;

use anyhow::Result;

use crate::cli::{Cli, Command};
use crate::exit::Exit;
use crate::run::{print, progress};

/// Runs a command and returns its exit status.
///
/// # Errors
/// The error of the command; [`Exit::of`] tells the status.
pub fn run(cli: &Cli) -> Result<Exit> {
    progress::allow(cli);
    let done = carry_out(cli);
    progress::finish();
    done
}

fn carry_out(cli: &Cli) -> Result<Exit> {
    match &cli.command {
        Command::Demo(args) => demo::run(cli, args),
        Command::New(args) => new::run(cli, args),
        Command::Generate(args) => generate::run(cli, args),
        Command::Destroy(args) => destroy::run(cli, args),
        Command::Status => generate::status(cli),
        Command::Manifest { command } => manifest::run(cli, command),
        Command::Completions { shell } => {
            print::written(&complete::script(*shell)?).map(|()| Exit::Done)
        }
        Command::Man(args) => man::run(args),
        #[cfg(feature = "import")]
        Command::Import(args) => import::run(cli, args),
        Command::Templates { command } => templates::run(cli, command),
    }
}
