//! Reads the arguments, and from arguments that cannot be read the command and the format.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory as _, Parser as _};

use super::Cli;

impl Cli {
    /// Reads the arguments; `generate shop dishes` is `generate resource shop dishes`.
    ///
    /// # Errors
    /// Clap's error for arguments that cannot be read, and for a request for help.
    pub fn read(arguments: &[OsString]) -> Result<Cli, clap::Error> {
        let error = match Cli::try_parse_from(arguments) {
            Ok(cli) => return Ok(cli),
            Err(error) => error,
        };
        match with_resource(arguments, &error) {
            Some(arguments) => Cli::try_parse_from(arguments),
            None => Err(error),
        }
    }
}

/// The arguments with the word `resource`, if clap failed because it was left out and no other word
/// is similar.
fn with_resource(arguments: &[OsString], error: &clap::Error) -> Option<Vec<OsString>> {
    let ContextValue::String(word) = error.get(ContextKind::InvalidSubcommand)? else {
        return None;
    };
    let place = arguments
        .iter()
        .position(|one| one.to_str() == Some(word))?;
    let before = arguments[..place].iter();
    let is_generate = before
        .filter_map(|one| one.to_str())
        .any(|one| one == "generate");
    if !is_generate || error.get(ContextKind::SuggestedSubcommand).is_some() {
        return None;
    }
    let mut arguments = arguments.to_vec();
    arguments.insert(place, "resource".into());
    Some(arguments)
}

/// Whether arguments that cannot be read ask for JSON.
pub fn wants_json(arguments: &[String]) -> bool {
    let pairs = arguments.windows(2);
    let mut pairs = pairs.map(|pair| (pair[0].as_str(), pair[1].as_str()));
    pairs.any(|pair| pair == ("--format", "json"))
        || arguments.iter().any(|one| one == "--format=json")
}

/// The command that arguments name, as [`Command::name`] does; empty where they name none.
pub fn name_in(arguments: &[String]) -> String {
    let mut command = Cli::command();
    let mut words: Vec<String> = Vec::new();
    for argument in arguments {
        if let Some(found) = command.find_subcommand(argument).cloned() {
            words.push(argument.clone());
            command = found;
        }
    }
    let is_of_two = matches!(
        words.first().map(String::as_str),
        Some("manifest" | "templates")
    );
    words.truncate(if is_of_two { 2 } else { 1 });
    words.join(" ")
}
