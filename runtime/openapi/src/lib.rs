//! The description of a service in OpenAPI 3.1.
//!
//! It is made from the registry: routes and contexts, rules of requests, parameters of
//! repositories, shapes of transformers. Parts that depend on a record are left open.

mod build;
mod builder;
mod custom;
mod description;
mod document;
mod filters;
mod operation;
mod page;
mod query;
mod reach;
mod record;
mod request;
mod resource;
mod rule;
mod schema;
mod success;
mod tree;

use std::sync::Arc;

use axum::Router;
use formwork_core::{
    auth, command::Command, config::Config, extension::Extension, registry::Registry,
    state::ServiceState, type_map::TypeMap,
};
use formwork_data::error::Result;

use description::Descriptions;
pub use description::pretty;

/// The description of a service, as an extension of it.
pub struct Described;

impl Extension for Described {
    fn name(&self) -> &'static str {
        auth::EXTENSION
    }

    fn reserved_paths(&self) -> &'static [&'static str] {
        &["/openapi.json"]
    }

    fn prepare(&self, _: &Config, _: &Registry, parts: &mut TypeMap) -> Result<()> {
        parts.insert(Descriptions::default());
        Ok(())
    }

    fn mount(&self, app: &Arc<ServiceState>, router: Router) -> Router {
        description::add_route(router, app)
    }

    fn commands(&self) -> Vec<Command> {
        vec![description::command()]
    }
}

/// A page that shows the description, as an extension beside it.
pub struct Page;

impl Extension for Page {
    fn name(&self) -> &'static str {
        auth::EXTENSION
    }

    fn reserved_paths(&self) -> &'static [&'static str] {
        &["/docs", "/docs/"]
    }

    fn mount(&self, app: &Arc<ServiceState>, router: Router) -> Router {
        page::add_routes(router, app)
    }
}
