//! `/health/live` and `/health/ready`: http.md, "Routes".

use std::sync::Arc;

use axum::{Router, http::Method, response::IntoResponse, routing::get};
use serde_json::json;

use super::endpoint::not_allowed;
use crate::{app::App, error::Error, response::Response};

/// Adds the routes that say how the service is.
pub(super) fn routes(router: Router, app: &Arc<App>) -> Router {
    let app = Arc::clone(app);
    router
        .route(
            "/health/live",
            get(async || answer("live")).fallback(refuse),
        )
        .route(
            "/health/ready",
            get(move || {
                let app = Arc::clone(&app);
                async move {
                    match app.check_ready().await {
                        Ok(()) => answer("ready"),
                        Err(error) => error.into_response(),
                    }
                }
            })
            .fallback(refuse),
        )
}

/// Another method: 405, with a body like every error.
async fn refuse(method: Method) -> Error {
    not_allowed(&method, [Method::GET, Method::HEAD].iter())
}

fn answer(status: &str) -> axum::response::Response {
    Response::json(&json!({"status": status})).into_response()
}
