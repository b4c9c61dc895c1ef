//! Methods and paths: nothing else in the runtime knows them (http.md, "Routes").

mod accept;
mod around;
mod body;
mod client;
mod cors;
mod endpoint;
mod health;
mod token;

use std::sync::Arc;

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
    let router = token::routes(router, app, prefix);
    health::routes(router, app)
        .fallback(async || -> Error {
            Error::NotFound("There is nothing at this path.".to_owned())
        })
        .layer(CatchPanicLayer::custom(around::panicked))
        .layer(middleware::from_fn_with_state(
            Arc::clone(app),
            around::around,
        ))
}
