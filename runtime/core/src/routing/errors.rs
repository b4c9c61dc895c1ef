//! The body of an error: in the rendering the client accepts, as a page, or with only an id.

use std::{any::Any, sync::Arc};

use axum::{
    extract::Request,
    http::header,
    response::{IntoResponse, Response},
};
use formwork_data::error::{Error, Result};

use super::{
    accept,
    error_answer::{error_answer, message},
    request_id::RequestId,
};
use crate::{
    rendering::Rendering,
    response,
    state::{ServiceState, panic_message},
};

/// Makes the page of an error from its answer and the client's message.
pub type ErrorPage = fn(&ServiceState, &Response, &Error, &str) -> Result<response::Response>;

/// The rendering of a request's errors, known before it is answered.
pub(super) struct ErrorClient {
    rendering: Rendering,
}

impl ErrorClient {
    /// The client of this request.
    pub fn of(app: &ServiceState, request: &Request) -> Self {
        Self {
            rendering: accept::for_errors(request.headers(), app.config().api.serializer),
        }
    }
}

/// Writes the body of an [`Error`] in the client's rendering.
pub(super) fn render(
    app: &ServiceState,
    (client, page): (&ErrorClient, Option<ErrorPage>),
    id: RequestId,
    mut response: Response,
) -> Response {
    let Some(error) = response.extensions_mut().remove::<Arc<Error>>() else {
        return response;
    };
    let id = &id.to_string();
    let message = client_message(&error, id);
    if let Some(page) = page
        && let Ok(page) = page(app, &response, &error, &message)
    {
        return with_body_of(response, page.into_response());
    }
    let rendered = error_answer(&error, &message, id, client.rendering);
    with_body_of(response, rendered.into_response())
}

/// An answer, or the error that it stands for.
pub(super) fn outcome(mut response: Response) -> Result<Response> {
    let error = response.extensions_mut().remove::<Arc<Error>>();
    match error.map(Arc::try_unwrap) {
        None => Ok(response),
        Some(Ok(error)) => Err(error),
        Some(Err(shared)) => {
            response.extensions_mut().insert(shared);
            Ok(response)
        }
    }
}

/// The error of a handler that panicked: a bug, and a 500.
pub(super) fn panic_error(panic: &(dyn Any + Send)) -> Error {
    Error::internal(format!("panicked: {}", panic_message(panic)))
}

/// The answer with another status and body, and the headers that go with them.
fn with_body_of(response: Response, rendered: Response) -> Response {
    let (mut parts, _) = response.into_parts();
    let (rendered, body) = rendered.into_parts();
    parts.status = rendered.status;
    parts.headers.extend(rendered.headers);
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, body)
}

/// The message for the client; the log has the causes.
fn client_message(error: &Error, id: &str) -> String {
    if !is_hidden(error) {
        return message(error);
    }
    tracing::error!(request_id = id, error = %with_causes(error), "a request failed");
    format!("The server could not answer this request. Its id is {id}.")
}

fn is_hidden(error: &Error) -> bool {
    matches!(error, Error::Internal(_) | Error::Unfinished(_))
}

/// An error and its causes, in one line.
fn with_causes(error: &Error) -> String {
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
