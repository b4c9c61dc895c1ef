//! Requests that the server refuses before routing.

use axum::extract::Request;
use formwork_data::error::Error;

/// Why the server refuses a request: among its extensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Its connection is beyond the limit.
    TooManyConnections,
    /// It names no host, or several.
    Host,
    /// Its body has an unsupported transfer coding.
    TransferEncoding,
}

/// The error of a request that the server refuses: 503 beyond the limit of connections, or 400.
pub fn of(request: &Request) -> Option<Error> {
    let refusal = request.extensions().get::<Refusal>();
    refusal.copied().map(Refusal::error)
}

impl Refusal {
    fn error(self) -> Error {
        match self {
            Self::TooManyConnections => {
                Error::Unavailable("There are too many connections; try again later.".to_owned())
            }
            Self::Host => Error::Malformed("The request needs one Host header.".to_owned()),
            Self::TransferEncoding => {
                Error::Malformed("The only accepted Transfer-Encoding is chunked, once.".to_owned())
            }
        }
    }
}
