//! What commands print. A reader that goes away (`formwork completions bash | head`) ends the printing, and
//! nothing else: no panic, no message.

use std::io::{self, ErrorKind, Write};

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::{Value, json};

use crate::cli::{Cli, Format};
use crate::error::Mistaken;
use crate::exit::Exit;

/// Prints to standard output; colours only where they belong.
///
/// # Errors
/// What writing failed with, but for a reader that is gone.
pub fn out(text: &str) -> Result<()> {
    let mut to = anstream::stdout();
    let written = to.write_all(text.as_bytes()).and_then(|()| to.flush());
    unless_gone(written).context("cannot print")
}

/// Prints to standard error; where that is not possible, nobody can be told.
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

/// The shape every answer for programs has, on one line; `rest` is what the command is about.
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
/// What writing failed with.
pub fn json(answer: &Answer<'_, Value>) -> Result<()> {
    let text = serde_json::to_string(answer).context("cannot print")?;
    out(&format!("{text}\n"))
}

/// Says why a command failed, to people and with `--format json` to programs; returns its exit status.
pub fn failure(cli: &Cli, error: &anyhow::Error) -> Exit {
    let exit = Exit::of(error);
    let mistaken = error.downcast_ref::<Mistaken>();
    let errors = errors(error, mistaken);
    let coloured = errors
        .iter()
        .map(|line| format!("\u{1b}[1;31merror\u{1b}[0m: {line}\n"));
    err(&coloured.collect::<String>());
    if cli.format == Format::Json {
        let answer = Answer {
            exit: exit.code(),
            errors: &errors,
            diagnostics: mistaken.map_or(&[], |mistaken| &mistaken.diagnostics),
            ..Answer::done(cli.command.name(), json!({}))
        };
        if let Err(error) = self::json(&answer) {
            err(&format!("{error:#}\n"));
            return Exit::Failed;
        }
    }
    exit
}

/// Each line of a refusal is a problem of its own; other errors show what they come from. Mistakes in manifests
/// were shown with their places already.
fn errors(error: &anyhow::Error, mistaken: Option<&Mistaken>) -> Vec<String> {
    let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
    let said = match mistaken {
        Some(_) => &causes[..causes.len() - 1],
        None => &causes[..],
    };
    let lines = said.join(": ");
    lines.lines().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Refused;

    #[test]
    fn a_reader_that_is_gone_is_no_error_and_a_full_disk_is_one() {
        let failed = |kind: ErrorKind| unless_gone(Err(kind.into()));
        assert!(failed(ErrorKind::BrokenPipe).is_ok());
        assert!(failed(ErrorKind::StorageFull).is_err());
    }

    #[test]
    fn each_problem_is_a_line_and_mistakes_are_not_said_twice() {
        let refused = Refused {
            exit: Exit::Failed,
            problems: vec!["one".to_owned(), "two".to_owned()],
        };
        assert_eq!(errors(&refused.into(), None), ["one", "two"]);
        let mistaken = Mistaken {
            diagnostics: Vec::new(),
        };
        let error = anyhow::Error::from(mistaken.clone());
        assert!(errors(&error, Some(&mistaken)).is_empty());
        assert_eq!(
            errors(&error.context("nothing was done"), Some(&mistaken)),
            ["nothing was done"]
        );
    }
}
