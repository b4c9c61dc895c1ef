//! Finds the project a command works on.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::cli::Cli;
use crate::error::Refused;
use crate::exit::Exit;
use crate::manifest::{CONFIG_FILE, is_project, nearest_project};

/// The folder `--project` names, else the nearest parent folder with a `formwork.yaml`.
///
/// # Errors
/// A refusal (exit status 2) where there is none.
pub fn find(cli: &Cli) -> Result<PathBuf> {
    let here = here()?;
    let Some(named) = &cli.project else {
        return nearest()?.ok_or_else(|| {
            refuse(format!(
                "no project here: neither {} nor a folder above it holds a {CONFIG_FILE}; \
                 `formwork new DIR` makes one, --project DIR names one",
                here.display()
            ))
        });
    };
    if is_project(named) {
        return Ok(here.join(named));
    }
    let config = named.join(CONFIG_FILE);
    if let Err(error) = config.metadata()
        && error.kind() == ErrorKind::PermissionDenied
    {
        return Err(error).with_context(|| format!("cannot read {}", config.display()));
    }
    let named = named.display();
    Err(refuse(match here.join(named.to_string()).is_file() {
        true => format!("--project {named}: this is a file: name the folder of the project"),
        false => format!("{named} is not a project: it has no {CONFIG_FILE}"),
    }))
}

/// The nearest parent folder with a `formwork.yaml`, where there is one.
///
/// # Errors
/// Where the current folder is gone.
pub fn nearest() -> Result<Option<PathBuf>> {
    Ok(nearest_project(&here()?).map(Path::to_path_buf))
}

fn here() -> Result<PathBuf> {
    std::env::current_dir().context("the current folder")
}

fn refuse(problem: String) -> anyhow::Error {
    Refused::new(Exit::Usage, problem).into()
}
