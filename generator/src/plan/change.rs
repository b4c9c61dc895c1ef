//! A plan: what happens to each file, and why.

use crate::error::Refused;
use crate::exit::Exit;

/// Why a file is in conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// Formwork never rendered it: it is left as it is.
    Foreign,
    /// Formwork rendered it, and cannot merge or restore it: it is left as it is.
    Unmergeable,
    /// Both sides changed the same lines: it gets conflict markers.
    Markers,
}

/// Kind of the change that a run makes to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// It is made.
    Create,
    /// It is as rendered already, or kept as the user's own: only recorded.
    Adopt,
    /// It is replaced; it held no edits, or the user said so.
    Write,
    /// It is edited, and stays.
    Keep {
        /// Whether the template changed since.
        moved_on: bool,
    },
    /// Edits and render are merged into it.
    Merge,
    /// The sides conflict.
    Conflict(Cause),
    /// The user deleted it.
    StaysDeleted {
        /// Whether the template changed since.
        moved_on: bool,
    },
    /// It is removed.
    Delete,
    /// It is not rendered any more, but it is edited.
    Orphan,
    /// It follows its template to another path, as it is.
    Move,
    /// It stays as it is.
    Unchanged,
    /// It holds conflict markers; the run writes no file.
    Unresolved,
}

/// The change of one file, with its reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// Path below the project, with `/`.
    pub path: String,
    /// The path with symlinks resolved: the file that is written.
    pub place: String,
    /// Kind of the change.
    pub class: Class,
    /// Content on disk, where it matters.
    pub old: Option<Vec<u8>>,
    /// New content; for a foreign file, what would be there.
    pub new: Option<Vec<u8>>,
    /// Permission bits of the file on disk.
    pub mode: Option<u32>,
    /// Why, for people.
    pub reason: String,
    /// The keys of its manifest that changed, where the render is another for them.
    pub keys: Vec<String>,
    /// Where the file is until it moves.
    pub moved_from: Option<String>,
}

impl FileChange {
    /// The content to write, where any is written.
    pub fn written(&self) -> Option<&[u8]> {
        match self.class {
            Class::Conflict(Cause::Foreign | Cause::Unmergeable) | Class::Unresolved => None,
            _ => self.new.as_deref(),
        }
    }

    /// Whether a run changes the disk for this file, or leaves work: what `--check` calls drift.
    pub fn is_drift(&self) -> bool {
        use Class::{Conflict, Create, Delete, Merge, Move, Orphan, Unresolved, Write};
        matches!(
            self.class,
            Create | Write | Merge | Delete | Move | Orphan | Conflict(_) | Unresolved
        )
    }
}

/// Content of a state file before it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Before {
    /// It was not read.
    Unknown,
    /// Its content, if it was there.
    Known(Option<Vec<u8>>),
}

/// A change of the state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateChange {
    /// Path below the project.
    pub path: String,
    /// New text; `None` removes it.
    pub new: Option<String>,
    /// Content before the change.
    pub before: Before,
}

/// A line that contains a former name.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Mention {
    /// Path of the file below the project.
    pub path: String,
    /// Its line, from 1.
    pub line: usize,
    /// The former name.
    pub name: String,
    /// The name that took its place.
    pub now: String,
}

/// The changes that a run makes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// Every file that is rendered or recorded, by path.
    pub files: Vec<FileChange>,
    /// Lines of edited files and of the user's own that still contain a name that was renamed.
    pub mentions: Vec<Mention>,
    /// Changes of `.formwork`.
    pub state: Vec<StateChange>,
    /// Said once, before the report.
    pub notices: Vec<String>,
    /// Whether a run was interrupted while it wrote, and the next one that writes finishes it first.
    pub is_unfinished: bool,
    /// The refused migration, because of which the run writes no file.
    pub refused: Option<Refused>,
}

impl Plan {
    /// Whether the run writes no file, because of conflict markers or a refusal.
    pub fn is_blocked(&self) -> bool {
        self.has_markers() || self.refused.is_some()
    }

    /// Whether a file holds conflict markers.
    pub fn has_markers(&self) -> bool {
        has_markers(&self.files)
    }

    /// Whether carrying it out writes nothing.
    pub fn is_empty(&self) -> bool {
        self.state.is_empty()
            && self
                .files
                .iter()
                .all(|file| file.written().is_none() && file.class != Class::Delete)
    }

    /// How many files are written.
    pub fn written(&self) -> usize {
        let written = self.files.iter().filter(|file| file.written().is_some());
        written.count()
    }

    /// The exit status of a run.
    pub fn exit(&self) -> Exit {
        let left = |file: &FileChange| matches!(file.class, Class::Conflict(_) | Class::Orphan);
        if self.has_markers() {
            Exit::Markers
        } else if self.refused.is_some() {
            Exit::Destructive
        } else if self.files.iter().any(left) {
            Exit::Conflicts
        } else {
            Exit::Done
        }
    }

    /// The exit status of `--check`. A change of the state alone is no drift.
    pub fn check_exit(&self) -> Exit {
        let drifts = self.is_unfinished || self.refused.is_some();
        if self.has_markers() {
            Exit::Markers
        } else if drifts || self.files.iter().any(FileChange::is_drift) {
            Exit::Drift
        } else {
            Exit::Done
        }
    }
}

/// Whether a file holds conflict markers.
pub(super) fn has_markers(files: &[FileChange]) -> bool {
    files.iter().any(|file| file.class == Class::Unresolved)
}
