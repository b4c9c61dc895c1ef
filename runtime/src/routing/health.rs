//! `/health/live` and `/health/ready`: http.md, "Routes".

use std::sync::Arc;

use axum::{Router, response::IntoResponse, routing::get};
use serde_json::json;

use crate::{app::App, response::Response};

/// Adds the routes that say how the service is.
pub(super) fn routes(router: Router, app: &Arc<App>) -> Router {
    let app = Arc::clone(app);
    router
        .route("/health/live", get(async || answer("live")))
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
            }),
        )
}

fn answer(status: &str) -> axum::response::Response {
    Response::json(&json!({"status": status})).into_response()
}
