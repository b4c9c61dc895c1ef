//! How far a request has come with its changes: whether it can still be given up.

use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use crate::error::{Error, Result};

/// What the handles of a request know together.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    statements: AtomicU64,
    stage: Mutex<Stage>,
}

/// A request is given up before its first commit, or not at all.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing has lasted yet.
    #[default]
    Open,
    /// The first commit is under way.
    Committing,
    /// Something lasts.
    Committed,
    /// Nobody waits any more: nothing is to last.
    GivenUp,
}

impl Progress {
    /// Counts a statement.
    pub fn count(&self) {
        self.statements.fetch_add(1, Ordering::Relaxed);
    }

    /// Statements so far.
    pub fn statements(&self) -> u64 {
        self.statements.load(Ordering::Relaxed)
    }

    /// From now on the request is not given up.
    ///
    /// # Errors
    ///
    /// 503 where it was: what it did is rolled back.
    pub fn committing(&self) -> Result<()> {
        let mut stage = self.stage();
        match *stage {
            Stage::GivenUp => Err(Error::Unavailable("The request was given up.".to_owned())),
            Stage::Committed => Ok(()),
            Stage::Open | Stage::Committing => {
                *stage = Stage::Committing;
                Ok(())
            }
        }
    }

    /// How the commit ended.
    pub fn ended(&self, committed: bool) {
        let mut stage = self.stage();
        *stage = match (*stage, committed) {
            (_, true) => Stage::Committed,
            (Stage::Committing, false) => Stage::Open,
            (other, false) => other,
        };
    }

    /// Gives the request up, unless something of it lasts; whether it was given up.
    pub fn give_up(&self) -> bool {
        let mut stage = self.stage();
        if matches!(*stage, Stage::Open | Stage::GivenUp) {
            *stage = Stage::GivenUp;
        }
        *stage == Stage::GivenUp
    }

    /// Whether something lasts, or is about to.
    pub fn lasts(&self) -> bool {
        matches!(*self.stage(), Stage::Committing | Stage::Committed)
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_given_up_does_not_last() {
        let progress = Progress::default();
        assert!(progress.give_up() && progress.give_up());
        assert!(progress.committing().is_err());
        assert!(!progress.lasts());
    }

    #[test]
    fn what_lasts_is_not_given_up() {
        let progress = Progress::default();
        progress.committing().expect("open");
        assert!(progress.lasts() && !progress.give_up());
        progress.ended(true);
        progress.committing().expect("a second commit");
        progress.ended(false);
        assert!(
            progress.lasts() && !progress.give_up(),
            "the first one lasts"
        );
    }

    #[test]
    fn a_commit_that_failed_left_nothing() {
        let progress = Progress::default();
        progress.committing().expect("open");
        progress.ended(false);
        assert!(!progress.lasts() && progress.give_up());
    }
}
