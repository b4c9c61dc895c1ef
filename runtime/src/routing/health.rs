//! `/health/live` and `/health/ready`: http.md, "Routes".

use std::sync::Arc;

use axum::{
    Router,
    extract::Request,
    http::Method,
    response::{IntoResponse, Response},
};
use serde_json::json;

use super::{endpoint::not_allowed, open};
use crate::{app::App, response};

/// Adds the routes that say how the service is.
pub(super) fn routes(router: Router, app: &Arc<App>) -> Router {
    let own = Arc::clone(app);
    let ready = move |request: Request, _| {
        let app = Arc::clone(&own);
        async move {
            match refused(&request) {
                Some(refused) => refused,
                None => match app.check_ready().await {
                    Ok(()) => answer("ready"),
                    Err(error) => error.into_response(),
                },
            }
        }
    };
    let live = async |request: Request, _| refused(&request).unwrap_or_else(|| answer("live"));
    router
        .route("/health/live", open(app, live))
        .route("/health/ready", open(app, ready))
}

/// Another method: 405, with a body like every error.
fn refused(request: &Request) -> Option<Response> {
    let methods = [Method::GET, Method::HEAD];
    let refused = !methods.contains(request.method());
    refused.then(|| not_allowed(request.method(), methods.iter()).into_response())
}

fn answer(status: &str) -> Response {
    response::Response::json(&json!({"status": status})).into_response()
}
