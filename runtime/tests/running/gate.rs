//! Where work waits until the test lets it go on: what takes long takes as long as the test wants.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use tokio::sync::Semaphore;

/// A gate, which is shut; its clones are the same.
#[derive(Clone)]
pub struct Gate(Arc<State>);

struct State {
    /// One for each that may go on.
    open: Semaphore,
    /// Callers that have come to it.
    came: AtomicUsize,
    /// Callers that were given up while they waited.
    given_up: AtomicUsize,
}

impl Default for Gate {
    fn default() -> Self {
        Self(Arc::new(State {
            open: Semaphore::new(0),
            came: AtomicUsize::new(0),
            given_up: AtomicUsize::new(0),
        }))
    }
}

/// Counts requests that are dropped at the gate.
struct Waiting<'a>(&'a State);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.given_up.fetch_add(1, Ordering::SeqCst);
    }
}

impl Gate {
    /// Waits to be let go on.
    pub async fn pass(&self) {
        self.0.came.fetch_add(1, Ordering::SeqCst);
        let waiting = Waiting(&self.0);
        let passed = self.0.open.acquire().await;
        passed.expect("it is never closed").forget();
        std::mem::forget(waiting);
    }

    /// Lets one request through: a waiting one, or the next.
    pub fn let_one_go(&self) {
        self.0.open.add_permits(1);
    }

    /// How many have come.
    pub fn came(&self) -> usize {
        self.0.came.load(Ordering::SeqCst)
    }

    /// How many were given up.
    pub fn given_up(&self) -> usize {
        self.0.given_up.load(Ordering::SeqCst)
    }
}

/// Whether this becomes true within a while: longer than the slowest machine takes.
pub fn soon(so: impl Fn() -> bool) -> bool {
    let began = Instant::now();
    while !so() {
        if began.elapsed() > Duration::from_secs(60) {
            return false;
        }
        thread::sleep(Duration::from_millis(10));
    }
    true
}
