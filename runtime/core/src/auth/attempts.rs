//! Failed logins: five a minute for an address and account, together with other replicas where they
//! share counts.

use std::sync::{Mutex, MutexGuard, PoisonError};

use data_encoding::HEXLOWER;
use formwork_data::error::{Error, Result};
use sha2::{Digest, Sha256};

use super::AccountKind;
use crate::{
    clock::Clock,
    shared::{Shared, Window},
    windows::Windows,
};

/// Attempts that may fail within a minute.
const ALLOWED: u64 = 5;

/// Most windows of a generation: a flood of invented accounts costs a bounded amount of memory.
const CAPACITY: usize = 10_000;

/// An account and an address whose attempts are counted together.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Attempted {
    /// The client's subscriber.
    pub address: String,
    /// Administrator or customer.
    pub kind: AccountKind,
    /// Which account.
    pub login: Login,
}

impl Attempted {
    /// The same attempt, counted by the account that was found, if one was.
    pub fn of_account(&self, id: Option<i64>) -> Self {
        Self {
            login: Login::Found(id),
            ..self.clone()
        }
    }

    /// The name of its window in a shared store, without the login itself.
    fn name(&self) -> String {
        let (kind, address) = (self.kind.name(), &self.address);
        let login = match &self.login {
            Login::Sent(login) => format!("sent:{}", HEXLOWER.encode(&Sha256::digest(login))),
            Login::Found(Some(id)) => format!("account:{id}"),
            Login::Found(None) => "account:none".to_owned(),
        };
        format!("formwork:logins:{kind}:{address}:{login}")
    }
}

/// The key of a count: the sent login, so that unknown accounts count as well, or its account, so
/// that an account's two logins are counted together.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Login {
    /// E-mail address or username, in lower case.
    Sent(String),
    /// The key of the account. Without an account it is counted too, so that it takes as long.
    Found(Option<i64>),
}

/// The failed logins of the last minute.
pub struct Attempts {
    windows: Mutex<Windows<Attempted>>,
    shared: Shared,
}

impl Attempts {
    /// Counts from zero, in the time of this clock, together with other replicas if they share counts.
    pub fn new(shared: Shared, clock: Clock) -> Self {
        Self {
            windows: Mutex::new(Windows::new(CAPACITY, clock)),
            shared,
        }
    }

    /// Counts an attempt at the present time, before its password is checked, so that many at once
    /// count too.
    ///
    /// # Errors
    ///
    /// 429 with the seconds until the window ends.
    pub async fn begin(&self, attempted: &Attempted) -> Result<()> {
        // In memory as well, in case Redis stops answering.
        let own = self.count(attempted);
        let window = self.shared.count(|| attempted.name()).await.unwrap_or(own);
        if window.count > ALLOWED {
            return Err(Error::TooManyRequests {
                retry_after: window.left,
            });
        }
        Ok(())
    }

    /// The attempt succeeded: earlier failures are reset.
    pub async fn succeeded(&self, attempted: &Attempted) {
        self.windows().forget(attempted);
        self.shared.forget(|| attempted.name()).await;
    }

    /// Counts in memory. A flood of invented accounts must not displace open windows: while it
    /// lasts, new accounts of an address are counted together.
    fn count(&self, attempted: &Attempted) -> Window {
        let mut windows = self.windows();
        let together = || Attempted {
            login: Login::Sent(String::new()),
            ..attempted.clone()
        };
        let key = match windows.is_crowded() && !windows.knows(attempted) {
            true => together(),
            false => attempted.clone(),
        };
        windows.count(key)
    }

    fn windows(&self) -> MutexGuard<'_, Windows<Attempted>> {
        self.windows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::tests::TestClock;

    fn attempted(login: &str) -> Attempted {
        Attempted {
            address: "::1".into(),
            kind: AccountKind::Customer,
            login: Login::Sent(login.into()),
        }
    }

    fn attempts() -> Attempts {
        Attempts::new(Shared::default(), TestClock::default().clock())
    }

    /// Begins this many attempts, all of which are allowed.
    async fn begin(attempts: &Attempts, login: &str, times: u64) {
        for _ in 0..times {
            let begun = attempts.begin(&attempted(login)).await;
            begun.expect("allowed");
        }
    }

    #[tokio::test]
    async fn a_flood_of_accounts_makes_no_failure_forgotten() {
        let attempts = attempts();
        begin(&attempts, "a", ALLOWED).await;
        for number in 0..3 * CAPACITY {
            let _ = attempts.begin(&attempted(&format!("b{number}"))).await;
        }
        assert!(attempts.begin(&attempted("a")).await.is_err());
        let new = attempts.begin(&attempted("c")).await;
        assert!(new.is_err(), "counted with the others of its address");
        let elsewhere = Attempted {
            address: "::2".into(),
            ..attempted("c")
        };
        assert!(attempts.begin(&elsewhere).await.is_ok());
    }

    #[tokio::test]
    async fn success_forgets_failures() {
        let attempts = attempts();
        begin(&attempts, "a", 4).await;
        attempts.succeeded(&attempted("a")).await;
        begin(&attempts, "a", 5).await;
        assert!(attempts.begin(&attempted("a")).await.is_err());
    }
}
