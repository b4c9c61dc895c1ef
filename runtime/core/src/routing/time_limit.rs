//! A request ends early at `api.request_timeout`, with a 503 unless a change was committed, and
//! with a panic, a 500.

use std::{panic::AssertUnwindSafe, sync::Arc};

use axum::{
    extract::Request,
    response::{IntoResponse, Response},
    routing::Route,
};
use formwork_data::{database::Db, error::Error};
use futures_util::FutureExt;
use tokio::time::timeout;
use tower::{ServiceExt, service_fn};

use super::{answering::Answering, errors};
use crate::state::ServiceState;

/// A service that answers with what this route answers, in its time.
pub(super) fn limiting(app: &Arc<ServiceState>, route: Route) -> impl Answering + use<> {
    let app = Arc::clone(app);
    service_fn(move |request| {
        let (app, route) = (Arc::clone(&app), route.clone());
        async move { Ok(limit(&app, request, route).await) }
    })
}

/// Answers within the time limit, with a database handle of the request's own.
async fn limit(app: &ServiceState, mut request: Request, route: Route) -> Response {
    let db = app.db().for_request();
    request.extensions_mut().insert(db.clone());
    // State that a panic left is dropped with its request.
    let answer = AssertUnwindSafe(route.oneshot(request)).catch_unwind();
    match timeout(app.config().api.request_timeout, answer).await {
        Ok(Ok(answered)) => answered.unwrap_or_else(|never| match never {}),
        Ok(Err(panic)) => errors::panicked(panic),
        Err(_) => too_long(&db).into_response(),
    }
}

/// Clients repeat a request after a 503, so it is only answered if no change was committed.
fn too_long(db: &Db) -> Error {
    if db.progress().lasts() {
        Error::internal("the request took too long; its change was saved")
    } else {
        Error::Unavailable("The request took too long.".to_owned())
    }
}
