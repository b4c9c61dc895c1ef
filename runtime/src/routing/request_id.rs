//! Ids of requests: what client and log know an answer by.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

use axum::http::request::Parts;
use uuid::{Builder, Uuid};

/// An odd number: its multiples are all different, and no two neighbours look alike.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The id of a request, among its extensions: for log lines of its own.
#[derive(Debug, Clone, Copy)]
pub(super) struct RequestId(pub Uuid);

/// The id of this request; empty outside of any route.
pub(super) fn of(parts: &Parts) -> String {
    let id = parts.extensions.get::<RequestId>();
    id.map(|RequestId(id)| id.to_string()).unwrap_or_default()
}

/// A new id: a UUID of version 7 (RFC 9562, section 5.7), which sort by time.
///
/// It is unique, and no secret. The operating system is asked for randomness once, not for each
/// request; from there a counter leads on.
pub(super) fn next() -> Uuid {
    static BEGIN: OnceLock<u64> = OnceLock::new();
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let begin = *BEGIN.get_or_init(|| Uuid::now_v7().as_u64_pair().1);
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let millis = since.map_or(0, |since| {
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    });
    let mut rest = [0; 10];
    // Within a millisecond the counter keeps the order.
    rest[..2].copy_from_slice(&count.to_be_bytes()[6..]);
    rest[2..].copy_from_slice(&begin.wrapping_add(count.wrapping_mul(STEP)).to_be_bytes());
    Builder::from_unix_timestamp_millis(millis, &rest).into_uuid()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn ids_are_unique_and_of_version_7() {
        let ids: Vec<Uuid> = (0..100_000).map(|_| next()).collect();
        assert!(ids.iter().all(|id| id.get_version_num() == 7));
        let different: HashSet<&Uuid> = ids.iter().collect();
        assert_eq!(different.len(), ids.len());
    }
}
