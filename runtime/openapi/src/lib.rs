//! The description of a service in OpenAPI 3.1.
//!
//! It is made from the registry: routes and contexts, rules of requests, parameters of
//! repositories, shapes of transformers. Parts that depend on a record are left open.

mod access;
mod build;
mod builder;
mod command;
mod common;
mod custom;
mod description;
mod document;
mod effective;
mod errors;
mod filters;
mod named;
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
        routes::add(router, app)
    }

    fn commands(&self) -> Vec<Command> {
        vec![command::openapi()]
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
        routes::add_page(router, app)
    }
}
