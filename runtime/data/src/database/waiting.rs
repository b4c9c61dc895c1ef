//! The count of callers that wait for a connection.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// How many wait; shared by all handles of a database.
#[derive(Clone, Default)]
pub(super) struct Waiting(Arc<AtomicUsize>);

/// One that waits, also where it is given up.
pub(super) struct Waiter<'w>(&'w AtomicUsize);

impl Waiting {
    /// One more waits, until the result is dropped.
    pub fn wait(&self) -> Waiter<'_> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Waiter(&self.0)
    }

    /// How many wait at this moment.
    pub fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
