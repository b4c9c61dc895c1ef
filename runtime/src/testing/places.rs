//! How many databases of tests there are on a server at once.

use std::{
    sync::{Condvar, Mutex, PoisonError},
    time::Duration,
};

/// A machine with many cores runs as many tests at once, PostgreSQL takes 100 connections
/// by default, and the pool of a service holds up to five.
pub(super) static ON_SERVERS: Places = Places::new(16);

/// How many of something there may be at once.
pub(super) struct Places {
    most: usize,
    taken: Mutex<usize>,
    given_back: Condvar,
}

/// One of them, until it is dropped.
pub(super) struct Place<'p>(&'p Places);

impl Places {
    const fn new(most: usize) -> Self {
        Self {
            most,
            taken: Mutex::new(0),
            given_back: Condvar::new(),
        }
    }

    /// Waits for a place, and goes on without one after `longest`: tests that have a place each and
    /// take another would wait for each other.
    pub fn take(&self, longest: Duration) -> Place<'_> {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self
            .given_back
            .wait_timeout_while(taken, longest, |taken| *taken >= self.most);
        let (mut taken, _) = waited.unwrap_or_else(PoisonError::into_inner);
        *taken += 1;
        Place(self)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let taken = self.0.taken.lock();
        *taken.unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.given_back.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicUsize, Ordering::SeqCst},
        thread,
    };

    use super::*;

    #[test]
    fn no_more_than_allowed_have_a_place_at_once() {
        let (places, open, most) = (Places::new(3), AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..20 {
                scope.spawn(|| {
                    let _place = places.take(Duration::from_secs(60));
                    most.fetch_max(open.fetch_add(1, SeqCst) + 1, SeqCst);
                    thread::sleep(Duration::from_millis(5));
                    open.fetch_sub(1, SeqCst);
                });
            }
        });
        assert_eq!(most.into_inner(), 3);
    }

    #[test]
    fn a_place_that_never_comes_is_done_without() {
        let places = Places::new(1);
        let _first = places.take(Duration::ZERO);
        let _second = places.take(Duration::from_millis(10));
        assert_eq!(*places.taken.lock().expect("no panic"), 2);
    }
}
