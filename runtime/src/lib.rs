//! Formwork's runtime: what poured REST services link.
//!
//! Poured code names it through [`prelude`]; [`router`] mounts a service into any axum
//! application, and [`console()`] is the program around it.

#![forbid(unsafe_code)]

#[cfg(not(feature = "sqlite"))]
compile_error!(
    "formwork needs a database: with `default-features = false`, name its driver as well, as in \
     `features = [\"sqlite\"]`"
);

pub mod app;
pub mod console;
mod log;
pub mod prelude;
pub mod server;
#[cfg(feature = "testing")]
pub mod testing;

pub use app::{App, router};
pub use console::console;
#[cfg(feature = "admin")]
pub use formwork_admin as admin;
pub use formwork_core::{
    accounts::Accounts, action, actions, auth, config, context, controller, decisions, default,
    extension, filters, loaded, loader, params, registry, rendering, repository, request,
    request::rules, resource, response, route, serializer, source, state, status, transformer,
    type_map,
};
pub use formwork_data::{
    Error, Result, database, decimal, error, literal, migration, model, query, relations, shape,
    value,
};

/// Columns: what a model's field can be, the visitor that walks over them, and what fills them.
pub mod column {
    pub use formwork_data::column::*;
    pub use formwork_data::model::{fill, fill_at};
}

/// What routes and layers of one's own are made of.
pub use axum;
pub use formwork_data::{sea_query, sqlx};

/// The guide's examples compile.
#[cfg(doctest)]
mod guide {
    #[doc = include_str!("../../docs/guide/custom-routes.md")]
    struct CustomRoutes;
}
