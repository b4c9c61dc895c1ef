//! The progress of a request: how many statements it ran, and whether it committed a change.

use std::{
    future::Future,
    pin::Pin,
    sync::{
        OnceLock,
        atomic::{
            AtomicI64, AtomicU64, AtomicUsize,
            Ordering::{AcqRel, Acquire, Relaxed},
        },
    },
};

use tokio::sync::Mutex;

use crate::error::{Error, Result};

/// The progress that the handles of a request share.
#[derive(Default)]
pub struct Progress {
    statements: AtomicU64,
    /// Commits that were begun and did not fail, or [`GIVEN_UP`].
    commits: AtomicI64,
    before_writing: OnceLock<Mutex<Option<Before>>>,
    /// Connections that are held longer than a statement.
    held: AtomicUsize,
}

/// The work that a first write waits for.
type Before = Pin<Box<dyn Future<Output = ()> + Send>>;

/// No change was committed, and no commit may begin.
const GIVEN_UP: i64 = -1;

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

    /// Lets the first write of the request wait for this: it runs before the write has a connection.
    /// Only the first call counts.
    pub fn wait_before_writing(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.before_writing
            .get_or_init(|| Mutex::new(Some(Box::pin(work))));
    }

    /// Waits until the request may write.
    pub(super) async fn may_write(&self) {
        let Some(before) = self.before_writing.get() else {
            return;
        };
        let mut before = before.lock().await;
        if let Some(work) = &mut *before {
            work.await;
            *before = None;
        }
    }

    /// From now on the request is not cancelled.
    ///
    /// # Errors
    ///
    /// 503 where it was: its work is rolled back.
    pub fn begin_commit(&self) -> Result<()> {
        let counted = |commits| (commits != GIVEN_UP).then_some(commits + 1);
        match self.commits.fetch_update(AcqRel, Acquire, counted) {
            Ok(_) => Ok(()),
            Err(_) => Err(Error::Unavailable("The request was cancelled.".to_owned())),
        }
    }

    /// A change was committed, whether the request was cancelled or not.
    pub fn committed(&self) {
        self.commits.fetch_max(0, AcqRel);
        self.commits.fetch_add(1, AcqRel);
    }

    /// The commit that was begun failed.
    pub fn commit_failed(&self) {
        self.commits.fetch_sub(1, AcqRel);
    }

    /// Cancels the request, unless a commit of it was begun; returns whether it is cancelled.
    pub fn give_up(&self) -> bool {
        let given_up = self.commits.compare_exchange(0, GIVEN_UP, AcqRel, Acquire);
        matches!(given_up, Ok(_) | Err(GIVEN_UP))
    }

    /// Whether a change was committed, or is being committed.
    pub fn lasts(&self) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_cannot_begin_after_giving_up() {
        let progress = Progress::default();
        assert!(progress.give_up() && progress.give_up());
        assert!(progress.begin_commit().is_err());
        assert!(!progress.lasts());
    }

    #[test]
    fn work_cannot_be_given_up_once_a_commit_has_begun() {
        let progress = Progress::default();
        progress.begin_commit().expect("open");
        assert!(progress.lasts() && !progress.give_up());
        progress.begin_commit().expect("a second commit");
        progress.commit_failed();
        assert!(
            progress.lasts() && !progress.give_up(),
            "the first one lasts"
        );
    }

    #[test]
    fn work_after_a_failed_commit_can_be_given_up() {
        let progress = Progress::default();
        progress.begin_commit().expect("open");
        progress.commit_failed();
        assert!(!progress.lasts() && progress.give_up());
    }
}
