//! Mistakes in manifests: shown to people at once, with their places, and part of the answer for programs.

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::command_source::CommandSource;
use super::print;
use crate::cli::{Cli, Command, Format};
use crate::diagnostic::{self, Code, Diagnostic, Severity};
use crate::error::Mistaken;
use crate::exit::Exit;
use crate::manifest::Sources;
use crate::project::Project;
use crate::resolve;

/// A project without mistakes.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The project.
    pub project: Project,
    /// Warnings, for programs.
    pub diagnostics: Vec<Value>,
}

/// The warnings that people have seen: an attempt that begins again does not print them again.
#[derive(Debug, Default)]
pub struct Printed(Mutex<Option<String>>);

impl Printed {
    /// Whether a text differs from the last one, which it becomes.
    fn is_new(&self, text: &str) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = last.as_deref() != Some(text);
        *last = Some(text.to_owned());
        is_new
    }
}

/// Resolves the sources, and shows every mistake and warning: of a manifest that the command line makes, mistakes are
/// shown in the command line.
///
/// # Errors
/// The mistakes, shown already.
pub fn check(
    sources: &Sources,
    command: Option<&CommandSource>,
    cli: &Cli,
    printed: &Printed,
) -> Result<Checked, Mistaken> {
    let mut sources = Cow::Borrowed(sources);
    let (project, found) = match resolve::resolve(&sources) {
        Ok(resolved) => (Some(resolved.project), resolved.warnings),
        Err(mut mistakes) => {
            if let Some(command) = command {
                command.relocate(&mut mistakes, sources.to_mut());
            }
            (None, mistakes)
        }
    };
    let is_check = matches!(cli.command, Command::Manifest { .. });
    let mut found = found;
    found.retain(|one| is_check || one.code != Code::NullableUnsaid);
    let for_people = cli.format == Format::Text && (!cli.quiet || project.is_none());
    if for_people && !found.is_empty() {
        let text = diagnostic::render(&found, &sources, true);
        if printed.is_new(&text) {
            print::err(&text);
        }
    }
    let diagnostics = match diagnostic::to_json(&found, &sources) {
        Value::Array(list) if cli.format == Format::Json => list,
        _ => Vec::new(),
    };
    match project {
        Some(project) => Ok(Checked {
            project,
            diagnostics,
        }),
        None => Err(Mistaken {
            exit: exit(&found),
            diagnostics,
        }),
    }
}

/// Conflict markers are not a mistake in the manifest.
fn exit(found: &[Diagnostic]) -> Exit {
    let mut errors = found.iter().filter(|one| one.severity == Severity::Error);
    match errors.all(|error| error.code == Code::Conflict) {
        true => Exit::Markers,
        false => Exit::Usage,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attempt_that_begins_again_prints_only_other_warnings() {
        let printed = Printed::default();
        assert!(printed.is_new("one"));
        assert!(!printed.is_new("one"));
        assert!(printed.is_new("two"));
    }
}
