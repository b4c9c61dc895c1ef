//! Counts in memory: of one replica, and while a store that replicas share does not answer.

use std::{collections::HashMap, hash::Hash};

use crate::shared::{WINDOW, Window};

#[derive(Debug, Clone, Copy)]
struct Open {
    /// Second it began in.
    began: i64,
    count: u64,
}

/// The windows that are open, by what is counted, in bounded memory.
///
/// Two generations take turns: a window that is still open is never older than the younger two, so
/// that old ones are dropped without a search.
#[derive(Debug)]
pub(crate) struct Windows<K> {
    /// Windows of a generation before it is crowded; it holds at most twice as many.
    capacity: usize,
    turned: i64,
    young: HashMap<K, Open>,
    old: HashMap<K, Open>,
}

impl<K: Clone + Eq + Hash> Windows<K> {
    pub fn new(capacity: usize) -> Self {
        Self {
            capacity,
            turned: 0,
            young: HashMap::new(),
            old: HashMap::new(),
        }
    }

    /// Counts one more in this second.
    pub fn count(&mut self, key: K, now: i64) -> Window {
        let is_full = self.young.len() >= 2 * self.capacity && !self.knows(&key);
        if is_full || is_over(self.turned, now) {
            self.old = std::mem::take(&mut self.young);
            self.turned = now;
        }
        let new = Open {
            began: now,
            count: 0,
        };
        let old = &mut self.old;
        let window = self.young.entry(key.clone());
        let window = window.or_insert_with(|| old.remove(&key).unwrap_or(new));
        if is_over(window.began, now) {
            *window = new;
        }
        window.count += 1;
        Window {
            count: window.count,
            left: (WINDOW - now.abs_diff(window.began)).max(1),
        }
    }

    /// The count of the window that is open.
    pub fn counted(&self, key: &K, now: i64) -> u64 {
        let window = self.young.get(key).or_else(|| self.old.get(key));
        let open = window.filter(|window| !is_over(window.began, now));
        open.map_or(0, |window| window.count)
    }

    /// Resets the count.
    pub fn forget(&mut self, key: &K) {
        self.young.remove(key);
        self.old.remove(key);
    }

    /// Whether a new window would displace others soon.
    pub fn is_crowded(&self) -> bool {
        self.young.len() >= self.capacity
    }

    pub fn knows(&self, key: &K) -> bool {
        self.young.contains_key(key) || self.old.contains_key(key)
    }
}

/// Setting the clock back ends a window too.
fn is_over(began: i64, now: i64) -> bool {
    now < began || now.abs_diff(began) >= WINDOW
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_begins_with_the_first_and_lasts_a_minute() {
        let mut windows = Windows::new(10);
        let mut count = |key: char, now: i64| {
            let Window { count, left } = windows.count(key, now);
            (count, left)
        };
        assert_eq!(count('a', 1000), (1, 60));
        assert_eq!(count('a', 1030), (2, 30));
        assert_eq!(count('b', 1030), (1, 60));
        assert_eq!(count('a', 1059), (3, 1));
        assert_eq!(count('a', 1060), (1, 60), "a new one");
        assert_eq!(count('b', 1061), (2, 29), "across generations");
        assert_eq!(count('a', 900), (1, 60), "the clock was set back");
    }

    #[test]
    fn memory_is_bounded() {
        let mut windows = Windows::new(100);
        for key in 0..450 {
            windows.count(key, 1000);
        }
        assert!(windows.young.len() <= 200 && windows.old.len() <= 200);
        assert!(windows.knows(&449) && !windows.knows(&0));
    }

    #[test]
    fn forgotten_keys_count_from_one_in_either_generation() {
        let mut windows = Windows::new(10);
        windows.count('a', 1000);
        windows.count('b', 1059);
        windows.count('c', 1061);
        for key in ['b', 'c'] {
            windows.forget(&key);
            assert_eq!(windows.count(key, 1062).count, 1, "{key}");
        }
    }
}
