//! The status that answers each error.

use axum::http::StatusCode;
use formwork_data::error::{DocumentProblem, Error};

/// The status of an error over HTTP.
pub trait Status {
    /// The status of the answer.
    fn status(&self) -> StatusCode;
}

impl Status for DocumentProblem {
    fn status(&self) -> StatusCode {
        match self {
            Self::Malformed => StatusCode::BAD_REQUEST,
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::Conflict => StatusCode::CONFLICT,
        }
    }
}

impl Status for Error {
    fn status(&self) -> StatusCode {
        match self {
            Self::Document(error) => error.problem().status(),
            Self::Malformed(_) | Self::BadParameter { .. } => StatusCode::BAD_REQUEST,
            Self::Unauthenticated(_) => StatusCode::UNAUTHORIZED,
            Self::Forbidden(_) | Self::ForbiddenInclude(_) => StatusCode::FORBIDDEN,
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed { .. } => StatusCode::METHOD_NOT_ALLOWED,
            Self::NotAcceptable(_) => StatusCode::NOT_ACCEPTABLE,
            Self::Conflict(_) => StatusCode::CONFLICT,
            Self::PreconditionFailed => StatusCode::PRECONDITION_FAILED,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedMediaType(_) | Self::UnsupportedCoding => {
                StatusCode::UNSUPPORTED_MEDIA_TYPE
            }
            Self::Validation(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Custom(error) => {
                StatusCode::from_u16(error.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
            }
            Self::TooManyRequests { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Unavailable(_) | Self::Deadlock => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}
