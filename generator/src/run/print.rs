//! Output of commands. When the reader goes away (`formwork completions bash | head`), printing ends
//! without a panic or a message.

use std::io::{self, ErrorKind, Write};

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::{Value, json};

use crate::cli::{self, Cli, Format};
use crate::error::{Mistaken, Refused};
use crate::exit::Exit;
use crate::report;

/// Prints to standard output; colours only where they belong.
///
/// # Errors
/// A write error; a reader that is gone is no error.
pub fn out(text: &str) -> Result<()> {
    let mut to = anstream::stdout();
    let written = to.write_all(text.as_bytes()).and_then(|()| to.flush());
    unless_gone(written).context("cannot print")
}

/// Prints text that a library wrote into memory: it would not take a reader that goes away.
///
/// # Errors
/// A write error; a reader that is gone is no error.
pub fn written(text: &[u8]) -> Result<()> {
    out(&String::from_utf8_lossy(text))
}

/// Prints to standard error; a failure to print is ignored, for there is no other place to report it.
pub fn err(text: &str) {
    let mut to = anstream::stderr();
    let _ = to.write_all(text.as_bytes()).and_then(|()| to.flush());
}

fn unless_gone(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// The JSON that every command prints, on one line. `rest` are the keys of this command.
#[derive(Debug, Serialize)]
pub struct Answer<'a, R> {
    /// Grows when a key changes its meaning.
    pub version: u32,
    /// The command (`manifest check`).
    pub command: &'a str,
    /// The status it ends with.
    pub exit: u8,
    /// Why it failed.
    pub errors: &'a [String],
    /// Mistakes in manifests, and warnings.
    pub diagnostics: &'a [Value],
    /// Keys of the command's own.
    #[serde(flatten)]
    pub rest: R,
}

impl<'a> Answer<'a, Value> {
    /// Of a command that succeeded, with keys of its own.
    pub fn done(command: &'a str, rest: Value) -> Self {
        Answer {
            version: 1,
            command,
            exit: Exit::Done.code(),
            errors: &[],
            diagnostics: &[],
            rest,
        }
    }
}

/// Prints an answer for programs.
///
/// # Errors
/// A write error; a reader that is gone is no error.
pub fn json(answer: &Answer<'_, Value>) -> Result<()> {
    let text = serde_json::to_string(answer).context("cannot print")?;
    out(&format!("{text}\n"))
}

/// Why a command failed.
#[derive(Debug, Default)]
struct Failure {
    errors: Vec<String>,
    help: Vec<String>,
    diagnostics: Vec<Value>,
    /// The errors for people, as they are printed.
    shown: Vec<String>,
}

/// Says why a command failed, to people and with `--format json` to programs; returns its exit status.
pub fn failure(cli: &Cli, error: &anyhow::Error) -> Exit {
    let failure = Failure::of(error);
    err(&failure.text());
    match cli.format {
        Format::Json => failure.answer(Exit::of(error), cli.command.name()),
        Format::Text => Exit::of(error),
    }
}

/// Says why a command line cannot be read, or prints the help that it asks for; returns the exit status.
pub fn usage(error: &clap::Error, arguments: &[String]) -> Exit {
    let _ = error.print();
    if !error.use_stderr() {
        return Exit::Done;
    }
    if !cli::read::wants_json(arguments) {
        return Exit::Usage;
    }
    let text = match error.kind() {
        clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            "a command is missing: --help lists them".to_owned()
        }
        _ => error.to_string(),
    };
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let text = text.split("\n\nUsage:").next().unwrap_or(text);
    let text = text
        .split("\n\nFor more information")
        .next()
        .unwrap_or(text);
    let failure = Failure {
        errors: vec![text.to_owned()],
        ..Failure::default()
    };
    failure.answer(Exit::Usage, &cli::read::name_in(arguments))
}

