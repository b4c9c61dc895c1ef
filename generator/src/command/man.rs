//! `formwork man`: manual pages, one for each command.

use anyhow::{Context as _, Result};
use clap::{Command, CommandFactory as _};
use clap_mangen::Man;

use super::print;
use crate::cli::{Cli, ManArgs};
use crate::error::Refused;
use crate::exit::Exit;
use crate::suggestion::did_you_mean;

/// Prints the page of one command, or writes all of them.
///
/// # Errors
/// A refusal where there is no such command, or what writing failed with.
pub fn run(args: &ManArgs) -> Result<Exit> {
    if let Some(folder) = &args.dir {
        let shown = folder.display();
        std::fs::create_dir_all(folder).with_context(|| shown.to_string())?;
        clap_mangen::generate_to(Cli::command(), folder).with_context(|| shown.to_string())?;
        return Ok(Exit::Done);
    }
    let mut page = Vec::new();
    Man::new(command(&args.command)?).render(&mut page)?;
    print::written(&page).map(|()| Exit::Done)
}

/// The command of these words, called as its page is.
fn command(words: &[String]) -> Result<Command, Refused> {
    let mut command = Cli::command();
    command.build();
    let mut name = command.get_name().to_owned();
    for word in words {
        let found = command.find_subcommand(word).cloned();
        let known = command.get_subcommands().filter(|one| !one.is_hide_set());
        let known: Vec<&str> = known.map(Command::get_name).collect();
        command = found.ok_or_else(|| {
            let hint = did_you_mean(word, &known).map_or(String::new(), |hint| format!(": {hint}"));
            Refused::new(Exit::Usage, format!("{name} has no command `{word}`{hint}"))
        })?;
        name = format!("{name}-{word}");
    }
    Ok(command.display_name(name))
}
