//! Methods and paths: nothing else in the runtime knows them (http.md, "Routes").

mod accept;
#[cfg(feature = "admin")]
mod admin;
mod admission;
mod around;
mod body;
mod change;
mod client;
mod cors;
mod custom;
mod description;
mod endpoint;
mod health;
mod media;
mod once;
mod protection;
mod refusal;
mod request_id;
mod token;

use std::{future::Future, sync::Arc};

pub(crate) use endpoint::{methods, paths};
pub(crate) use refusal::{refusal, unread};

use axum::{
    Router,
    extract::Request,
    response::{IntoResponse, Response},
    routing::{MethodRouter, any},
};

use crate::{app::App, database::Db, error::Error};
use admission::{Admitted, admit};
use around::around;

/// The routes of a service, and what stands around them.
pub(crate) fn router(app: &Arc<App>) -> Router {
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
    let router = description::routes(router, app, prefix);
    let router = token::routes(router, app, prefix);
    #[cfg(feature = "admin")]
    let router = admin::routes(router, app);
    health::routes(router, app).fallback_service(admitted(app, nothing))
}

/// A route, and what stands around it: who asks and how often, then what stands around every route.
/// Functions in one another and no layers, each of which would put its future into a box.
fn admitted<H, F, R>(app: &Arc<App>, handler: H) -> MethodRouter
where
    H: Fn(Request, Admitted) -> F + Send + Sync + 'static,
    F: Future<Output = R> + Send,
    R: IntoResponse,
{
    let (app, handler) = (Arc::clone(app), Arc::new(handler));
    any(move |request: Request| async move {
        let answer = async |request, admitted| handler(request, admitted).await.into_response();
        let admitted = |request, db| admit(&app, request, db, answer);
        around(&app, request, admitted).await
    })
}

/// A route that nobody is kept from, or that knows its callers otherwise.
fn open<H, F>(app: &Arc<App>, handler: H) -> MethodRouter
where
    H: Fn(Request, Db) -> F + Send + Sync + 'static,
    F: Future<Output = Response> + Send,
{
    let (app, handler) = (Arc::clone(app), Arc::new(handler));
    any(move |request: Request| async move {
        around(&app, request, |request, db| handler(request, db)).await
    })
}
