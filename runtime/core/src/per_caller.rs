//! Values that all requests of a caller share while one of them is under way.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, PoisonError, Weak},
};

/// The value of each caller that has requests under way.
#[derive(Debug)]
pub(crate) struct PerCaller<K, T>(Mutex<HashMap<K, Weak<T>>>);

impl<K, T> Default for PerCaller<K, T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, T> PerCaller<K, T> {
    /// Returns the value of a caller, which is made if none of its requests has it.
    pub fn get(&self, caller: K, make: impl FnOnce() -> T) -> Arc<T> {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = values.get(&caller).and_then(Weak::upgrade) {
            return value;
        }
        // The map grows with the callers of one moment, not with all there ever were.
        if values.len() == values.capacity() {
            values.retain(|_, value| value.strong_count() > 0);
        }
        let value = Arc::new(make());
        values.insert(caller, Arc::downgrade(&value));
        value
    }
}
