//! `api.request_timeout`: 503, unless a change of the request stands.

use axum::{
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use tokio::time::timeout;

use crate::{app::App, database::Db, error::Error};

/// Answers within the time limit, with a database handle of the request's own.
pub(super) async fn limit(app: &App, mut request: Request, next: Next) -> Response {
    let db = app.db().for_request();
    request.extensions_mut().insert(db.clone());
    match timeout(app.config().api.request_timeout, next.run(request)).await {
        Ok(response) => response,
        Err(_) => too_long(&db).into_response(),
    }
}

/// 503 invites the client to try again, so it is only said where nothing was done.
fn too_long(db: &Db) -> Error {
    if db.progress().lasts() {
        Error::internal("the request took too long, and its change stands")
    } else {
        Error::Unavailable("The request took too long.".to_owned())
    }
}
