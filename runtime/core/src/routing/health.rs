//! `/health/live` and `/health/ready`.

use std::sync::Arc;

use axum::{
    Router,
    http::Method,
    response::{IntoResponse, Response},
    routing::get,
};
use formwork_data::error::Error;
use serde_json::json;

use super::endpoint::not_allowed;
use crate::{response, state::ServiceState};

/// Adds the health routes.
pub(super) fn routes(router: Router, app: &Arc<ServiceState>) -> Router {
    let own = Arc::clone(app);
    let ready = async move || match own.check_ready().await {
        Ok(()) => answer("ready"),
        Err(error) => error.into_response(),
    };
    router
        .route(
            "/health/live",
            get(async || answer("live")).fallback(refused),
        )
        .route("/health/ready", get(ready).fallback(refused))
}

/// Another method: 405, with a body like every error.
async fn refused(method: Method) -> Error {
    not_allowed(&method, [Method::GET, Method::HEAD].iter())
}

fn answer(status: &str) -> Response {
    response::Response::json(&json!({"status": status})).into_response()
}
