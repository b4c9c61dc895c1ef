//! Formwork's runtime: what poured REST services link.
//!
//! Poured code names it through [`prelude`]; [`router`] mounts a service into any axum
//! application, and [`console`] is the program around it.

#![forbid(unsafe_code)]

#[cfg(not(feature = "sqlite"))]
compile_error!(
    "formwork needs a database: with `default-features = false`, name its driver as well, as in \
     `features = [\"sqlite\"]`"
);

pub mod action;
#[cfg(feature = "admin")]
pub mod admin;
pub mod app;
pub mod auth;
pub mod config;
pub mod console;
pub mod context;
pub mod controller;
pub mod decisions;
pub mod default;
mod etag;
pub mod extension;
pub mod filters;
#[cfg(feature = "idempotency")]
mod idempotency;
mod limits;
pub mod loaded;
pub mod loader;
mod log;
mod openapi;
pub mod params;
pub mod prelude;
pub mod registry;
pub mod rendering;
pub mod repository;
pub mod request;
pub mod resource;
pub mod response;
pub mod route;
mod routing;
pub mod serializer;
pub mod server;
mod shared;
pub mod source;
pub mod state;
pub mod status;
#[cfg(feature = "testing")]
pub mod testing;
pub mod transformer;
pub mod type_map;

pub use app::{App, router};
pub use console::console;
pub use formwork_data::{
    Error, Result, column, database, decimal, error, literal, migration, model, query, relations,
    shape, value,
};
pub use request::rules;

/// The guide's examples compile.
#[cfg(doctest)]
mod guide {
    #[doc = include_str!("../../docs/guide/custom-routes.md")]
    struct CustomRoutes;
}
