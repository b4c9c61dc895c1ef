//! Answers and custom routes.

pub use formwork_core::{
    custom_serializer::Serializer,
    routing::{Parameters, State, Validated},
};

/// How an answer is written.
pub mod rendering {
    pub use formwork_core::rendering::Rendering;
}

/// The answer of a handler: status, headers and body.
pub mod response {
    pub use formwork_core::response::Response;
}

/// Routes of an extension's own.
pub mod route {
    pub use formwork_core::route::{Description, Route, RouteHandler};
}

/// The status of an error.
pub mod status {
    pub use formwork_core::status::Status;
}
