//! Windows in memory: for one replica, and while Redis is away.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::{Mutex, MutexGuard, PoisonError},
};

use formwork_data::value::DateTime;

use super::counted::{Count, Counted};
use crate::shared::WINDOW;

/// Most windows of a generation: a flood of addresses costs a bounded amount of memory.
const CAPACITY: usize = 100_000;

#[derive(Debug, Clone, Copy)]
struct Window {
    /// Second it began in.
    began: i64,
    requests: u64,
}

/// Windows of tokens and sessions are apart from those of addresses: a flood of addresses cannot
/// displace them.
#[derive(Debug, Default)]
pub(super) struct Windows {
    tokens: Mutex<Generations>,
    addresses: Mutex<Generations>,
}

/// Two generations take turns: a window that is still open is never
/// older than the younger two, so that old ones go without being looked for.
#[derive(Debug, Default)]
struct Generations {
    turned: i64,
    young: HashMap<Counted, Window>,
    old: HashMap<Counted, Window>,
}

impl Windows {
    /// Counts a request.
    pub fn count(&self, who: Counted, now: DateTime) -> Count {
        self.of(who).count(who, now.timestamp())
    }

    /// How many requests were counted in the window that is open.
    pub fn counted(&self, who: Counted, now: DateTime) -> u64 {
        self.of(who).counted(who, now.timestamp())
    }

    fn of(&self, who: Counted) -> MutexGuard<'_, Generations> {
        let generations = match who {
            Counted::Token(_) => &self.tokens,
            Counted::Address(_) => &self.addresses,
            Counted::Session(_) => &self.tokens,
        };
        generations.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Generations {
    fn count(&mut self, who: Counted, now: i64) -> Count {
        if is_over(self.turned, now) {
            self.turn(now);
        }
        let who = self.place(who);
        if self.young.len() >= 2 * CAPACITY && !self.knows(who) {
            self.turn(now);
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

impl Generations {
    fn turn(&mut self, now: i64) {
        self.old = std::mem::take(&mut self.young);
        self.turned = now;
    }

    fn knows(&self, who: Counted) -> bool {
        self.young.contains_key(&who) || self.old.contains_key(&who)
    }

    /// What a caller is counted by. A flood of addresses must not displace open windows: while it
    /// lasts, new addresses count together with their network.
    fn place(&self, who: Counted) -> Counted {
        if self.young.len() < CAPACITY || self.knows(who) {
            return who;
        }
        match who {
            Counted::Address(address) => Counted::Address(address.map(network)),
            token => token,
        }
    }

    fn counted(&self, who: Counted, now: i64) -> u64 {
        let who = self.place(who);
        let window = self.young.get(&who).or_else(|| self.old.get(&who));
        let open = window.filter(|window| !is_over(window.began, now));
        open.map_or(0, |window| window.requests)
    }
}

/// What one owner may hold many addresses of: a /16 of IPv4, a /32 of IPv6. Written as no subscriber
/// is, so that none is taken for its network.
fn network(address: IpAddr) -> IpAddr {
    IpAddr::V6(match address {
        IpAddr::V4(address) => Ipv4Addr::from(address.to_bits() >> 16 << 16).to_ipv6_mapped(),
        IpAddr::V6(address) => Ipv6Addr::from(address.to_bits() >> 96 << 96 | 1),
    })
}

/// A clock that was set back ends a window too.
fn is_over(began: i64, now: i64) -> bool {
    now < began || now.abs_diff(began) >= WINDOW
}

#[cfg(test)]
mod tests {
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
        for token in 0..4 * CAPACITY as i64 + 50 {
            windows.count(Counted::Token(token), 1000);
        }
        let most = 2 * CAPACITY;
        assert!(windows.young.len() <= most && windows.old.len() <= most);
    }

    #[test]
    fn a_flood_of_addresses_makes_no_window_forgotten() {
        let mut windows = Generations::default();
        let known = Counted::Address(Some(Ipv4Addr::new(192, 0, 2, 1).into()));
        let numbered = |number: u32| {
            let address = Ipv6Addr::from_bits((0x2001_0db8 << 96) | u128::from(number) << 64);
            Counted::Address(Some(address.into()))
        };
        windows.count(known, 1000);
        for number in 0..3 * CAPACITY as u32 {
            windows.count(numbered(number), 1000);
        }
        assert_eq!(windows.counted(known, 1000), 1);
        assert_eq!(requests(&mut windows, known, 1000).0, 2);
        assert_eq!(requests(&mut windows, numbered(0), 1000).0, 2, "known too");
        assert!(windows.young.len() <= CAPACITY + 2);
        let beyond = requests(&mut windows, numbered(u32::MAX), 1000).0;
        assert!(beyond > CAPACITY as u64, "with its network");
        let elsewhere = Counted::Address(Some(Ipv4Addr::new(198, 51, 100, 7).into()));
        assert_eq!(requests(&mut windows, elsewhere, 1000).0, 1);
    }
}
