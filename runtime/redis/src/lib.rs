//! Counts that replicas share in Redis (`redis.url`): an extension that uses the public hooks.
//!
//! A part of `formwork`, whose documentation says how it is used.

#![forbid(unsafe_code)]

mod connection;

use connection::Redis;
use formwork_core::{
    auth, config::Config, extension::Extension, registry::Registry, shared::Shared,
    type_map::TypeMap,
};
use formwork_data::error::Result;

/// Counts in the Redis of `redis.url`, if that is set.
pub struct CountsInRedis;

impl Extension for CountsInRedis {
    fn name(&self) -> &'static str {
        auth::EXTENSION
    }

    fn prepare(&self, config: &Config, _: &Registry, parts: &mut TypeMap) -> Result<()> {
        if let Some(url) = config.setting("redis.url") {
            parts.insert(Shared::of(Redis::new(url)?));
        }
        Ok(())
    }
}
