//! Windows in Redis: several replicas count together.

use std::{
    future::Future,
    sync::atomic::{AtomicI64, Ordering},
    time::Duration,
};

use chrono::Utc;
use formwork_data::error::{Error, Result};
use redis::{
    Client, Pipeline, RedisResult,
    aio::{ConnectionManager, ConnectionManagerConfig},
};

use formwork_core::{
    extension::BoxFuture,
    shared::{SharedCounts, WINDOW, Window},
};

/// How long a request waits for Redis, before its replica counts by itself.
const PATIENCE: Duration = Duration::from_millis(500);

/// The log reports at most once in these seconds that Redis does not answer.
const SILENCE: i64 = 60;

/// Seconds for which Redis is not used after it did not answer, so that only one request in that
/// time waits in vain.
const REST: i64 = 5;

/// A connection that reconnects by itself; it is made with the first request.
pub(super) struct Redis {
    connection: ConnectionManager,
    /// Second from which Redis is used again.
    rests_until: AtomicI64,
    /// Second in which the log last reported that Redis does not answer.
    reported_at: AtomicI64,
}

impl Redis {
    /// The Redis at `redis.url`.
    ///
    /// # Errors
    ///
    /// 500 where the address is not valid. The message does not show the address, which may contain
    /// a password.
    pub fn new(url: &str) -> Result<Self> {
        let refused = |error: redis::RedisError| {
            let kind = error.kind();
            Error::internal(format!(
                "redis.url is not the address of a Redis server ({kind:?})"
            ))
        };
        let client = Client::open(url).map_err(refused)?;
        let config = ConnectionManagerConfig::new()
            .set_number_of_retries(1)
            .set_connection_timeout(Some(PATIENCE))
            .set_response_timeout(Some(PATIENCE));
        Ok(Self {
            connection: ConnectionManager::new_lazy_with_config(client, config).map_err(refused)?,
            rests_until: AtomicI64::new(0),
            reported_at: AtomicI64::new(0),
        })
    }

    /// The answer of Redis, unless it does not answer.
    async fn answered<T>(&self, asking: impl Future<Output = RedisResult<T>>) -> Option<T> {
        if Utc::now().timestamp() < self.rests_until.load(Ordering::Relaxed) {
            return None;
        }
        match tokio::time::timeout(PATIENCE, asking).await {
            Ok(Ok(answer)) => Some(answer),
            Ok(Err(error)) => self.away(&format!("{:?}", error.kind())),
            Err(_) => self.away("it did not answer in time"),
        }
    }

    /// One round trip, one transaction: a window always has an expiry.
    async fn ask(&self, name: String) -> RedisResult<Window> {
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
        let (count, left): (u64, i64) = pipeline.query_async(&mut connection).await?;
        Ok(Window {
            count,
            left: left.unsigned_abs().clamp(1, WINDOW),
        })
    }

    fn away<T>(&self, why: &str) -> Option<T> {
        let now = Utc::now().timestamp();
        self.rests_until.store(now + REST, Ordering::Relaxed);
        let reported_at = self.reported_at.load(Ordering::Relaxed);
        let first = |_| (now - reported_at >= SILENCE).then_some(now);
        if self
            .reported_at
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, first)
            .is_ok()
        {
            tracing::warn!(
                why,
                "Redis does not answer; each replica counts its own requests"
            );
        }
        None
    }
}

impl SharedCounts for Redis {
    /// While Redis does not answer, each replica counts by itself, which is better than refusing
    /// every request, or none.
    fn count(&self, name: String) -> BoxFuture<'_, Option<Window>> {
        Box::pin(self.answered(self.ask(name)))
    }

    /// A count that does not reach Redis ends with its window.
    fn forget(&self, name: String) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let forgotten = async {
                let mut connection = self.connection.clone();
                redis::cmd("DEL")
                    .arg(name)
                    .exec_async(&mut connection)
                    .await
            };
            self.answered(forgotten).await;
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[tokio::test]
    async fn a_redis_that_never_answers_does_not_slow_every_request() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("a port");
        let address = listener.local_addr().expect("an address");
        let swallowing = tokio::spawn(async move {
            let mut held = Vec::new();
            while let Ok(connection) = listener.accept().await {
                held.push(connection);
            }
        });
        let redis = Redis::new(&format!("redis://{address}")).expect("an address");
        assert!(redis.count("a".to_owned()).await.is_none());
        let began = Instant::now();
        for name in 0..20 {
            assert!(redis.count(name.to_string()).await.is_none());
            redis.forget(name.to_string()).await;
        }
        // Each request that waits would take the whole timeout: twenty times two of them.
        assert!(began.elapsed() < 10 * PATIENCE, "{:?}", began.elapsed());
        swallowing.abort();
    }
}
