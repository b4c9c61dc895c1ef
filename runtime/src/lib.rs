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

// First, so that messages of the compiler name what projects import.
pub mod prelude;

pub mod app;
pub mod auth;
pub mod config;
mod console;
pub mod data;
pub mod extension;
pub mod http;
pub mod literal;
mod log;
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

#[doc(hidden)]
pub use formwork_core::actions;

/// For routes and layers of your own.
pub use axum;
/// For dates and times of rows.
pub use chrono;
/// For commands of your own.
pub use clap;
/// For statements of your own; for numbers and rows in them.
pub use formwork_data::{futures_core, rust_decimal, sea_query, sqlx};
/// For types in bodies: `serde::Serialize`, `serde::de::DeserializeOwned`.
pub use serde;
/// For members of a body: `serde_json::Map`.
pub use serde_json;
/// For layers of your own: `tower::Layer`, `tower::Service`.
pub use tower;
