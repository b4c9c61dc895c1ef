//! The description of a service in OpenAPI 3.1.
//!
//! It is made from the registry: routes and contexts, rules of requests, parameters of
//! repositories, shapes of transformers. Parts that depend on a record are left open.

mod access;
mod build;
mod builder;
mod common;
mod custom;
mod description;
mod document;
mod effective;
mod errors;
mod filters;
mod named;
#[cfg(feature = "docs")]
mod page;
mod parameter;
mod preset;
mod query;
mod reach;
mod record;
mod request;
mod resource;
mod routes;
mod rule;
mod schema;
mod service;
mod success;
mod tree;
mod used;

use std::sync::Arc;

use axum::Router;
use formwork_core::{
    auth, config::Config, extension::Extension, registry::Registry, state::ServiceState,
    type_map::TypeMap,
};
use formwork_data::error::{Error, Result};

use builder::Builder;
use description::Descriptions;
use effective::Effective;

/// The description of a service, as an extension of it.
pub struct Described;

impl Extension for Described {
    fn name(&self) -> &'static str {
        auth::EXTENSION
    }

    fn reserved_paths(&self) -> &'static [&'static str] {
        &["/openapi.json", "/docs", "/docs/"]
    }

    fn prepare(&self, _: &Config, _: &Registry, parts: &mut TypeMap) -> Result<()> {
        parts.insert(Descriptions::default());
        Ok(())
    }

    fn mount(&self, app: &Arc<ServiceState>, router: Router) -> Router {
        routes::add(router, app)
    }
}

/// The description for people: one member a line.
///
/// # Errors
///
/// 500 where it cannot be written as JSON.
pub fn pretty(app: &Arc<ServiceState>) -> Result<String> {
    let document = Builder::new(app, &Effective::of(app)).build()?;
    serde_json::to_string_pretty(&document).map_err(Error::internal)
}
