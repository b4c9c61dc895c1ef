//! Failed logins: five a minute for an address and account, together with other replicas where they
//! share counts.

use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use data_encoding::HEXLOWER;
use formwork_data::error::{Error, Result};
use sha2::{Digest, Sha256};

use super::AccountKind;
use crate::{
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
    /// No attempt was seen yet by this replica.
    pub fn new(shared: Shared) -> Self {
        Self {
            windows: Mutex::new(Windows::new(CAPACITY)),
            shared,
        }
    }

    /// Counts an attempt before its password is checked, so that many at once count too.
    ///
    /// # Errors
    ///
    /// 429 with the seconds until the window ends.
    pub async fn begin(&self, attempted: &Attempted, now: DateTime<Utc>) -> Result<()> {
        // In memory as well, in case Redis stops answering.
        let own = self.count(attempted, now);
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
    fn count(&self, attempted: &Attempted, now: DateTime<Utc>) -> Window {
        let mut windows = self.windows();
        let together = || Attempted {
            login: Login::Sent(String::new()),
            ..attempted.clone()
        };
        let key = match windows.is_crowded() && !windows.knows(attempted) {
            true => together(),
            false => attempted.clone(),
        };
        windows.count(key, now.timestamp())
    }

    fn windows(&self) -> MutexGuard<'_, Windows<Attempted>> {
        self.windows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempted(login: &str) -> Attempted {
        Attempted {
            address: "::1".into(),
            kind: AccountKind::Customer,
            login: Login::Sent(login.into()),
        }
    }

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + second, 0).expect("time")
    }

    #[tokio::test]
    async fn a_flood_of_accounts_makes_no_failure_forgotten() {
        let attempts = Attempts::new(Shared::default());
        for _ in 0..ALLOWED {
            attempts
                .begin(&attempted("a"), at(0))
                .await
                .expect("allowed");
        }
        for number in 0..3 * CAPACITY {
            let _ = attempts
                .begin(&attempted(&format!("b{number}")), at(1))
                .await;
        }
        assert!(attempts.begin(&attempted("a"), at(2)).await.is_err());
        let new = attempts.begin(&attempted("c"), at(2)).await;
        assert!(new.is_err(), "counted with the others of its address");
        let elsewhere = Attempted {
            address: "::2".into(),
            ..attempted("c")
        };
        assert!(attempts.begin(&elsewhere, at(2)).await.is_ok());
    }

    #[tokio::test]
    async fn success_forgets_failures() {
        let attempts = Attempts::new(Shared::default());
        for _ in 0..4 {
            attempts
                .begin(&attempted("a"), at(0))
                .await
                .expect("allowed");
        }
        attempts.succeeded(&attempted("a")).await;
        for _ in 0..5 {
            attempts
                .begin(&attempted("a"), at(1))
                .await
                .expect("allowed");
        }
        assert!(attempts.begin(&attempted("a"), at(1)).await.is_err());
    }
}
