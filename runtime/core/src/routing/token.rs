//! `/api/token` and `/api/token/user`.

use std::sync::Arc;

use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{Method, StatusCode, header, request::Parts},
};
use formwork_data::error::{Error, Result};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use super::{
    accept,
    admission::{Admitted, Count, admitted, admitted_counting},
    body::{self, Media},
    endpoint::not_allowed,
    layers,
    reading::read_only,
    request_id,
};
use crate::{
    auth::{self, Origin},
    input::Input,
    params::Pairs,
    rendering::Rendering,
    response::Response,
    state::ServiceState,
};

/// Adds the routes of tokens.
pub(super) fn routes(router: Router, app: &Arc<ServiceState>, prefix: &str) -> Router {
    router
        .route(
            &format!("{prefix}/token"),
            admitted_counting(app, Count::SignIns, token),
        )
        .route(&format!("{prefix}/token/user"), admitted(app, user))
}

async fn token(app: Arc<ServiceState>, request: Request, admitted: Admitted) -> Result<Response> {
    let (parts, body) = request.into_parts();
    match parts.method {
        Method::POST => issue(&app, &parts, body, &admitted).await,
        Method::DELETE => {
            let Admitted { caller, db, .. } = &admitted;
            // 401 comes first (docs/contract.md, "Access").
            app.auth().user(caller)?;
            no_parameters(&parts)?;
            app.auth().revoke(db, caller).await?;
            Ok(Response::no_content())
        }
        ref other => Err(not_allowed(other, [Method::POST, Method::DELETE].iter())),
    }
}

async fn issue(
    app: &ServiceState,
    parts: &Parts,
    body: Body,
    admitted: &Admitted,
) -> Result<Response> {
    let Admitted { client, db, .. } = admitted;
    no_parameters(parts)?;
    let rendering = accept::negotiate(&parts.headers, app.config().api.serializer)?;
    let fields = fields(app, parts, body).await?;
    let origin = Origin::new(client.address, request_id::of(parts), "token");
    let issued = app.auth().issue(db, &fields, &origin, app.now()).await;
    let issued = issued.map_err(|error| match body::media(&parts.headers) {
        Media::Json => Input::new(fields).locate(error),
        _ => error,
    })?;
    let response = answer(rendering, &issued)?.with_status(StatusCode::CREATED);
    Ok(response.with_header(header::CACHE_CONTROL, layers::SECRET))
}

async fn fields(app: &ServiceState, parts: &Parts, body: Body) -> Result<Map<String, Json>> {
    let limit = body::sign_in_limit(app.config());
    match body::media(&parts.headers) {
        Media::Form => Ok(auth::form_fields(
            &body::read(&parts.headers, body, limit).await?,
        )),
        Media::Json => body::parse(&body::read(&parts.headers, body, limit).await?),
        Media::Unsaid | Media::JsonApi | Media::Other => Err(body::unsupported(
            "application/json or application/x-www-form-urlencoded",
        )),
    }
}

/// Tokens and accounts are no records: in a JSON:API document they are in `meta` (jsonapi.org, "Top
/// Level"). `application/json` has the form of the specification, whatever `api.serializer` is.
fn answer(rendering: Rendering, value: &impl Serialize) -> Result<Response> {
    if rendering != Rendering::JsonApi {
        return Response::json(value);
    }
    let document = json!({"jsonapi": {"version": "1.1"}, "meta": value});
    let body = serde_json::to_vec(&document).map_err(Error::internal)?;
    Ok(Response::rendered(rendering, body))
}

async fn user(app: Arc<ServiceState>, request: Request, admitted: Admitted) -> Result<Response> {
    let (parts, _) = request.into_parts();
    read_only(&parts.method)?;
    let user = app.auth().user(&admitted.caller)?;
    no_parameters(&parts)?;
    let rendering = accept::negotiate(&parts.headers, app.config().api.serializer)?;
    answer(rendering, &user)
}

/// Tokens take no parameters: any is unknown.
fn no_parameters(parts: &Parts) -> Result<()> {
    let pairs = Pairs::read(parts.uri.query().unwrap_or_default());
    match pairs.0.first() {
        None => Ok(()),
        Some(pair) => {
            let message = format!("The parameter `{}` is unknown.", pair.name);
            Err(Error::bad_parameter(&pair.name, message))
        }
    }
}
