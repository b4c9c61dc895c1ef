//! So that axum's handlers may return [`Error`]: the only place here that knows axum, because only
//! the crate of a type may implement a foreign trait for it.

use std::sync::Arc;

use axum_core::response::{IntoResponse, Response};

use super::Error;

/// An empty 500 with the error among its extensions, as an `Arc<Error>`. The layers around all routes
/// give it its own status and its body.
impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let mut response = Response::default();
        // Outside of the layers it must not look like a success.
        if let Ok(status) = 500_u16.try_into() {
            *response.status_mut() = status;
        }
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_no_success_before_it_is_rendered() {
        let response = Error::forbidden("no").into_response();
        assert_eq!(response.status().as_u16(), 500);
        let error = response.extensions().get::<Arc<Error>>();
        assert!(matches!(
            error.map(|error| &**error),
            Some(Error::Forbidden(_))
        ));
    }
}
