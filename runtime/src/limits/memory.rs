//! Windows in memory: for one replica, and while Redis is away.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use super::{Count, Counted, WINDOW};
use crate::value::DateTime;

/// Most windows of a generation: a flood of addresses costs a bounded amount of memory.
const CAPACITY: usize = 100_000;

#[derive(Debug, Clone, Copy)]
struct Window {
    /// Second it began in.
    began: i64,
    requests: u64,
}

/// Windows by whom they count. Two generations take turns: a window that is still open is never
/// older than the younger two, so that old ones go without being looked for.
#[derive(Debug, Default)]
pub(super) struct Windows {
    generations: Mutex<Generations>,
}

#[derive(Debug, Default)]
struct Generations {
    turned: i64,
    young: HashMap<Counted, Window>,
    old: HashMap<Counted, Window>,
}

impl Windows {
    /// Counts a request.
    pub fn count(&self, who: Counted, now: DateTime) -> Count {
        let mut generations = self
            .generations
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        generations.count(who, now.timestamp())
    }
}

impl Generations {
    fn count(&mut self, who: Counted, now: i64) -> Count {
        if is_over(self.turned, now) || self.young.len() >= CAPACITY {
            self.old = std::mem::take(&mut self.young);
            self.turned = now;
        }
        let old = &mut self.old;
        let window = self.young.entry(who).or_insert_with(|| {
            old.remove(&who).unwrap_or(Window {
                began: now,
                requests: 0,
            })
        });
        if is_over(window.began, now) {
            *window = Window {
                began: now,
                requests: 0,
            };
        }
        window.requests += 1;
        let age = now.abs_diff(window.began);
        Count {
            requests: window.requests,
            reset: (WINDOW - age).max(1),
        }
    }
}

/// A clock that was set back ends a window too.
fn is_over(began: i64, now: i64) -> bool {
    now < began || now.abs_diff(began) >= WINDOW
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    fn requests(windows: &mut Generations, who: Counted, now: i64) -> (u64, u64) {
        let count = windows.count(who, now);
        (count.requests, count.reset)
    }

    #[test]
    fn a_window_begins_with_the_first_request_and_lasts_a_minute() {
        let mut windows = Generations::default();
        let (a, b) = (Counted::Token(1), Counted::Token(2));
        assert_eq!(requests(&mut windows, a, 1000), (1, 60));
        assert_eq!(requests(&mut windows, a, 1030), (2, 30));
        assert_eq!(requests(&mut windows, b, 1030), (1, 60));
        assert_eq!(requests(&mut windows, a, 1059), (3, 1));
        assert_eq!(requests(&mut windows, a, 1060), (1, 60), "a new one");
        assert_eq!(
            requests(&mut windows, b, 1061),
            (2, 29),
            "across generations"
        );
        assert_eq!(
            requests(&mut windows, a, 900),
            (1, 60),
            "the clock was set back"
        );
    }

    #[test]
    fn memory_is_bounded() {
        let mut windows = Generations::default();
        for number in 0..2 * CAPACITY as u32 + 50 {
            let address = IpAddr::V4(Ipv4Addr::from_bits(number));
            windows.count(Counted::Address(Some(address)), 1000);
        }
        assert!(windows.young.len() <= CAPACITY && windows.old.len() <= CAPACITY);
    }
}
