//! `/api/token` and `/api/token/user`: specification, section 5; http.md, "Tokens".

use std::sync::Arc;

use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{Method, StatusCode, request::Parts},
    response::IntoResponse,
    routing::any,
};
use serde_json::{Map, Value as Json};

use super::{
    accept,
    body::{self, Media},
    client,
    endpoint::not_allowed,
};
use crate::{app::App, auth, error::Result, response::Response};

/// Adds the routes of tokens.
pub(super) fn routes(router: Router, app: &Arc<App>, prefix: &str) -> Router {
    let (tokens, users) = (Arc::clone(app), Arc::clone(app));
    router
        .route(
            &format!("{prefix}/token"),
            any(move |request: Request| {
                let app = Arc::clone(&tokens);
                async move { token(&app, request).await.map(IntoResponse::into_response) }
            }),
        )
        .route(
            &format!("{prefix}/token/user"),
            any(move |request: Request| {
                let app = Arc::clone(&users);
                async move { user(&app, request).await.map(IntoResponse::into_response) }
            }),
        )
}

async fn token(app: &App, request: Request) -> Result<Response> {
    let (parts, body) = request.into_parts();
    match parts.method {
        Method::POST => issue(app, &parts, body).await,
        Method::DELETE => {
            let db = app.db().for_request();
            let caller = app.auth().caller(&db, &parts.headers, app.now()).await?;
            app.auth().revoke(&db, &caller).await?;
            Ok(Response::no_content())
        }
        ref other => Err(not_allowed(other, [Method::POST, Method::DELETE].iter())),
    }
}

async fn issue(app: &App, parts: &Parts, body: Body) -> Result<Response> {
    let db = app.db().for_request();
    let now = app.now();
    // A token that is no good is refused here as everywhere.
    app.auth().caller(&db, &parts.headers, now).await?;
    accept::check(&parts.headers)?;
    let fields = fields(app, parts, body).await?;
    let address = client::client(parts, app.config()).address;
    let address = address
        .map(|address| address.to_string())
        .unwrap_or_default();
    let issued = app.auth().issue(&db, &fields, &address, now).await?;
    Ok(Response::json(&issued)?.with_status(StatusCode::CREATED))
}

async fn fields(app: &App, parts: &Parts, body: Body) -> Result<Map<String, Json>> {
    let limit = app.config().api.body_limit;
    match body::media(&parts.headers) {
        Media::Form => Ok(auth::form_fields(
            &body::read(&parts.headers, body, limit).await?,
        )),
        Media::Json => body::parse(&body::read(&parts.headers, body, limit).await?),
        Media::Unsaid | Media::Other => Err(body::unsupported(
            "application/json or application/x-www-form-urlencoded",
        )),
    }
}

async fn user(app: &App, request: Request) -> Result<Response> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Err(not_allowed(
            request.method(),
            [Method::GET, Method::HEAD].iter(),
        ));
    }
    let db = app.db().for_request();
    let caller = app.auth().caller(&db, request.headers(), app.now()).await?;
    accept::check(request.headers())?;
    Response::json(&app.auth().user(&caller)?)
}
