//! Methods and paths: nothing else in the runtime knows them (http.md, "Routes").

pub mod accept;
mod admission;
mod answering;
pub mod body;
mod change;
pub mod client;
pub mod coding;
mod cors;
mod custom;
mod endpoint;
mod errors;
mod health;
pub mod layers;
mod log_line;
mod media;
mod once;
pub mod reading;
mod refusal;
pub mod request_id;
mod time_limit;
mod token;
mod unread_body;

use std::{future::Future, sync::Arc};

pub use endpoint::{methods, paths};
pub use refusal::Refusal;

use axum::{
    Router,
    extract::Request,
    response::IntoResponse,
    routing::{MethodRouter, any},
};

use crate::state::ServiceState;
use admission::{Admitted, admit};
use formwork_data::{database::Db, error::Error};

/// The routes of a service, and the layers around them.
pub fn router(app: &Arc<ServiceState>) -> Router {
    let cors = cors::layer(&app.config().api.cors);
    let router = layers::around(api(app), app, cors, None);
    let extensions = app.extensions().iter();
    extensions.fold(router, |router, extension| extension.layers(app, router))
}

/// The routes, and what answers where there is nothing.
fn api(app: &Arc<ServiceState>) -> Router {
    let prefix = app.config().api.prefix.as_str();
    let mut router = Router::new();
    for (path, endpoint) in endpoint::endpoints(app.registry(), prefix) {
        let own = Arc::clone(app);
        let answer = move |request, admitted| {
            let (app, endpoint) = (Arc::clone(&own), Arc::clone(&endpoint));
            async move { endpoint.answer(&app, request, admitted).await }
        };
        router = router.route(&path, admitted(app, answer));
    }
    for (path, custom) in custom::customs(app.registry(), prefix) {
        let (own, custom) = (Arc::clone(app), Arc::new(custom));
        let answer = move |request, admitted| {
            let (app, custom) = (Arc::clone(&own), Arc::clone(&custom));
            async move { custom.answer(&app, request, admitted).await }
        };
        router = router.route(&path, admitted(app, answer));
    }
    let nothing = async |_, _| -> Error { endpoint::nothing_here() };
    let router = token::routes(router, app, prefix);
    let extensions = app.extensions().iter();
    let router = extensions.fold(router, |router, extension| extension.mount(app, router));
    health::routes(router, app).fallback_service(admitted(app, nothing))
}

/// A route behind its admission: who asks, and how often.
fn admitted<H, F, R>(app: &Arc<ServiceState>, handler: H) -> MethodRouter
where
    H: Fn(Request, Admitted) -> F + Send + Sync + 'static,
    F: Future<Output = R> + Send,
    R: IntoResponse,
{
    let (app, handler) = (Arc::clone(app), Arc::new(handler));
    any(move |request: Request| async move {
        let answer = async |request, admitted| handler(request, admitted).await.into_response();
        admit(&app, request, answer).await
    })
}

/// The request's own handle of the database, which counts its statements.
pub fn database(app: &ServiceState, request: &mut Request) -> Db {
    let own = request.extensions_mut().remove();
    own.unwrap_or_else(|| app.db().for_request())
}
