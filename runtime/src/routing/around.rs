//! What stands around every route: request id, time limit, log line, the face of a 500.

use std::{
    any::Any,
    future::{Future, poll_fn},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::{Pin, pin},
    sync::Arc,
    task::Poll,
    time::Instant,
};

use axum::{
    body::{Body, HttpBody},
    extract::Request,
    http::{HeaderName, HeaderValue, Method, header},
    response::{IntoResponse, Response},
};

use super::{
    accept, cors, protection,
    request_id::{self, RequestId},
};
use crate::{
    alarm::Alarm,
    app::{App, Statements},
    database::Db,
    error::Error,
    rendering::Rendering,
    response::{error_answer, message},
};

pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Answers a request, and says so in the log.
pub(super) async fn around<F: Future<Output = Response>>(
    app: &App,
    mut request: Request,
    answer: impl FnOnce(Request, Db) -> F,
) -> Response {
    let begun = Instant::now();
    let id = request_id::next();
    request.extensions_mut().insert(RequestId(id));
    let id = id.to_string();
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let rendering = accept::for_errors(request.headers(), app.config().api.serializer);
    let mut response = answered(app, request, answer).await;
    if let Some(error) = response.extensions_mut().remove::<Arc<Error>>() {
        response = match page(app, &response, (&path, &id), &error) {
            Some(page) => with_face(response, page),
            None => told(response, &error, &id, rendering),
        };
    }
    // Both renderings stand at one address (RFC 9110, section 12.5.5).
    let vary = HeaderValue::from_static("Accept");
    response.headers_mut().append(header::VARY, vary);
    protection::protect(response.headers_mut());
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    if method == Method::HEAD {
        response = without_body(response);
    }
    tracing::info!(
        request_id = id,
        method = method.as_str(),
        path,
        status = response.status().as_u16(),
        duration_ms = begun.elapsed().as_secs_f64() * 1000.0,
        statements = response
            .extensions()
            .get::<Statements>()
            .map_or(0, |count| count.0),
        "request"
    );
    response
}

/// The answer within the time limit, and what pages of other origins may see of it.
async fn answered<F: Future<Output = Response>>(
    app: &App,
    request: Request,
    answer: impl FnOnce(Request, Db) -> F,
) -> Response {
    let api = &app.config().api;
    let (mut parts, body) = request.into_parts();
    let db = app.db().for_request();
    let permission =
        cors::Permission::of(&parts, &api.cors).filter(|_| !is_page(app, parts.uri.path()));
    let preflight = permission
        .as_ref()
        .and_then(|permission| permission.preflight(&api.cors));
    let mut response = match preflight {
        Some(response) => response,
        None => {
            // A service that is mounted somewhere else has no connections of its own.
            let alarm = parts.extensions.remove::<Alarm>().unwrap_or_default();
            let answer = {
                // It stays where it is: what is passed on is moved, and futures of requests are large.
                let work = pin!(answer(Request::from_parts(parts, body), db.clone()));
                alarm.within(api.request_timeout, caught(work)).await
            };
            // The work is over by here: what does not last yet was given up, and never will.
            answer.unwrap_or_else(|| too_long(&db).into_response())
        }
    };
    cors::tell(permission, response.headers_mut(), &api.cors);
    response
}

/// 503 invites to try again: it is said of what was not done only.
fn too_long(db: &Db) -> Error {
    if db.progress().lasts() {
        Error::internal("the request took too long, and its change stands")
    } else {
        Error::Unavailable("The request took too long.".to_owned())
    }
}

/// The error in the rendering the client wants. A 500 tells no more than the request's id, and the
/// log the rest (http.md, "Errors").
fn told(response: Response, error: &Error, id: &str, rendering: Rendering) -> Response {
    if !is_hidden(error) && rendering == Rendering::Data {
        return response;
    }
    let message = told_of(error, id);
    let face = error_answer(error, &message, id, rendering).into_response();
    with_face(response, face)
}

/// The answer with another body, and the headers that describe it.
fn with_face(response: Response, face: Response) -> Response {
    let (parts, _) = response.into_parts();
    let (face, body) = face.into_parts();
    let mut told = Response::from_parts(parts, body);
    told.headers_mut().extend(face.headers);
    told.headers_mut().remove(header::CONTENT_LENGTH);
    told
}

/// What a client learns of an error; the rest goes to the log.
fn told_of(error: &Error, id: &str) -> String {
    if !is_hidden(error) {
        return message(error);
    }
    tracing::error!(request_id = id, error = %causes(error), "a request failed");
    format!("The server could not answer this request. Its id is {id}.")
}

fn is_hidden(error: &Error) -> bool {
    matches!(error, Error::Internal(_) | Error::Unfinished(_))
}

/// The page of an error, where pages are asked for. Other origins have no part in those.
#[cfg(feature = "admin")]
fn page(app: &App, answer: &Response, (path, id): (&str, &str), error: &Error) -> Option<Response> {
    if !is_page(app, path) {
        return None;
    }
    let session = answer.extensions().get();
    let page = crate::admin::refusal(app, session, error, &told_of(error, id));
    page.map(IntoResponse::into_response).ok()
}

#[cfg(not(feature = "admin"))]
fn page(_: &App, _: &Response, _: (&str, &str), _: &Error) -> Option<Response> {
    None
}

#[cfg(feature = "admin")]
fn is_page(app: &App, path: &str) -> bool {
    crate::admin::is_within(app.config(), path)
}

#[cfg(not(feature = "admin"))]
fn is_page(_: &App, _: &str) -> bool {
    false
}

/// An error and what it came from, in one line.
fn causes(error: &Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    if let Error::Internal(source) = error {
        cause = source.source();
    }
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

/// HEAD answers as GET does, length included, without the body (RFC 9110, section 9.3.2).
fn without_body(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    if let Some(length) = body.size_hint().exact().filter(|length| *length > 0) {
        parts
            .headers
            .insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    }
    Response::from_parts(parts, Body::empty())
}

/// What the work answers; a 500 where it panics.
fn caught<F: Future<Output = Response>>(mut work: Pin<&mut F>) -> impl Future<Output = Response> {
    poll_fn(move |context| {
        // What it was at is dropped with it, and nobody sees it any more.
        catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context)))
            .unwrap_or_else(|panic| Poll::Ready(panicked(panic)))
    })
}

/// The answer of a handler that panicked: a bug, and a 500.
fn panicked(panic: Box<dyn Any + Send>) -> Response {
    let said = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("without a message");
    Error::internal(format!("panicked: {said}")).into_response()
}
