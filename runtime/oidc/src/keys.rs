//! The issuer's keys (RFC 7517), read from it, kept, and read again when it rotates them.

use std::{
    sync::{Arc, PoisonError, RwLock},
    time::{Duration, Instant},
};

use jsonwebtoken::{
    Header,
    jwk::{Jwk, JwkSet},
};
use serde::Deserialize;
use tokio::sync::Mutex;

use crate::fetch::Fetch;

/// How old the keys may be: a key that the issuer withdraws is refused after this time.
const FRESH: Duration = Duration::from_secs(3600);

/// The least time between two readings, so that invented keys do not make requests to the issuer.
const REST: Duration = Duration::from_secs(10);

/// The keys of an issuer.
pub struct Keys {
    fetch: Fetch,
    kept: RwLock<Option<Kept>>,
    /// When they were last asked for. Whoever holds it reads them.
    asked: Mutex<Option<Instant>>,
    /// How old they may be.
    fresh: Duration,
    /// The least time between two readings.
    rest: Duration,
}

impl Default for Keys {
    fn default() -> Self {
        Self {
            fetch: Fetch::default(),
            kept: RwLock::default(),
            asked: Mutex::default(),
            fresh: FRESH,
            rest: REST,
        }
    }
}

#[derive(Clone)]
struct Kept {
    set: Arc<JwkSet>,
    read: Instant,
}

/// Why there is no key for a token.
#[derive(Debug, PartialEq, Eq)]
pub enum NoKey {
    /// The issuer has no such key.
    Unknown,
    /// The issuer does not answer, and its keys were never read.
    Unreachable,
}

#[derive(Deserialize)]
struct Configuration {
    issuer: String,
    jwks_uri: String,
}

impl Keys {
    /// The key that signed a token with this header.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub async fn find(&self, issuer: &str, header: &Header) -> Result<Jwk, NoKey> {
        let (known, fresh) = self.known(header);
        if let Some(key) = known {
            if !fresh && let Ok(asked) = self.asked.try_lock() {
                // One request reads them again; others go on with what is known.
                self.read(issuer, asked).await;
                return self.known(header).0.ok_or(NoKey::Unknown);
            }
            return Ok(key);
        }
        self.read(issuer, self.asked.lock().await).await;
        let missing = match self.kept() {
            Some(_) => NoKey::Unknown,
            None => NoKey::Unreachable,
        };
        self.known(header).0.ok_or(missing)
    }

    fn kept(&self) -> Option<Kept> {
        let kept = self.kept.read();
        kept.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The key, if it was read, and whether the keys are fresh.
    fn known(&self, header: &Header) -> (Option<Jwk>, bool) {
        let Some(kept) = self.kept() else {
            return (None, false);
        };
        let key = match (&header.kid, kept.set.keys.as_slice()) {
            (Some(id), _) => kept.set.find(id),
            (None, [only]) => Some(only),
            (None, _) => None,
        };
        (key.cloned(), kept.read.elapsed() < self.fresh)
    }

    /// Reads the keys, unless that was tried a moment ago. Keys that were read before stay while the
    /// issuer does not answer.
    async fn read(&self, issuer: &str, mut asked: tokio::sync::MutexGuard<'_, Option<Instant>>) {
        if asked.is_some_and(|asked| asked.elapsed() < self.rest) {
            return;
        }
        *asked = Some(Instant::now());
        match self.asked_of(issuer).await {
            Ok(set) => {
                let (set, read) = (Arc::new(set), Instant::now());
                let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
                *kept = Some(Kept { set, read });
            }
            Err(why) => tracing::warn!(issuer, why, "the keys of the issuer cannot be read"),
        }
    }

    async fn asked_of(&self, issuer: &str) -> Result<JwkSet, String> {
        let base = issuer.trim_end_matches('/');
        let url = format!("{base}/.well-known/openid-configuration");
        let configuration: Configuration = self.fetch.json(&url).await?;
        // OpenID Connect Discovery 1.0, section 4.3.
        if configuration.issuer != issuer {
            let other = configuration.issuer;
            return Err(format!("{url} is the configuration of `{other}`"));
        }
        self.fetch.json(&configuration.jwks_uri).await
    }
}

#[cfg(test)]
mod tests;
