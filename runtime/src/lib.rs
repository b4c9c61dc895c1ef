//! Formwork's runtime: what poured REST services link.
//!
//! Poured code names it through [`prelude`]; [`service()`] puts a service together, whose console is
//! the program around it, and whose router any axum application mounts. Other items are in modules by
//! subject: [`data`], [`resource`], [`http`], [`auth`], [`extension`], [`config`], [`app`], and
//! `testing`. Each name is re-exported by itself; the crates below are not public.

#![forbid(unsafe_code)]

#[cfg(not(any(feature = "sqlite", feature = "postgres", feature = "mysql")))]
compile_error!(
    "formwork needs a database: with `default-features = false`, name its driver as well, as in \
     `features = [\"sqlite\"]`"
);

pub mod app;
pub mod auth;
pub mod config;
mod console;
pub mod data;
pub mod extension;
pub mod http;
pub mod literal;
mod log;
pub mod prelude;
pub mod resource;
pub mod rules;
// For the tests of how a service stops.
#[doc(hidden)]
pub mod server;
mod service;
#[cfg(feature = "testing")]
pub mod testing;

pub use app::{App, router};
pub use console::console;
pub use formwork_data::{Error, Result};
pub use service::{Service, service};

/// The admin area (`admin.path`).
#[cfg(feature = "admin")]
pub mod admin {
    pub use formwork_admin::{BELIEVED_FOR, REREAD_AFTER};
}

// The paths of projects that were poured before the modules above: they go with the next version.
#[doc(hidden)]
pub use {
    data::{column, database, decimal, error, migration, model, query, relations, shape, value},
    formwork_core::actions,
    http::{response, route, status},
    resource::{
        action, context, controller, default, filters, loaded, params, repository, request,
        transformer,
    },
};

/// For routes and layers of your own.
pub use axum;
/// For commands of your own.
pub use clap;
pub use formwork_data::{sea_query, sqlx};
/// For layers of your own: `tower::Layer`, `tower::Service`.
pub use tower;
