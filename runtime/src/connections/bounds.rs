//! What connections have to keep to.

use std::time::Duration;

use crate::config::{Config, Network, SerializerKind};

/// What a server keeps to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// Connections at once; one more is answered 503 and closed. One address (of IPv6 a /64) may
    /// have half of them.
    pub connections: usize,
    /// How long requests in flight have to finish.
    pub patience: Duration,
    /// Whose address stands for many clients: `api.trusted_proxies`.
    pub proxies: Vec<Network>,
    /// How errors look that no route knows of: `api.serializer`.
    pub serializer: SerializerKind,
}

impl From<&Config> for Bounds {
    fn from(config: &Config) -> Self {
        Self {
            connections: config.server.max_connections as usize,
            patience: config.server.shutdown_timeout,
            proxies: config.api.trusted_proxies.clone(),
            serializer: config.api.serializer,
        }
    }
}
