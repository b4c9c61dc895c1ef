//! So that axum's handlers may return [`Error`]: the one place here that knows axum, since Rust lets
//! only the crate of a type say how a response is made of it (docs/adr/0017-crates.md).

use std::sync::Arc;

use axum_core::response::{IntoResponse, Response};

use super::Error;

/// An empty response with the error among its extensions, as an `Arc<Error>`. The layers around all
/// routes give it its status and its body.
impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let mut response = Response::default();
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}