impl Failure {
    /// Each problem of a refusal is printed by itself; other errors with their causes. Mistakes in
    /// manifests were shown with their places already.
    fn of(error: &anyhow::Error) -> Self {
        let refused = error.downcast_ref::<Refused>();
        let mistaken = error.downcast_ref::<Mistaken>();
        let mut causes: Vec<String> = error.chain().map(ToString::to_string).collect();
        let told_elsewhere = usize::from(refused.is_some() || mistaken.is_some());
        causes.truncate(causes.len() - told_elsewhere);
        // Some libraries write the cause of an error into its own text as well.
        causes.dedup_by(|cause, error| error.ends_with(cause.as_str()));
        let context = causes.join(": ");
        let mut errors: Vec<String> = vec![context];
        errors.retain(|context| !context.is_empty());
        let mut shown: Vec<String> = errors
            .iter()
            .map(|text| labelled("31", "error", text))
            .collect();
        let mut diagnostics = mistaken.map_or_else(Vec::new, |one| one.diagnostics.clone());
        for problem in refused.iter().flat_map(|one| &one.problems) {
            errors.push(problem.text());
            diagnostics.extend(problem.located.as_ref().map(|one| one.json.clone()));
            shown.push(match &problem.located {
                Some(located) => located.text.clone(),
                None => labelled("31", "error", &problem.text()),
            });
        }
        Failure {
            errors,
            help: refused.map_or_else(Vec::new, |refused| refused.help.clone()),
            diagnostics,
            shown,
        }
    }

    fn text(&self) -> String {
        let help = self.help.iter().map(|text| labelled("36", "help", text));
        self.shown.iter().cloned().chain(help).collect()
    }

    /// The answer for programs, of the shape that the command's report has.
    fn answer(&self, exit: Exit, command: &str) -> Exit {
        let mut rest = match cli::REPORTING.contains(&command) {
            true => report::of_nothing(),
            false => json!({}),
        };
        if !self.help.is_empty() {
            rest["help"] = json!(self.help);
        }
        let answer = Answer {
            exit: exit.code(),
            errors: &self.errors,
            diagnostics: &self.diagnostics,
            ..Answer::done(command, rest)
        };
        match json(&answer) {
            Ok(()) => exit,
            Err(error) => {
                err(&format!("{error:#}\n"));
                Exit::Failed
            }
        }
    }
}

fn labelled(colour: &str, label: &str, text: &str) -> String {
    format!("\u{1b}[1;{colour}m{label}\u{1b}[0m: {text}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_pipe_is_not_an_error_and_a_full_disk_is_one() {
        let failed = |kind: ErrorKind| unless_gone(Err(kind.into()));
        assert!(failed(ErrorKind::BrokenPipe).is_ok());
        assert!(failed(ErrorKind::StorageFull).is_err());
    }

    #[test]
    fn each_problem_is_a_separate_error_and_mistakes_are_not_repeated() {
        let errors = |error: &anyhow::Error| Failure::of(error).errors;
        let refused = Refused::all(
            Exit::Failed,
            vec!["one\ntwo".to_owned(), "three".to_owned()],
        );
        let refused = anyhow::Error::from(refused);
        assert_eq!(errors(&refused), ["one\ntwo", "three"]);
        assert_eq!(
            errors(&refused.context("before")),
            ["before", "one\ntwo", "three"]
        );
        let mistaken = Mistaken {
            exit: Exit::Usage,
            diagnostics: Vec::new(),
        };
        let error = anyhow::Error::from(mistaken);
        assert!(errors(&error).is_empty());
        assert_eq!(
            errors(&error.context("nothing was done")),
            ["nothing was done"]
        );
        let error = anyhow::anyhow!("disk").context("writing");
        assert_eq!(errors(&error), ["writing: disk"]);
        let error = anyhow::anyhow!("full").context("disk: full");
        assert_eq!(errors(&error.context("writing")), ["writing: disk: full"]);
    }
}
