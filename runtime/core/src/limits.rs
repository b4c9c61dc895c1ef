//! Requests a minute: the limit for an account or an address.
//!
//! A window begins with the first request of an account or address, and lasts a minute. Windows are
//! in memory, or in Redis where several replicas count together; both count the same way.

mod memory;

pub use memory::Counted;

use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use formwork_data::error::{Error, Result};
use tokio::sync::Mutex;

use crate::{
    clock::Clock,
    config::Config,
    per_caller::PerCaller,
    shared::{Shared, Window},
};
use memory::Memory;

const LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

/// How many requests a caller has made in this window, and how many it may make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    limit: u32,
    window: Window,
}

impl Standing {
    /// Lets the request pass.
    ///
    /// # Errors
    ///
    /// 429 with the seconds until the window ends, where the limit is exceeded.
    pub fn check(self) -> Result<()> {
        if self.window.count > u64::from(self.limit) {
            Err(Error::TooManyRequests {
                retry_after: self.window.left,
            })
        } else {
            Ok(())
        }
    }

    /// `RateLimit-Limit`, `-Remaining` and `-Reset`, the last in seconds
    /// (draft-ietf-httpapi-ratelimit-headers-06).
    pub fn tell(self, headers: &mut HeaderMap) {
        let limit = u64::from(self.limit);
        let left = limit.saturating_sub(self.window.count);
        for (name, number) in [(LIMIT, limit), (REMAINING, left), (RESET, self.window.left)] {
            // As text: a value that is made from a number is allocated twice.
            if let Ok(value) = HeaderValue::try_from(number.to_string()) {
                headers.insert(name, value);
            }
        }
    }
}

/// The requests of the last minute; `api.rate_limit`.
pub struct Limits {
    limit: u32,
    memory: Memory,
    /// Callers whose address is over its limit wait here: they may have a token with a limit of its
    /// own.
    lookups: PerCaller<Counted, Mutex<()>>,
    shared: Shared,
}

impl Limits {
    /// Counts as the configuration says, in the time of this clock, together with other replicas if
    /// they share counts.
    pub(crate) fn new(config: &Config, shared: Shared, clock: Clock) -> Self {
        Self {
            limit: config.api.rate_limit,
            memory: Memory::new(&clock),
            lookups: PerCaller::default(),
            shared,
        }
    }

    /// Counts a request at the present time. Returns `None` if requests are not limited.
    pub async fn count(&self, caller: Counted) -> Option<Standing> {
        if self.limit == 0 {
            return None;
        }
        let own = self.memory.count(caller);
        let shared = self.shared.count(|| name(caller)).await;
        Some(Standing {
            limit: self.limit,
            window: shared.unwrap_or(own),
        })
    }

    /// Waits for a turn to look a token up in the database. For an address over its limit, one
    /// token at a time is looked up: invented tokens cannot occupy the database, and a valid token
    /// is still found. Addresses do not wait for each other.
    pub async fn turn(&self, address: Option<IpAddr>) -> Option<impl Sized> {
        let caller = Counted::of(None, address);
        if self.limit == 0 || self.memory.counted(caller) < u64::from(self.limit) {
            return None;
        }
        Some(self.lookups.get(caller, Mutex::default).lock_owned().await)
    }
}

/// The name of a window in a shared store. Services that share a Redis use different database
/// numbers.
fn name(caller: Counted) -> String {
    match caller {
        Counted::Account(kind, id) => format!("formwork:requests:{}:{id}", kind.name()),
        Counted::Session(id) => format!("formwork:requests:session:{id}"),
        Counted::Address(address) => format!("formwork:requests:address:{}", named(address)),
        Counted::SignIn(address) => format!("formwork:sign-ins:address:{}", named(address)),
    }
}

fn named(address: Option<IpAddr>) -> String {
    address.map_or_else(|| "unknown".to_owned(), |address| address.to_string())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::clock::tests::TestClock;

    #[test]
    fn a_network_of_ipv6_is_one_subscriber() {
        let counted = |text: &str| Counted::of(None, Some(text.parse().expect("address")));
        assert_eq!(counted("2001:db8:1:2::1"), counted("2001:db8:1:2:ffff::9"));
        assert_ne!(counted("2001:db8:1:2::1"), counted("2001:db8:1:3::1"));
        assert_ne!(counted("10.0.0.1"), counted("10.0.0.2"));
        assert_eq!(counted("10.0.0.1"), counted("::ffff:10.0.0.1"));
    }

    #[tokio::test]
    async fn callers_over_the_limit_ask_for_tokens_one_at_a_time() {
        let config = Config::from_sources("api: { rate_limit: 2 }", []).expect("a configuration");
        let clock = TestClock::default();
        let limits = Limits::new(&config, Shared::default(), clock.clock());
        let address = |text: &str| Some(text.parse().expect("an address"));
        let (near, far) = (address("192.0.2.1"), address("192.0.2.2"));
        for _ in 0..2 {
            assert!(limits.turn(near).await.is_none());
            limits.count(Counted::of(None, near)).await;
        }
        let turn = limits.turn(near).await;
        assert!(turn.is_some());
        let next = Duration::from_millis(50);
        let waiting = tokio::time::timeout(next, limits.turn(near));
        assert!(waiting.await.is_err(), "one at a time");
        assert!(limits.turn(far).await.is_none(), "others go on");
        for _ in 0..2 {
            limits.count(Counted::of(None, far)).await;
        }
        let theirs = limits.turn(far).await;
        assert!(theirs.is_some(), "each address over its limit has a turn");
        drop(turn);
        assert!(limits.turn(near).await.is_some());
        clock.set(60);
        assert!(limits.turn(near).await.is_none());
    }
}
