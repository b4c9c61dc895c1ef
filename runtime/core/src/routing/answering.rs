//! The bound of a service between two layers.

use std::convert::Infallible;

use axum::{extract::Request, response::Response};
use tower::Service;

/// A service that answers requests, between two layers.
pub(super) trait Answering:
    Service<Request, Response = Response, Error = Infallible, Future: Send>
    + Clone
    + Send
    + Sync
    + 'static
{
}

impl<S> Answering for S where
    S: Service<Request, Response = Response, Error = Infallible, Future: Send>
        + Clone
        + Send
        + Sync
        + 'static
{
}
