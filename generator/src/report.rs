//! The report of a run: a short table for people, JSON for programs.

mod fix;
mod json;
mod text;

pub use fix::quoted;
pub use json::of_nothing;

use similar::TextDiff;

use self::fix::{ReportedRun, fix};
use crate::error::Problem;
use crate::exit::Exit;
use crate::plan::{Class, FileChange, Plan};

/// Which command reports, which decides the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Files were written.
    Generate,
    /// No file was written: the planned changes.
    DryRun,
    /// No file was written: the differences, and the command that resolves each.
    Check,
    /// No file was written: all files that are not as rendered.
    Status,
}

/// A report on a plan.
#[derive(Debug, Clone)]
pub struct RunReport<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Name of the command, for JSON (`generate`).
    pub command: &'a str,
    /// The command line that makes the planned changes, to copy.
    pub again: &'a str,
    /// Mode of the run.
    pub mode: Mode,
    /// Whether the differences are shown as well.
    pub diff: bool,
    /// Warnings about manifests, for JSON.
    pub diagnostics: &'a [serde_json::Value],
}

/// One file of a report.
struct Row<'a> {
    change: &'a FileChange,
    class: &'static str,
    fix_description: Option<&'a str>,
    fix_command: Option<String>,
}

impl RunReport<'_> {
    /// The status the command ends with.
    pub fn exit(&self) -> Exit {
        match self.mode {
            Mode::Check => self.plan.check_exit(),
            Mode::Generate | Mode::DryRun => self.plan.exit(),
            Mode::Status => Exit::Done,
        }
    }

    /// The refusal, because of which no file is written.
    fn problems(&self) -> &[Problem] {
        let refused = self.plan.refused.as_ref();
        refused.map_or(&[], |refused| refused.problems.as_slice())
    }

    /// The help of the refusal.
    fn help(&self) -> &[String] {
        let refused = self.plan.refused.as_ref();
        refused.map_or(&[], |refused| refused.help.as_slice())
    }

    /// Whether conflict markers stopped the run before it wrote anything.
    fn is_stopped(&self) -> bool {
        self.mode == Mode::Generate && self.plan.has_markers()
    }

    /// The changes to report: a run that was stopped by markers reports only these.
    fn changes(&self) -> impl Iterator<Item = &FileChange> {
        let stopped = self.is_stopped();
        let reported = move |change: &&FileChange| !stopped || change.class == Class::Unresolved;
        self.plan.files.iter().filter(reported)
    }

    /// Files that get a line. `status` leaves out files that are only recorded.
    fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        let shown = |change: &&FileChange| match change.class {
            Class::Unchanged => false,
            Class::Adopt => !self.mode.looks_at_states(),
            _ => true,
        };
        let run = ReportedRun {
            is_import: self.command == "import",
            is_written: self.mode == Mode::Generate,
            is_dry_run: self.mode == Mode::DryRun,
            again: self.again,
        };
        self.changes().filter(shown).map(move |change| {
            let (fix_description, fix_command) = fix(change, &run);
            Row {
                change,
                class: self.mode.word(change.class),
                fix_description,
                fix_command,
            }
        })
    }
}

impl Mode {
    /// Whether the report names the state of a file, not the change.
    fn looks_at_states(self) -> bool {
        matches!(self, Mode::Check | Mode::Status)
    }

    /// The word for a class, in text and JSON, in lines and summaries.
    fn word(self, class: Class) -> &'static str {
        match self.looks_at_states() {
            true => state_word(class),
            false => word(class),
        }
    }
}

/// The word for the change of a file.
fn word(class: Class) -> &'static str {
    match class {
        Class::Create => "created",
        Class::Adopt => "adopted",
        Class::Write => "updated",
        Class::Merge => "merged",
        Class::Move => "moved",
        Class::Keep { .. } => "kept",
        Class::Delete => "deleted",
        Class::StaysDeleted { .. } => "stays_deleted",
        Class::Conflict(_) => "conflicted",
        Class::Orphan => "orphaned",
        Class::Unresolved => "unresolved",
        Class::Unchanged => "unchanged",
    }
}

/// The word for the state of a file.
fn state_word(class: Class) -> &'static str {
    match class {
        Class::Unchanged => "unchanged",
        Class::Write | Class::Merge | Class::Move | Class::Delete => "stale",
        Class::Create | Class::StaysDeleted { .. } => "missing",
        Class::Keep { .. } | Class::Adopt => "edited",
        Class::Orphan => "orphaned",
        Class::Conflict(_) | Class::Unresolved => "conflicted",
    }
}

/// The unified diff from what is on disk to what would be there; empty where neither is known.
pub fn diff(change: &FileChange) -> String {
    let new = match change.class {
        Class::Delete => Some(&[][..]),
        _ => change.new.as_deref(),
    };
    let (Some(new), old) = (new, change.old.as_deref().unwrap_or_default()) else {
        return String::new();
    };
    let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
    if old == new {
        return String::new();
    }
    let from = change.moved_from.as_ref().unwrap_or(&change.path);
    let before = match change.old {
        Some(_) => format!("a/{from}"),
        None => "/dev/null".to_owned(),
    };
    let after = match change.class {
        Class::Delete => "/dev/null".to_owned(),
        _ => format!("b/{}", change.path),
    };
    TextDiff::from_lines(old.as_ref(), new.as_ref())
        .unified_diff()
        .header(&before, &after)
        .to_string()
}

#[cfg(test)]
mod tests;
