//! Metrics for Prometheus (`metrics.addr`): an extension that uses the public hooks.
//!
//! A part of `formwork`, whose documentation says how it is used.

#![forbid(unsafe_code)]

mod endpoint;
mod requests;

use std::{net::SocketAddr, sync::Arc};

use axum::{Router, middleware};
use formwork_core::{
    auth,
    config::Config,
    extension::{BoxFuture, Extension},
    registry::Registry,
    state::ServiceState,
    type_map::TypeMap,
};
use formwork_data::error::{Error, Result};

/// Where the metrics are read: `metrics.addr`.
struct MetricsAddress(SocketAddr);

/// Counts and times requests, and answers Prometheus at `metrics.addr`, if that is set.
pub struct Metrics;

impl Extension for Metrics {
    fn name(&self) -> &'static str {
        auth::EXTENSION
    }

    fn prepare(&self, config: &Config, _: &Registry, parts: &mut TypeMap) -> Result<()> {
        if let Some(text) = config.setting("metrics.addr") {
            let refused = |_| {
                Error::internal(format!(
                    "metrics.addr must be an IP address with a port, such as 127.0.0.1:9090, \
                     not `{text}`"
                ))
            };
            parts.insert(MetricsAddress(text.parse().map_err(refused)?));
        }
        Ok(())
    }

    fn start<'a>(&'a self, app: &'a Arc<ServiceState>) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            match app.part::<MetricsAddress>() {
                Some(MetricsAddress(address)) => {
                    endpoint::serve(*address, app.db().for_request()).await
                }
                None => Ok(()),
            }
        })
    }

    fn layers(&self, app: &Arc<ServiceState>, router: Router) -> Router {
        match app.part::<MetricsAddress>() {
            Some(_) => router.layer(middleware::from_fn(requests::measure)),
            None => router,
        }
    }
}
