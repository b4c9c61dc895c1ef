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

/// The next step of the user for a file: a sentence, and a command to copy.
type Fix<'a> = (Option<&'a str>, Option<String>);

/// Returns how the user resolves the state of a file.
pub(super) fn fix<'a>(change: &FileChange, run: &ReportedRun<'a>) -> Fix<'a> {
    if run.is_import {
        return fix_of_import(change, run);
    }
    let path = quoted(&change.path);
    let command = |option: &str| Some(format!("formwork generate {option} {path}"));
    match change.class {
        Class::Create | Class::Write | Class::Merge | Class::Move | Class::Delete => {
            writing_command(run)
        }
        Class::Conflict(Cause::Markers) if !run.is_written => {
            let description =
                "formwork generate (or --ours to keep your side, --theirs to take the render)";
            (Some(description), Some(run.again.to_owned()))
        }
        Class::Conflict(Cause::Markers) | Class::Unresolved => (Some(RESOLVE), command("--ours")),
        Class::Conflict(Cause::Foreign) => {
            let description =
                "formwork generate --adopt (keeps your file) or --theirs (takes the render)";
            (Some(description), command("--adopt"))
        }
        Class::Conflict(Cause::Unmergeable) if change.old.is_none() => {
            let description =
                "bring .formwork/base back from version control, then formwork generate --restore";
            (Some(description), command("--restore"))
        }
        Class::Conflict(Cause::Unmergeable) => {
            let description =
                "formwork generate --ours (keeps your file) or --theirs (takes the render)";
            (Some(description), command("--ours"))
        }
        Class::StaysDeleted { .. } => (Some("formwork generate --restore"), command("--restore")),
        Class::Orphan => {
            let description = "remove the file once its lines are not needed";
            (Some(description), Some(format!("rm {path}")))
        }
        Class::Adopt | Class::Keep { .. } | Class::Unchanged => (None, None),
    }
}

/// Returns the hint for a run that wrote nothing.
fn writing_command<'a>(run: &ReportedRun<'a>) -> Fix<'a> {
    if run.is_written {
        return (None, None);
    }
    let description = match run.is_dry_run {
        true => "the same command without --dry-run",
        false => run.again,
    };
    (Some(description), Some(run.again.to_owned()))
}

fn fix_of_import<'a>(change: &FileChange, run: &ReportedRun<'a>) -> Fix<'a> {
    let path = quoted(&change.path);
    match change.class {
        Class::Create | Class::Write | Class::Merge | Class::Move | Class::Delete => {
            writing_command(run)
        }
        Class::Conflict(Cause::Markers) if !run.is_written => writing_command(run),
        Class::Conflict(Cause::Markers) | Class::Unresolved => {
            let description = "resolve the conflict markers in the file, then import again";
            (Some(description), None)
        }
        Class::Conflict(_) => {
            let description =
                "move the file away, import again, and write your lines into the new one";
            let target = quoted(&format!("{}.mine", change.path));
            (Some(description), Some(format!("mv {path} {target}")))
        }
        Class::StaysDeleted { .. } => {
            let command = parts(&change.path)
                .map(|(ext, _, key)| format!("rm .formwork/imported/{ext}.{key}.yaml"));
            let description = "remove its record in .formwork/imported, then import again";
            (Some(description), command)
        }
        Class::Orphan => {
            let command = parts(&change.path)
                .map(|(ext, kind, key)| format!("formwork destroy {kind} {ext} {key}"));
            let description = "formwork destroy removes it, with what was poured of it";
            (Some(description), command)
        }
        Class::Adopt | Class::Keep { .. } | Class::Unchanged => (None, None),
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
