//! Exit statuses.

use std::process::ExitCode;

/// The exit status of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exit {
    /// Everything is done.
    Done,
    /// Input or output failed, or Formwork has a bug.
    Failed,
    /// Wrong usage, or a mistake in a manifest.
    Usage,
    /// Conflicts or orphans are left.
    Conflicts,
    /// A file holds conflict markers; nothing was written.
    Markers,
    /// `--check` found that a run would change something.
    Drift,
    /// A destructive migration was refused; nothing was written.
    Destructive,
}

impl Exit {
    /// The status as the shell sees it.
    pub fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::Conflicts => 3,
            Exit::Markers => 4,
            Exit::Drift => 5,
            Exit::Destructive => 6,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
