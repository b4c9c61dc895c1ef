//! `formwork manifest check` and `formwork manifest schema`.

use anyhow::Result;

use super::{pipeline, root};
use crate::cli::{Cli, ManifestCommand};
use crate::exit::Exit;
use crate::manifest::{self, Sources};

/// Runs a manifest command.
///
/// # Errors
/// When the project cannot be found or read.
pub fn run(cli: &Cli, command: &ManifestCommand) -> Result<Exit> {
    match command {
        ManifestCommand::Schema => {
            anstream::print!("{}", manifest::schema_json());
            Ok(Exit::Done)
        }
        ManifestCommand::Check => {
            let sources = Sources::read(&root::find(cli)?)?;
            let checked = pipeline::resolve(&sources, cli);
            if let Ok(project) = &checked {
                pipeline::say_all_is_well(cli, project);
            }
            Ok(if checked.is_ok() {
                Exit::Done
            } else {
                Exit::Usage
            })
        }
    }
}
