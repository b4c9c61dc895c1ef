//! `formwork manifest check` and `formwork manifest schema`.

use anyhow::Result;
use serde_json::json;

use super::root;
use crate::cli::{Cli, Format, ManifestCommand};
use crate::exit::Exit;
use crate::manifest::{self, Sources};
use crate::project::Project;
use crate::run::diagnostics::{self, Printed};
use crate::run::print::{self, Answer};

/// Runs a manifest command.
///
/// # Errors
/// The mistakes in the manifests; when the project cannot be found or read.
pub fn run(cli: &Cli, command: &ManifestCommand) -> Result<Exit> {
    match command {
        ManifestCommand::Schema => print::out(&manifest::schema_json())?,
        ManifestCommand::Check => {
            let sources = Sources::read(&root::find(cli)?)?;
            let checked = diagnostics::check(&sources, None, cli, &Printed::default())?;
            match cli.format {
                Format::Json => {
                    let answer = Answer {
                        diagnostics: &checked.diagnostics,
                        ..Answer::done("manifest check", json!({}))
                    };
                    print::json(&answer)?;
                }
                Format::Text if cli.quiet => {}
                Format::Text => print::out(&all_is_well(&checked.project))?,
            }
        }
    }
    Ok(Exit::Done)
}

fn all_is_well(project: &Project) -> String {
    let (resources, models): (Vec<_>, Vec<_>) =
        project.registered().partition(|(_, one)| one.api.is_some());
    let (resources, models) = (resources.len(), models.len());
    let many =
        |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    let (resources, models) = (
        many(resources, "resource"),
        many(models, "supporting model"),
    );
    format!("No mistakes: {resources}, {models}.\n")
}
