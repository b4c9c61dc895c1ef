//! The admin area's paths: sessions, rate limits and forms are checked here. Tokens are not read
//! here, and the area's cookie is read nowhere else.

use std::{net::IpAddr, sync::Arc};

use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{HeaderMap, Method, Uri, request::Parts},
    response::IntoResponse,
    routing::any,
};
use formwork_core::{
    auth::Origin,
    limits::Counted,
    response::Response,
    routing::{
        accept,
        body::{self, Media},
        client, database,
        error_answer::with_headers,
        layers::{self, ErrorPage},
        request_id,
    },
    state::ServiceState,
    status::Status,
};
use formwork_data::{
    database::Db,
    error::{Error, Result},
    value::DateTime,
};

use super::{
    admin_request::{AdminRequest, host},
    assets, cookies, guard,
    pages::{self, Frame, Message, PAGE},
    path::path,
    screens,
    sessions::{self, Session},
};

/// The routes of the area, within the layers of the service.
pub(super) fn router(app: &Arc<ServiceState>) -> Router {
    let base = path(app.config());
    let paths = [
        base.to_owned(),
        format!("{base}/"),
        format!("{base}/{{*below}}"),
    ];
    let routes = paths.iter().fold(Router::new(), |router, path| {
        let own = Arc::clone(app);
        router.route(path, any(async move |request| answer(&own, request).await))
    });
    let routes = routes.layer(guard::csrf(app.config()));
    layers::around(routes, app, None, Some(refusal as ErrorPage))
}

async fn answer(app: &Arc<ServiceState>, request: Request) -> axum::response::Response {
    let db = database(app, request.extensions());
    let answer = match asset(app, &request) {
        Some(asset) => asset.map(IntoResponse::into_response),
        None => page(app, request, db).await,
    };
    answer.unwrap_or_else(IntoResponse::into_response)
}

/// Style and script: open to everyone, and not counted.
fn asset(app: &ServiceState, request: &Request) -> Option<Result<Response>> {
    let file = below(app, request.uri()).strip_prefix("assets/")?;
    let asset = assets::answer(request.method(), file);
    Some(asset.and_then(|response| accept::taken(request.headers(), response)))
}

/// The path below `admin.path`, without the slash at its beginning.
fn below<'u>(app: &ServiceState, uri: &'u Uri) -> &'u str {
    let below = uri.path().strip_prefix(path(app.config()));
    let below = below.unwrap_or_default();
    below.strip_prefix('/').unwrap_or(below)
}

/// Finds the session, counts the request by session or address, and answers it.
async fn page(
    app: &Arc<ServiceState>,
    request: Request,
    db: Db,
) -> Result<axum::response::Response> {
    let (parts, body) = request.into_parts();
    let (address, now) = (client::client(&parts, app.config()).address, app.now());
    let turn = app.limits().turn(address).await;
    let session = session(&db, &parts.headers, now).await?;
    drop(turn);
    let standing = match counted(session.as_ref(), &parts, address) {
        Some(who) => app.limits().count(who).await,
        None => None,
    };
    let within = standing.map_or(Ok(()), |standing| standing.check());
    let signed_in = session.clone();
    let answer = match within {
        Ok(()) => answered(app, (parts, body), (session, address), db).await,
        Err(error) => Err(error),
    };
    let mut response = answer.map_or_else(IntoResponse::into_response, Response::into_response);
    if let Some(standing) = standing {
        standing.tell(response.headers_mut());
    }
    // For the page of an error, which the error layer makes.
    if let Some(session) = signed_in {
        response.extensions_mut().insert(session);
    }
    Ok(response)
}

/// The count of a request: of its session, or of sign-ins from its address, apart from the requests
/// of the API. Pages without a session are not counted.
fn counted(session: Option<&Session>, parts: &Parts, address: Option<IpAddr>) -> Option<Counted> {
    let names_session = || {
        cookies::all(&parts.headers, cookies::SESSION)
            .next()
            .is_some()
    };
    match session {
        Some(session) => Some(Counted::Session(session.id)),
        None if parts.method == Method::POST || names_session() => Some(Counted::sign_in(address)),
        None => None,
    }
}

async fn answered(
    app: &Arc<ServiceState>,
    (parts, body): (Parts, Body),
    (session, address): (Option<Session>, Option<IpAddr>),
    db: Db,
) -> Result<Response> {
    // Before any change: a client that does not accept HTML is refused.
    accept::takes(&parts.headers, PAGE)?;
    let form = match parts.method {
        Method::POST => {
            let limit = match session {
                Some(_) => app.config().api.body_limit,
                None => body::sign_in_limit(app.config()),
            };
            form(&parts, body, limit).await?
        }
        _ => Vec::new(),
    };
    let origin = Origin::new(address, request_id::of(&parts), "admin area");
    let request = AdminRequest {
        path: below(app, &parts.uri).to_owned(),
        query: parts.uri.query().unwrap_or_default().to_owned(),
        method: parts.method.clone(),
        host: host(&parts),
        headers: parts.headers,
        body: form,
        session,
        origin,
        db,
        now: app.now(),
    };
    screens::answer(app, request).await
}

/// The fields that a page's form sends.
async fn form(parts: &Parts, body: Body, limit: usize) -> Result<Vec<u8>> {
    if body::media(&parts.headers) != Media::Form {
        return Err(body::unsupported("application/x-www-form-urlencoded"));
    }
    let read = body::read(&parts.headers, body, limit).await?;
    Ok(read.to_vec())
}

/// The session that a request's cookie belongs to: the first that does, where there are several.
async fn session(db: &Db, headers: &HeaderMap, now: DateTime) -> Result<Option<Session>> {
    for secret in cookies::all(headers, cookies::SESSION) {
        if let Some(session) = sessions::find(db, secret, now).await? {
            return Ok(Some(session));
        }
    }
    Ok(None)
}

/// The page of an error, within the frame of the session.
fn refusal(
    app: &ServiceState,
    answer: &axum::response::Response,
    error: &Error,
    message: &str,
) -> Result<Response> {
    let session = answer.extensions().get::<Session>();
    let status = error.status();
    let title = status.canonical_reason().unwrap_or("Something went wrong");
    let page = Message {
        frame: Frame::new(app.config(), session, None),
        title,
        message,
    };
    let response = pages::show(status, &page)?;
    Ok(with_headers(response, error))
}
