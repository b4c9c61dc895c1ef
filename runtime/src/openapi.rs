//! The description of a service in OpenAPI 3.1 (http.md, "Routes"; docs/guide/openapi.md).
//!
//! It is made of what is registered: of routes and contexts, of the rules of requests, of what
//! repositories let clients ask, of the types that transformers show. What cannot be known without a
//! real record is left open, never guessed.

mod access;
mod build;
mod common;
mod custom;
mod document;
mod effective;
mod errors;
mod filters;
#[cfg(feature = "docs")]
mod page;
mod query;
mod reach;
mod record;
mod request;
mod resource;
mod rule;
mod samples;
mod schema;
mod service;
mod success;
mod tree;

use std::sync::{Arc, Mutex, PoisonError};

use crate::{
    app::App,
    error::{Error, Result},
};
use build::Builder;
use effective::Effective;
#[cfg(feature = "docs")]
pub(crate) use page::{asset, page};

/// The description as it is sent.
pub(crate) type Description = Arc<[u8]>;

/// The description of the service as it is: made once, and again when other actions are routed.
#[derive(Default)]
pub(crate) struct Descriptions(Mutex<Option<(Effective, Description)>>);

impl Descriptions {
    /// The description of what is routed now.
    ///
    /// # Errors
    ///
    /// 500 where it cannot be written as JSON.
    pub fn current(&self, app: &Arc<App>) -> Result<Description> {
        let effective = Effective::of(app);
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, description)) = &*last
            && *of == effective
        {
            return Ok(Arc::clone(description));
        }
        let document = Builder::new(app, &effective).build();
        let description: Description = serde_json::to_vec(&document)
            .map_err(Error::internal)?
            .into();
        *last = Some((effective, Arc::clone(&description)));
        Ok(description)
    }
}

/// The description for people: one member a line.
///
/// # Errors
///
/// 500 where it cannot be written as JSON.
pub(crate) fn pretty(app: &Arc<App>) -> Result<String> {
    let document = Builder::new(app, &Effective::of(app)).build();
    serde_json::to_string_pretty(&document).map_err(Error::internal)
}
