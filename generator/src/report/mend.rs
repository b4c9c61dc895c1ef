//! Help for a file: a sentence, and a command that works.

use crate::plan::{Cause, Class, FileChange};

/// The run whose files are reported.
pub(super) struct Told<'a> {
    /// Whether the files are manifests, about which `generate` decides nothing.
    pub is_import: bool,
    /// Whether it wrote them.
    pub is_written: bool,
    /// Whether it was asked what it would write.
    pub is_dry_run: bool,
    /// The command line that writes what is planned.
    pub again: &'a str,
}

const RESOLVE: &str = "resolve the conflict markers in the file, then run formwork generate; \
    or take one side of each with --ours PATH (yours) or --theirs PATH (the render)";

/// The help for the user.
pub(super) fn mend<'a>(change: &FileChange, report: &Told<'a>) -> Option<&'a str> {
    if report.is_import {
        return mend_of_import(change, report);
    }
    match change.class {
        Class::Create | Class::Write | Class::Merge | Class::Move | Class::Delete => {
            of_writing(report)
        }
        Class::Conflict(Cause::Markers) if report.is_written => Some(RESOLVE),
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

fn of_writing<'a>(report: &Told<'a>) -> Option<&'a str> {
    if report.is_written {
        return None;
    }
    match report.is_dry_run {
        true => Some("the same command without --dry-run"),
        false => Some(report.again),
    }
}

fn mend_of_import<'a>(change: &FileChange, report: &Told<'a>) -> Option<&'a str> {
    match change.class {
        Class::Create | Class::Write | Class::Merge | Class::Move | Class::Delete => {
            of_writing(report)
        }
        Class::Conflict(Cause::Markers) if !report.is_written => of_writing(report),
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

/// The command that resolves it.
pub(super) fn hint(change: &FileChange, report: &Told<'_>) -> Option<String> {
    if report.is_import {
        return hint_of_import(change, report);
    }
    let option = match change.class {
        Class::Create | Class::Write | Class::Merge | Class::Move | Class::Delete => {
            return again(report);
        }
        Class::Conflict(Cause::Markers) if !report.is_written => {
            return again(report);
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
fn again(report: &Told<'_>) -> Option<String> {
    (!report.is_written).then(|| report.again.to_owned())
}

fn hint_of_import(change: &FileChange, report: &Told<'_>) -> Option<String> {
    let path = quoted(&change.path);
    match change.class {
        Class::Create | Class::Write | Class::Merge | Class::Move | Class::Delete => again(report),
        Class::Conflict(Cause::Markers) => again(report),
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
