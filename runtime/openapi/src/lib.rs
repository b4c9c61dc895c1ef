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

use std::{io::Write, sync::Arc};

use axum::Router;
use flate2::{Compression, write::GzEncoder};
use formwork_core::{
    auth, command::Command, config::Config, extension::Extension, registry::Registry,
    state::ServiceState, type_map::TypeMap,
};
use formwork_data::error::{Error, Result};
use tokio::{sync::Mutex, task::spawn_blocking};

use builder::Builder;
use document::Document;
use effective::Effective;

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

/// The description as it is sent.
#[derive(Clone)]
pub(crate) struct Description {
    /// As it is.
    pub plain: Arc<[u8]>,
    /// Compressed.
    pub gzip: Arc<[u8]>,
}

impl Description {
    fn of(document: &Document) -> Result<Self> {
        let plain = serde_json::to_vec(document).map_err(Error::internal)?;
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(&plain).map_err(Error::internal)?;
        let gzip = gzip.finish().map_err(Error::internal)?;
        Ok(Self {
            plain: plain.into(),
            gzip: gzip.into(),
        })
    }
}

/// The description of the service as it is: made once, and again when other actions are routed. It
/// is made beside the requests: many resources take a while.
#[derive(Default)]
pub(crate) struct Descriptions(Mutex<Option<(Effective, Description)>>);

impl Descriptions {
    /// The description of the routes that are on now.
    ///
    /// # Errors
    ///
    /// 500 where it cannot be written as JSON.
    pub async fn current(&self, app: &Arc<ServiceState>) -> Result<Description> {
        let effective = Effective::of(app);
        let mut last = self.0.lock().await;
        if let Some((of, description)) = &*last
            && *of == effective
        {
            return Ok(description.clone());
        }
        let app = Arc::clone(app);
        let made = spawn_blocking(move || {
            let description = Description::of(&Builder::new(&app, &effective).build()?)?;
            Ok::<_, Error>((effective, description))
        });
        let (effective, description) = made.await.map_err(Error::internal)??;
        *last = Some((effective, description.clone()));
        Ok(description)
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
