//! What replicas count together: in Redis, where `redis.url` names one and the feature `redis` is on.
//! Elsewhere, and while Redis is away, each replica counts for itself.

#[cfg(feature = "redis")]
mod redis;

use formwork_data::error::Result;

use crate::config::Config;

/// Seconds of a window: it begins with the first of what is counted.
pub(crate) const WINDOW: u64 = 60;

/// What has been counted in a window, the latest included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    /// How often.
    pub count: u64,
    /// Seconds until it ends.
    pub left: u64,
}

/// The counts that replicas share, if they share any; cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Shared {
    #[cfg(feature = "redis")]
    redis: Option<std::sync::Arc<redis::Redis>>,
}

#[cfg(feature = "redis")]
impl Shared {
    /// Those of `redis.url`.
    ///
    /// # Errors
    ///
    /// 500 where this is no address of a Redis.
    pub fn of(config: &Config) -> Result<Self> {
        let redis = config.redis_url.as_deref().map(redis::Redis::new);
        let redis = redis.transpose()?.map(Into::into);
        Ok(Self { redis })
    }

    /// Counts one more; `None` where nothing is shared, or Redis is away.
    pub async fn count(&self, name: impl FnOnce() -> String) -> Option<Window> {
        self.redis.as_ref()?.count(name()).await
    }

    /// Forgets what was counted.
    pub async fn forget(&self, name: impl FnOnce() -> String) {
        if let Some(redis) = &self.redis {
            redis.forget(name()).await;
        }
    }
}

#[cfg(not(feature = "redis"))]
impl Shared {
    /// Nothing is shared.
    ///
    /// # Errors
    ///
    /// None.
    pub fn of(_config: &Config) -> Result<Self> {
        Ok(Self::default())
    }

    /// Nothing is shared.
    #[allow(clippy::unused_async, reason = "it is asked in the same way")]
    pub async fn count(&self, _name: impl FnOnce() -> String) -> Option<Window> {
        None
    }

    /// Nothing is shared.
    #[allow(clippy::unused_async, reason = "it is asked in the same way")]
    pub async fn forget(&self, _name: impl FnOnce() -> String) {}
}
