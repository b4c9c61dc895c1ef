//! The time limit of a statement. SQLite has none: its progress handler looks at the clock.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// When the statement of a connection must have ended.
#[derive(Clone)]
pub(super) struct Deadline {
    timeout: Option<Duration>,
    opened: Instant,
    /// In milliseconds since `opened`; [`NONE`] between statements.
    ends: Arc<AtomicU64>,
}

/// No statement runs, or its time is not limited.
const NONE: u64 = u64::MAX;

impl Deadline {
    /// Returns the deadline of a new connection.
    pub fn new(timeout: Option<Duration>) -> Self {
        Self {
            timeout,
            opened: Instant::now(),
            ends: Arc::new(AtomicU64::new(NONE)),
        }
    }

    /// Lets the time of a statement begin.
    pub fn begin(&self) -> RunningStatement {
        if let Some(timeout) = self.timeout {
            let ends = self.opened.elapsed() + timeout;
            self.ends.store(millis(ends), Relaxed);
        }
        RunningStatement(Arc::clone(&self.ends))
    }

    /// Whether a statement runs longer than it may.
    pub fn is_over(&self) -> bool {
        let ends = self.ends.load(Relaxed);
        ends != NONE && millis(self.opened.elapsed()) >= ends
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(NONE)
}

/// A statement whose time is limited until this is dropped.
pub struct RunningStatement(Arc<AtomicU64>);

impl Drop for RunningStatement {
    fn drop(&mut self) {
        self.0.store(NONE, Relaxed);
    }
}
