//! Methods and paths: nothing else in the runtime knows them (http.md, "Routes").

mod accept;
mod admission;
mod around;
mod body;
mod change;
mod client;
mod cors;
mod custom;
mod endpoint;
mod health;
mod media;
mod once;
mod protection;
mod refusal;
mod request_id;
mod token;

use std::sync::Arc;

pub(crate) use refusal::refusal;

use axum::{Router, extract::Request, middleware, routing::any};
use tower_http::catch_panic::CatchPanicLayer;

use crate::{app::App, error::Error};

/// The routes of a service, and what stands around them.
pub(crate) fn router(app: &Arc<App>) -> Router {
    let prefix = app.config().api.prefix.as_str();
    let mut router = Router::new();
    for (path, endpoint) in endpoint::endpoints(app.registry(), prefix) {
        let app = Arc::clone(app);
        let endpoint = Arc::new(endpoint);
        router = router.route(
            &path,
            any(move |request: Request| {
                let (app, endpoint) = (Arc::clone(&app), Arc::clone(&endpoint));
                async move { endpoint.answer(app, request).await }
            }),
        );
    }
    for (path, custom) in custom::customs(app.registry(), prefix) {
        let (app, custom) = (Arc::clone(app), Arc::new(custom));
        router = router.route(
            &path,
            any(move |request: Request| {
                let (app, custom) = (Arc::clone(&app), Arc::clone(&custom));
                async move { custom.answer(&app, request).await }
            }),
        );
    }
    let router = token::routes(router, app, prefix)
        .fallback(async || -> Error {
            Error::NotFound("There is nothing at this path.".to_owned())
        })
        .layer(middleware::from_fn_with_state(
            Arc::clone(app),
            admission::admit,
        ));
    health::routes(router, app)
        .layer(CatchPanicLayer::custom(around::panicked))
        .layer(middleware::from_fn_with_state(
            Arc::clone(app),
            around::around,
        ))
}
