//! `formwork man`: manual pages, one for each command.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use clap::{Command, CommandFactory as _};
use clap_mangen::Man;

use crate::cli::{Cli, ManArgs};
use crate::error::Refused;
use crate::exit::Exit;
use crate::run::print;
use crate::suggestion::did_you_mean;

/// Prints the page of one command, or writes all of them.
///
/// # Errors
/// A refusal where there is no such command, or what writing failed with.
pub fn run(args: &ManArgs) -> Result<Exit> {
    if let Some(folder) = &args.dir {
        let written = fs::create_dir_all(folder).and_then(|()| write(formwork(), folder));
        written.with_context(|| folder.display().to_string())?;
        return Ok(Exit::Done);
    }
    let mut text = Vec::new();
    page(command(&args.command)?).render(&mut text)?;
    print::written(&text).map(|()| Exit::Done)
}

/// The whole command line. Each command knows what it is called with the words before it.
fn formwork() -> Command {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    command
}

/// Its title names the program: by itself, clap's would name the last word of the command.
fn page(command: Command) -> Man {
    Man::new(command).source(concat!("formwork ", env!("CARGO_PKG_VERSION")))
}

/// Writes the pages of a command and of those below it.
fn write(command: Command, folder: &Path) -> std::io::Result<()> {
    let shown = command.get_subcommands().filter(|one| !one.is_hide_set());
    for one in shown.cloned() {
        write(one, folder)?;
    }
    page(command).generate_to(folder).map(drop)
}

/// The command of these words.
fn command(words: &[String]) -> Result<Command, Refused> {
    let mut command = formwork();
    for word in words {
        let known = command.get_subcommands().filter(|one| !one.is_hide_set());
        let known: Vec<&str> = known.map(Command::get_name).collect();
        let Some(found) = command.find_subcommand(word) else {
            let name = command.get_bin_name().unwrap_or("formwork");
            let hint = did_you_mean(word, &known).map_or(String::new(), |hint| format!(": {hint}"));
            let problem = format!("{name} has no command `{word}`{hint}");
            return Err(Refused::new(Exit::Usage, problem));
        };
        command = found.clone();
    }
    Ok(command)
}
