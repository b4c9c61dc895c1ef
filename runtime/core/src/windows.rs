//! Counts in memory: of one replica, and while a store that replicas share does not answer.

use std::{collections::HashMap, hash::Hash};

use crate::{
    clock::Clock,
    shared::{WINDOW, Window},
};

#[derive(Debug, Clone, Copy)]
struct Open {
    /// Second in which it began, in the time of [`Windows`].
    began: u64,
    count: u64,
}

/// The windows that are open, by what is counted, in bounded memory.
///
/// Two generations take turns: a window that is still open is never older than the younger two, so
/// that old ones are dropped without a search.
///
/// Events are counted in the second in which they are counted, whenever their request arrived: a
/// client decides how long its request takes, and must not choose the window.
pub(crate) struct Windows<K> {
    clock: Clock,
    /// The clock's second when it was last read.
    clock_second: i64,
    /// Seconds that have passed on the clock. A clock that is set back adds none, so that it neither
    /// ends a window nor prolongs it.
    elapsed: u64,
    /// Windows of a generation before it is crowded; it holds at most twice as many.
    capacity: usize,
    turned: u64,
    young: HashMap<K, Open>,
    old: HashMap<K, Open>,
}

impl<K: Clone + Eq + Hash> Windows<K> {
    pub fn new(capacity: usize, clock: Clock) -> Self {
        Self {
            clock_second: clock().timestamp(),
            clock,
            elapsed: 0,
            capacity,
            turned: 0,
            young: HashMap::new(),
            old: HashMap::new(),
        }
    }

    /// Counts one more event, in the present second.
    pub fn count(&mut self, key: K) -> Window {
        let now = self.now();
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
            left: WINDOW - (now - window.began),
        }
    }

    /// Returns the count of the window that is open.
    pub fn counted(&mut self, key: &K) -> u64 {
        let now = self.now();
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

    /// Returns the seconds that have passed until now.
    fn now(&mut self) -> u64 {
        let second = (self.clock)().timestamp();
        let passed = second.saturating_sub(self.clock_second);
        self.elapsed += u64::try_from(passed).unwrap_or_default();
        self.clock_second = second;
        self.elapsed
    }
}

fn is_over(began: u64, now: u64) -> bool {
    now - began >= WINDOW
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::tests::TestClock;

    /// Counts an event at a second of the clock.
    fn count_at(windows: &mut Windows<char>, clock: &TestClock, key: char, now: i64) -> (u64, u64) {
        clock.set(now);
        let Window { count, left } = windows.count(key);
        (count, left)
    }

    #[test]
    fn a_window_begins_with_the_first_and_lasts_a_minute() {
        let clock = TestClock::default();
        let mut windows = Windows::new(10, clock.clock());
        let mut count = |key, now| count_at(&mut windows, &clock, key, now);
        assert_eq!(count('a', 1000), (1, 60));
        assert_eq!(count('a', 1030), (2, 30));
        assert_eq!(count('b', 1030), (1, 60));
        assert_eq!(count('a', 1059), (3, 1));
        assert_eq!(count('a', 1060), (1, 60), "a new one");
        assert_eq!(count('b', 1061), (2, 29), "across generations");
    }

    #[test]
    fn a_clock_that_is_set_back_neither_ends_a_window_nor_prolongs_it() {
        let clock = TestClock::default();
        let mut windows = Windows::new(10, clock.clock());
        let mut count = |key, now| count_at(&mut windows, &clock, key, now);
        assert_eq!(count('a', 1000), (1, 60));
        assert_eq!(count('a', 1010), (2, 50));
        assert_eq!(count('a', 400), (3, 50));
        assert_eq!(count('b', 399), (1, 60), "no generation is dropped");
        assert_eq!(count('a', 448), (4, 1));
        assert_eq!(count('a', 449), (1, 60));
    }

    #[test]
    fn memory_is_bounded() {
        let mut windows = Windows::new(100, TestClock::default().clock());
        for key in 0..450 {
            windows.count(key);
        }
        assert!(windows.young.len() <= 200 && windows.old.len() <= 200);
        assert!(windows.knows(&449) && !windows.knows(&0));
    }

    #[test]
    fn forgotten_keys_count_from_one_in_either_generation() {
        let clock = TestClock::default();
        let mut windows = Windows::new(10, clock.clock());
        for (key, now) in [('a', 1000), ('b', 1059), ('c', 1061)] {
            count_at(&mut windows, &clock, key, now);
        }
        for key in ['b', 'c'] {
            windows.forget(&key);
            assert_eq!(count_at(&mut windows, &clock, key, 1062).0, 1, "{key}");
        }
    }
}
