//! How the user resolves the state of a file: a sentence, and a command to copy.

use crate::plan::{Cause, Class, FileChange};

/// The run whose files are reported.
pub(super) struct ReportedRun<'a> {
    /// Whether the files are manifests, about which `generate` decides nothing.
    pub is_import: bool,
    /// Whether it wrote them.
    pub is_written: bool,
    /// Whether it is a dry run.
    pub is_dry_run: bool,
    /// The command line that makes the planned changes.
    pub again: &'a str,
}

const RESOLVE: &str = "resolve the conflict markers in the file, then run formwork generate; \
    or take one side of each with --ours PATH (yours) or --theirs PATH (the render)";

/// What the user does about the file, as a sentence.
pub(super) fn fix_description<'a>(change: &FileChange, run: &ReportedRun<'a>) -> Option<&'a str> {
    if run.is_import {
        return fix_description_of_import(change, run);
    }
    match change.class {
        Class::Create | Class::Write | Class::Merge | Class::Move | Class::Delete => {
            writing_command(run)
        }
        Class::Conflict(Cause::Markers) if run.is_written => Some(RESOLVE),
        Class::Conflict(Cause::Markers) => {
            Some("formwork generate (or --ours to keep your side, --theirs to take the render)")
        }
        Class::Conflict(Cause::Foreign) => {
            Some("formwork generate --adopt (keeps your file) or --theirs (takes the render)")
        }
        Class::Conflict(Cause::Unmergeable) if change.old.is_none() => {
            Some("bring .formwork/base back from version control, then formwork generate --restore")
        }
        Class::Conflict(Cause::Unmergeable) => {
            Some("formwork generate --ours (keeps your file) or --theirs (takes the render)")
        }
        Class::StaysDeleted { .. } => Some("formwork generate --restore"),
        Class::Orphan => Some("remove the file once its lines are not needed"),
        Class::Unresolved => Some(RESOLVE),
        Class::Adopt | Class::Keep { .. } | Class::Unchanged => None,
    }
}

fn writing_command<'a>(run: &ReportedRun<'a>) -> Option<&'a str> {
    if run.is_written {
        return None;
    }
    match run.is_dry_run {
        true => Some("the same command without --dry-run"),
        false => Some(run.again),
    }
}

fn fix_description_of_import<'a>(change: &FileChange, run: &ReportedRun<'a>) -> Option<&'a str> {
    match change.class {
        Class::Create | Class::Write | Class::Merge | Class::Move | Class::Delete => {
            writing_command(run)
        }
        Class::Conflict(Cause::Markers) if !run.is_written => writing_command(run),
        Class::Conflict(Cause::Markers) | Class::Unresolved => {
            Some("resolve the conflict markers in the file, then import again")
        }
        Class::Conflict(_) => {
            Some("move the file away, import again, and write your lines into the new one")
        }
        Class::StaysDeleted { .. } => {
            Some("remove its record in .formwork/imported, then import again")
        }
        Class::Orphan => Some("formwork destroy removes it, with what was poured of it"),
        Class::Adopt | Class::Keep { .. } | Class::Unchanged => None,
    }
}

/// The command that resolves the state of the file, to copy.
pub(super) fn fix_command(change: &FileChange, run: &ReportedRun<'_>) -> Option<String> {
    if run.is_import {
        return fix_command_of_import(change, run);
    }
    let option = match change.class {
        Class::Create | Class::Write | Class::Merge | Class::Move | Class::Delete => {
            return command_again(run);
        }
        Class::Conflict(Cause::Markers) if !run.is_written => {
            return command_again(run);
        }
        Class::Orphan => return Some(format!("rm {}", quoted(&change.path))),
        Class::Conflict(Cause::Foreign) => "--adopt",
        Class::Conflict(Cause::Unmergeable) if change.old.is_none() => "--restore",
        Class::Conflict(_) | Class::Unresolved => "--ours",
        Class::StaysDeleted { .. } => "--restore",
        Class::Adopt | Class::Keep { .. } | Class::Unchanged => return None,
    };
    Some(format!(
        "formwork generate {option} {}",
        quoted(&change.path)
    ))
}

/// The same command, as one that writes.
fn command_again(run: &ReportedRun<'_>) -> Option<String> {
    (!run.is_written).then(|| run.again.to_owned())
}

fn fix_command_of_import(change: &FileChange, run: &ReportedRun<'_>) -> Option<String> {
    let path = quoted(&change.path);
    match change.class {
        Class::Create | Class::Write | Class::Merge | Class::Move | Class::Delete => {
            command_again(run)
        }
        Class::Conflict(Cause::Markers) => command_again(run),
        Class::Conflict(_) => Some(format!(
            "mv {path} {}",
            quoted(&format!("{}.mine", change.path))
        )),
        Class::StaysDeleted { .. } => {
            let (ext, _, key) = parts(&change.path)?;
            Some(format!("rm .formwork/imported/{ext}.{key}.yaml"))
        }
        Class::Orphan => {
            let (ext, kind, key) = parts(&change.path)?;
            Some(format!("formwork destroy {kind} {ext} {key}"))
        }
        Class::Unresolved | Class::Adopt | Class::Keep { .. } | Class::Unchanged => None,
    }
}

/// The extension of a manifest, the word for its kind, and its key.
fn parts(path: &str) -> Option<(&str, &str, &str)> {
    let mut parts = path.strip_suffix(".yaml")?.split('/').skip(1);
    let (ext, folder, key) = (parts.next()?, parts.next()?, parts.next()?);
    Some((ext, folder.strip_suffix('s')?, key))
}

/// A word of a command to copy, in quotes where a shell wants them.
pub fn quoted(word: &str) -> String {
    let quoted = shlex::try_quote(word);
    quoted.map_or_else(|_| word.to_owned(), |quoted| quoted.into_owned())
}
