//! Turns: how much of each caller's work is under way at once.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The turns of all callers. Further work of a caller waits behind its own, not before the work of
/// others.
#[derive(Debug)]
pub(crate) struct Turns<K: Copy + Eq + Hash> {
    at_once: usize,
    callers: Callers<K>,
}

/// The turns of each caller that has work under way.
type Callers<K> = Arc<Mutex<HashMap<K, Arc<Semaphore>>>>;

impl<K: Copy + Eq + Hash> Turns<K> {
    /// So many turns at once for each caller.
    pub fn new(at_once: usize) -> Self {
        Self {
            at_once,
            callers: Callers::default(),
        }
    }

    /// Waits for a turn of this caller.
    pub async fn take(&self, caller: K) -> Turn<K> {
        // Dropped with the request that waits, so that its caller is forgotten.
        let mut turn = Turn {
            callers: Arc::clone(&self.callers),
            caller,
            permit: None,
        };
        let semaphore = Arc::clone(
            locked(&self.callers)
                .entry(caller)
                .or_insert_with(|| Arc::new(Semaphore::new(self.at_once))),
        );
        turn.permit = semaphore.acquire_owned().await.ok();
        turn
    }
}

fn locked<K>(
    callers: &Mutex<HashMap<K, Arc<Semaphore>>>,
) -> MutexGuard<'_, HashMap<K, Arc<Semaphore>>> {
    callers.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A turn, which ends when it is dropped.
pub(crate) struct Turn<K: Copy + Eq + Hash> {
    callers: Callers<K>,
    caller: K,
    permit: Option<OwnedSemaphorePermit>,
}

impl<K: Copy + Eq + Hash> Drop for Turn<K> {
    fn drop(&mut self) {
        let mut callers = locked(&self.callers);
        drop(self.permit.take());
        // Each turn that is taken or waited for holds one.
        let semaphore = callers.get(&self.caller);
        if semaphore.is_some_and(|semaphore| Arc::strong_count(semaphore) == 1) {
            callers.remove(&self.caller);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    #[tokio::test]
    async fn a_caller_waits_for_itself_alone_and_is_forgotten() {
        let turns = Turns::new(2);
        let soon = Duration::from_millis(20);
        let held = [turns.take(1).await, turns.take(1).await];
        assert!(timeout(soon, turns.take(1)).await.is_err(), "two at once");
        assert!(timeout(soon, turns.take(2)).await.is_ok(), "others go on");
        let [first, second] = held;
        drop(first);
        let third = timeout(soon, turns.take(1)).await;
        assert!(third.is_ok());
        drop((second, third));
        assert!(locked(&turns.callers).is_empty());
    }
}
