//! Windows of requests, by account, session and address.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::{
    auth::{AccountKind, Caller, subscriber},
    clock::Clock,
    shared::Window,
    windows::Windows,
};

/// Most windows of a generation: a flood of addresses costs a bounded amount of memory.
const CAPACITY: usize = 100_000;

/// The owner of a count: its requests are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Counted {
    /// Requests of an account, with any of its tokens.
    Account(AccountKind, i64),
    /// Requests without a valid token, by address; without a known address, all of them.
    Address(Option<IpAddr>),
    /// Sign-ins, by address: they have a count of their own, so that requests do not use it up.
    SignIn(Option<IpAddr>),
    /// Requests of a session that an extension keeps for its pages: the key of its row.
    Session(i64),
}

impl Counted {
    /// A caller without a valid token is counted by address, so that inventing tokens is limited.
    pub fn of(caller: Option<&Caller>, address: Option<IpAddr>) -> Self {
        match caller.and_then(Caller::account) {
            Some(account) => Self::Account(account.kind, account.id),
            None => Self::Address(address.map(subscriber)),
        }
    }

    /// Sign-ins from an address.
    pub fn sign_in(address: Option<IpAddr>) -> Self {
        Self::SignIn(address.map(subscriber))
    }
}

/// Windows of accounts and sessions are apart from those of addresses: a flood of addresses cannot
/// displace them.
pub(super) struct Memory {
    accounts: Mutex<Windows<Counted>>,
    addresses: Mutex<Windows<Counted>>,
}

impl Memory {
    /// Counts from zero, in the time of this clock.
    pub fn new(clock: &Clock) -> Self {
        let windows = || Mutex::new(Windows::new(CAPACITY, Arc::clone(clock)));
        Self {
            accounts: windows(),
            addresses: windows(),
        }
    }

    /// Counts a request at the present time.
    pub fn count(&self, caller: Counted) -> Window {
        let mut windows = self.of(caller);
        let place = place(&windows, caller);
        windows.count(place)
    }

    /// How many requests were counted in the window that is open.
    pub fn counted(&self, caller: Counted) -> u64 {
        let mut windows = self.of(caller);
        let place = place(&windows, caller);
        windows.counted(&place)
    }

    fn of(&self, caller: Counted) -> MutexGuard<'_, Windows<Counted>> {
        let windows = match caller {
            Counted::Account(..) | Counted::Session(_) => &self.accounts,
            Counted::Address(_) | Counted::SignIn(_) => &self.addresses,
        };
        windows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The key of a caller's count. A flood of addresses must not displace open windows: while it
/// lasts, new addresses count together with their network.
fn place(windows: &Windows<Counted>, caller: Counted) -> Counted {
    match caller {
        known if !windows.is_crowded() || windows.knows(&known) => known,
        Counted::Address(address) => Counted::Address(address.map(network)),
        Counted::SignIn(address) => Counted::SignIn(address.map(network)),
        known => known,
    }
}

/// The network of an address: a /16 of IPv4, a /32 of IPv6. It is written unlike any subscriber, so
/// that the two cannot be confused.
fn network(address: IpAddr) -> IpAddr {
    IpAddr::V6(match address {
        IpAddr::V4(address) => Ipv4Addr::from(address.to_bits() >> 16 << 16).to_ipv6_mapped(),
        IpAddr::V6(address) => Ipv6Addr::from(address.to_bits() >> 96 << 96 | 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::tests::TestClock;

    #[test]
    fn a_flood_of_addresses_makes_no_window_forgotten() {
        let memory = Memory::new(&TestClock::default().clock());
        let requests = |caller: Counted| memory.count(caller).count;
        let known = Counted::Address(Some(Ipv4Addr::new(192, 0, 2, 1).into()));
        let numbered = |number: u32| {
            let address = Ipv6Addr::from_bits((0x2001_0db8 << 96) | u128::from(number) << 64);
            Counted::Address(Some(address.into()))
        };
        requests(known);
        for number in 0..3 * CAPACITY as u32 {
            requests(numbered(number));
        }
        assert_eq!(memory.counted(known), 1);
        assert_eq!(requests(known), 2);
        assert_eq!(requests(numbered(0)), 2, "known too");
        assert!(!memory.of(known).knows(&numbered(u32::MAX)));
        assert!(
            requests(numbered(u32::MAX)) > CAPACITY as u64,
            "with its network"
        );
        assert!(!memory.of(known).knows(&numbered(u32::MAX)));
        let elsewhere = Counted::Address(Some(Ipv4Addr::new(198, 51, 100, 7).into()));
        assert_eq!(requests(elsewhere), 1);
    }
}
