//! Methods and paths: only this module knows them.

pub mod accept;
mod admission;
pub mod body;
mod change;
pub mod client;
pub mod coding;
mod cors;
mod custom;
mod endpoint;
pub mod error_answer;
mod errors;
mod extract;
mod health;
pub mod layers;
mod log_line;
mod media;
pub mod reading;
mod refusal;
pub mod request_id;
mod time_limit;
mod token;
mod unread_body;

use std::sync::Arc;

use axum::Router;
use formwork_data::error::Error;

pub use admission::database;
pub use endpoint::{methods, not_allowed, paths};
pub use extract::{Parameters, State, Validated};
pub use refusal::Refusal;

use crate::{extension::Extension, state::ServiceState};
use admission::admitted;

/// The routes of a service, and the layers around them.
pub fn router(app: &Arc<ServiceState>, extensions: &[Box<dyn Extension>]) -> Router {
    let cors = cors::layer(&app.config().api.cors);
    let router = layers::around(api(app, extensions), app, cors, None);
    extensions
        .iter()
        .fold(router, |router, extension| extension.layers(app, router))
}

/// The routes, and the 404 for other paths.
fn api(app: &Arc<ServiceState>, extensions: &[Box<dyn Extension>]) -> Router {
    let prefix = app.config().api.prefix.as_str();
    let mut router = Router::new();
    for (path, endpoint) in endpoint::endpoints(app.registry(), prefix) {
        let answer =
            move |app, request, admitted| Arc::clone(&endpoint).answer(app, request, admitted);
        router = router.route(&path, admitted(app, answer));
    }
    let router = custom::routes(router, app, prefix);
    let nothing = async |_, _, _| -> Error { endpoint::no_route() };
    let router = token::routes(router, app, prefix);
    let router = extensions
        .iter()
        .fold(router, |router, extension| extension.mount(app, router));
    health::routes(router, app).fallback_service(admitted(app, nothing))
}
