//! Windows in Redis: several replicas count together.

use std::{
    sync::atomic::{AtomicI64, Ordering},
    time::Duration,
};

use chrono::Utc;
use redis::{
    Client, Pipeline, RedisResult,
    aio::{ConnectionManager, ConnectionManagerConfig},
};

use super::{Count, Counted, WINDOW};
use crate::error::{Error, Result};

/// How long a request waits for Redis, before it is counted in memory.
const PATIENCE: Duration = Duration::from_millis(500);

/// Seconds in which the log says at most once that Redis is away.
const SILENCE: i64 = 60;

/// Seconds for which Redis is not asked after it did not answer: a request that waits for it in vain
/// is one in some seconds, not each.
const REST: i64 = 5;

/// A connection that mends itself; it is made with the first request.
pub(super) struct Shared {
    connection: ConnectionManager,
    /// Second from which Redis is asked again.
    rests_until: AtomicI64,
    /// Second in which the log last said that Redis is away.
    told: AtomicI64,
}

impl Shared {
    /// The Redis at `redis.url`.
    ///
    /// # Errors
    ///
    /// 500 where this is no address of one. The address, which may hold a password, is not told.
    pub fn new(url: &str) -> Result<Self> {
        let refused = |error: redis::RedisError| {
            let kind = error.kind();
            Error::internal(format!("redis.url is no address of a Redis ({kind:?})"))
        };
        let client = Client::open(url).map_err(refused)?;
        let config = ConnectionManagerConfig::new()
            .set_number_of_retries(1)
            .set_connection_timeout(Some(PATIENCE))
            .set_response_timeout(Some(PATIENCE));
        Ok(Self {
            connection: ConnectionManager::new_lazy_with_config(client, config).map_err(refused)?,
            rests_until: AtomicI64::new(0),
            told: AtomicI64::new(0),
        })
    }

    /// Counts a request; `None` where Redis is away: then each replica counts for itself, which is
    /// better than refusing everybody, or nobody.
    pub async fn count(&self, who: Counted) -> Option<Count> {
        if Utc::now().timestamp() < self.rests_until.load(Ordering::Relaxed) {
            return None;
        }
        let counted = tokio::time::timeout(PATIENCE, self.ask(name(who)));
        match counted.await {
            Ok(Ok(count)) => Some(count),
            Ok(Err(error)) => self.away(&format!("{:?}", error.kind())),
            Err(_) => self.away("it did not answer in time"),
        }
    }

    /// One round trip, one transaction: a window is never without its end.
    async fn ask(&self, name: String) -> RedisResult<Count> {
        let mut pipeline = Pipeline::new();
        pipeline.atomic();
        pipeline
            .cmd("SET")
            .arg(&name)
            .arg(0)
            .arg("EX")
            .arg(WINDOW)
            .arg("NX")
            .ignore();
        pipeline.cmd("INCR").arg(&name).cmd("TTL").arg(&name);
        let mut connection = self.connection.clone();
        let (requests, left): (u64, i64) = pipeline.query_async(&mut connection).await?;
        Ok(Count {
            requests,
            reset: left.unsigned_abs().clamp(1, WINDOW),
        })
    }

    fn away<T>(&self, why: &str) -> Option<T> {
        let now = Utc::now().timestamp();
        self.rests_until.store(now + REST, Ordering::Relaxed);
        let told = self.told.load(Ordering::Relaxed);
        let first = |_| (now - told >= SILENCE).then_some(now);
        if self
            .told
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, first)
            .is_ok()
        {
            tracing::warn!(why, "Redis is away; requests are counted in memory");
        }
        None
    }
}

/// The key of a window. Services that share a Redis keep apart by the number of its database.
fn name(who: Counted) -> String {
    match who {
        Counted::Token(id) => format!("formwork:requests:token:{id}"),
        Counted::Address(Some(address)) => format!("formwork:requests:address:{address}"),
        Counted::Address(None) => "formwork:requests:address:unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[tokio::test]
    async fn a_redis_that_swallows_everything_does_not_slow_every_request() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("a port");
        let address = listener.local_addr().expect("an address");
        let swallowing = tokio::spawn(async move {
            let mut held = Vec::new();
            while let Ok(connection) = listener.accept().await {
                held.push(connection);
            }
        });
        let shared = Shared::new(&format!("redis://{address}")).expect("an address");
        assert!(shared.count(Counted::Token(1)).await.is_none());
        let began = Instant::now();
        for token in 0..20 {
            assert!(shared.count(Counted::Token(token)).await.is_none());
        }
        assert!(began.elapsed() < PATIENCE, "{:?}", began.elapsed());
        swallowing.abort();
    }
}
