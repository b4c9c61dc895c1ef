//! Failed logins: five a minute for an address and account (docs/contract.md, "Tokens"), together with other
//! replicas where they share counts.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use chrono::{DateTime, TimeDelta, Utc};
use data_encoding::HEXLOWER;
use formwork_data::error::{Error, Result};
use sha2::{Digest, Sha256};

use super::AccountKind;
use crate::shared::{self, Shared};

/// Attempts that may fail within a [`WINDOW`].
const ALLOWED: u32 = 5;

/// How long failed attempts are remembered.
const WINDOW: TimeDelta = TimeDelta::seconds(shared::WINDOW.cast_signed());

/// Most windows kept: a flood of invented accounts costs a bounded amount of memory.
const CAPACITY: usize = 10_000;

/// Whose attempts are counted together.
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

    /// The name of its window in a shared store. The login itself is not told there.
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

/// What an account is counted by: what was sent, so that accounts that do not exist count as well,
/// and the account that this names, so that its two logins are counted together.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Login {
    /// E-mail address or username, in lower case.
    Sent(String),
    /// The key of the account. Without an account it is counted too, so that it takes as long.
    Found(Option<i64>),
}

#[derive(Debug, Clone, Copy)]
struct Window {
    began: DateTime<Utc>,
    attempts: u32,
}

/// The failed logins of the last minute.
#[derive(Default)]
pub struct Attempts {
    windows: Mutex<HashMap<Attempted, Window>>,
    shared: Shared,
}

impl Attempts {
    /// No attempt was seen yet by this replica.
    pub fn new(shared: Shared) -> Self {
        Self {
            shared,
            ..Self::default()
        }
    }

    /// Counts an attempt before its password is checked, so that many at once count too.
    ///
    /// # Errors
    ///
    /// 429 with the seconds until the window ends.
    pub async fn begin(&self, who: &Attempted, now: DateTime<Utc>) -> Result<()> {
        // In memory as well, for when Redis goes away.
        let own = self.count(who, now);
        match self.shared.count(|| who.name()).await {
            Some(window) if window.count > u64::from(ALLOWED) => Err(Error::TooManyRequests {
                retry_after: window.left,
            }),
            Some(_) => Ok(()),
            None => own,
        }
    }

    /// The attempt succeeded: those before it are forgotten.
    pub async fn succeeded(&self, who: &Attempted) {
        self.windows().remove(who);
        self.shared.forget(|| who.name()).await;
    }

    fn windows(&self) -> MutexGuard<'_, HashMap<Attempted, Window>> {
        self.windows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, who: &Attempted, now: DateTime<Utc>) -> Result<()> {
        let mut windows = self.windows();
        if windows.len() >= CAPACITY && !windows.contains_key(who) {
            make_room(&mut windows, now);
        }
        let window = windows.entry(who.clone()).or_insert(Window {
            began: now,
            attempts: 0,
        });
        if is_over(window, now) {
            *window = Window {
                began: now,
                attempts: 0,
            };
        }
        if window.attempts >= ALLOWED {
            let left = (window.began + WINDOW - now).num_seconds().max(1);
            return Err(Error::TooManyRequests {
                retry_after: left.unsigned_abs(),
            });
        }
        window.attempts += 1;
        Ok(())
    }
}

/// A clock that was set back ends a window too.
fn is_over(window: &Window, now: DateTime<Utc>) -> bool {
    now >= window.began + WINDOW || now < window.began
}

fn make_room(windows: &mut HashMap<Attempted, Window>, now: DateTime<Utc>) {
    windows.retain(|_, window| !is_over(window, now));
    if windows.len() >= CAPACITY {
        let oldest = windows.iter().min_by_key(|(_, window)| window.began);
        if let Some(who) = oldest.map(|(who, _)| who.clone()) {
            windows.remove(&who);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn who(login: &str) -> Attempted {
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
    async fn success_forgets_failures() {
        let attempts = Attempts::default();
        for _ in 0..4 {
            attempts.begin(&who("a"), at(0)).await.expect("allowed");
        }
        attempts.succeeded(&who("a")).await;
        for _ in 0..5 {
            attempts.begin(&who("a"), at(1)).await.expect("allowed");
        }
        assert!(attempts.begin(&who("a"), at(1)).await.is_err());
    }

    #[tokio::test]
    async fn memory_is_bounded() {
        let attempts = Attempts::default();
        for number in 0..CAPACITY + 50 {
            attempts
                .begin(&who(&number.to_string()), at(0))
                .await
                .expect("allowed");
        }
        assert_eq!(attempts.windows.lock().expect("lock").len(), CAPACITY);
    }
}
