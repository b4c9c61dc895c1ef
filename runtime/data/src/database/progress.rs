//! The progress of a request: how many statements it ran, and whether it committed a change.

use std::sync::atomic::{
    AtomicU64, AtomicUsize,
    Ordering::{AcqRel, Acquire, Relaxed},
};

/// The progress that the handles of a request share.
#[derive(Default)]
pub struct Progress {
    statements: AtomicU64,
    /// Commits that were begun and did not fail.
    commits: AtomicUsize,
    /// Connections that are held longer than a statement.
    held: AtomicUsize,
}

impl Progress {
    /// Counts a statement.
    pub fn count(&self) {
        self.statements.fetch_add(1, Relaxed);
    }

    /// Statements so far.
    pub fn statements(&self) -> u64 {
        self.statements.load(Relaxed)
    }

    /// Whether it holds a connection between its statements.
    pub(super) fn holds_connection(&self) -> bool {
        self.held.load(Acquire) > 0
    }

    /// From now on it holds one more connection.
    pub(super) fn hold_connection(&self) {
        self.held.fetch_add(1, AcqRel);
    }

    /// It holds one connection less.
    pub(super) fn release_connection(&self) {
        self.held.fetch_sub(1, AcqRel);
    }

    /// Counts a commit that begins, or a statement that committed by itself.
    pub(super) fn begin_commit(&self) {
        self.commits.fetch_add(1, AcqRel);
    }

    /// Forgets a commit that failed.
    pub(super) fn commit_failed(&self) {
        self.commits.fetch_sub(1, AcqRel);
    }

    /// Returns whether a change was committed, or is being committed.
    pub fn has_committed(&self) -> bool {
        self.commits.load(Acquire) > 0
    }
}

impl std::fmt::Debug for Progress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Progress")
            .field("statements", &self.statements)
            .field("commits", &self.commits)
            .finish_non_exhaustive()
    }
}
