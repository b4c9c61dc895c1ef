//! Reads the arguments, and from arguments that cannot be read the command and the format.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory as _, Parser as _};

use super::Cli;
use crate::report::quoted;

impl Cli {
    /// Reads the arguments; `generate shop dishes` is `generate resource shop dishes`.
    ///
    /// # Errors
    /// Clap's error for arguments that cannot be read, and for a request for help.
    pub fn read(arguments: &[OsString]) -> Result<Cli, clap::Error> {
        let mut cli = Self::parse(arguments)?;
        cli.again = again(arguments);
        Ok(cli)
    }

    fn parse(arguments: &[OsString]) -> Result<Cli, clap::Error> {
        let error = match Cli::try_parse_from(arguments) {
            Ok(cli) => return Ok(cli),
            Err(error) => error,
        };
        // The word may be the value of an option as well: `--project shop generate shop dishes`.
        let readings = with_resource(arguments, &error).into_iter();
        let mut read = Err(error);
        for reading in readings {
            if read.is_err() {
                read = Cli::try_parse_from(reading);
            }
        }
        read.map_err(|error| with_line_to_destroy(error, arguments))
    }
}

/// The arguments with the word `resource`, if clap failed because it was left out and no other word
/// is similar: for each place where it may have been left out.
fn with_resource(arguments: &[OsString], error: &clap::Error) -> Vec<Vec<OsString>> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return Vec::new();
    };
    if error.get(ContextKind::SuggestedSubcommand).is_some() {
        return Vec::new();
    }
    let is = |place: usize, word: &str| arguments[place].to_str() == Some(word);
    let after = (0..arguments.len()).skip_while(|place| !is(*place, "generate"));
    let places = after.skip(1).filter(|place| is(*place, word));
    let with = |place: usize| {
        let mut arguments = arguments.to_vec();
        arguments.insert(place, "resource".into());
        arguments
    };
    places.map(with).collect()
}

/// Adds the line to write to the error for `destroy shop dishes`. It is not read as `destroy resource shop dishes`,
/// because a command that drops a table names what it drops.
fn with_line_to_destroy(mut error: clap::Error, arguments: &[OsString]) -> clap::Error {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    let words = arguments.iter().filter_map(|one| one.to_str());
    let mut words = words.skip_while(|one| *one != "destroy").skip(1);
    let is_known = error.get(ContextKind::SuggestedSubcommand).is_some();
    if is_known || words.next() != Some(word) {
        return error;
    }
    let line = match words.next().filter(|name| !name.starts_with('-')) {
        Some(name) => format!("write `formwork destroy resource {word} {name}`"),
        None => format!(
            "write `formwork destroy resource EXT {word}`, or `formwork destroy extension {word}`"
        ),
    };
    error.insert(
        ContextKind::Suggested,
        ContextValue::StyledStrs(vec![line.into()]),
    );
    error
}

/// A command line to copy that writes what this one only shows.
fn again(arguments: &[OsString]) -> String {
    let mut words = vec!["formwork".to_owned()];
    let mut arguments = arguments.iter().skip(1).map(|one| one.to_string_lossy());
    while let Some(argument) = arguments.next() {
        match argument.as_ref() {
            "--check" | "--dry-run" | "--diff" | "--quiet" | "-q" => {}
            "--format" => drop(arguments.next()),
            one if one.starts_with("--format=") => {}
            one => words.push(match one.split_once("://") {
                // The address of a database may hold a password.
                Some((option, rest)) if rest.contains('@') => {
                    let option = option
                        .split_once('=')
                        .map(|(option, _)| format!("{option}="));
                    format!("{}\"$DATABASE_URL\"", option.unwrap_or_default())
                }
                _ => quoted(one),
            }),
        }
    }
    words.join(" ")
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Command, GenerateCommand};

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn a_resource_is_found_behind_options_of_the_same_word() {
        for line in [
            "formwork generate shop dishes",
            "formwork --project shop generate shop dishes",
            "formwork generate --project shop shop dishes",
            "formwork --project generate generate shop dishes",
        ] {
            let cli = Cli::read(&words(line)).expect(line);
            let Command::Generate(args) = cli.command else {
                panic!("{line}");
            };
            let Some(GenerateCommand::Resource(args)) = args.command else {
                panic!("{line}");
            };
            assert_eq!(args.new.extension(), Some("shop"), "{line}");
            assert_eq!(args.new.name(), Some("dishes"), "{line}");
        }
    }

    #[test]
    fn the_command_line_of_a_dry_run_is_repeated_as_one_that_writes() {
        for (line, said) in [
            ("formwork generate --check", "formwork generate"),
            (
                "formwork --format json destroy resource shop dishes --dry-run --diff",
                "formwork destroy resource shop dishes",
            ),
            (
                "formwork import --database-url sqlite://a.db --ext shop --format=json --check",
                "formwork import --database-url sqlite://a.db --ext shop",
            ),
            (
                "formwork import --database-url postgres://a:secret@b/c --dry-run",
                "formwork import --database-url \"$DATABASE_URL\"",
            ),
            (
                "formwork import --database-url=mysql://a:secret@b/c",
                "formwork import --database-url=\"$DATABASE_URL\"",
            ),
        ] {
            assert_eq!(again(&words(line)), said);
        }
    }
}
