//! Metrics of requests, named as OpenTelemetry names them for HTTP servers.

use std::time::Instant;

use axum::{
    extract::{MatchedPath, Request},
    http::Method,
    middleware::Next,
    response::Response,
};
use formwork_core::state::Statements;
use metrics::{gauge, histogram};

/// Seconds from the head of a request to the head of its answer, by method, route and status.
pub const DURATION: &str = "http_server_request_duration_seconds";

/// SQL statements of a request, by method and route.
pub const STATEMENTS: &str = "http_server_request_statements";

/// Requests that are being answered.
const ACTIVE: &str = "http_server_active_requests";

/// The route of a path that the service does not have. Paths themselves would make a series for each
/// address that a scanner tries.
const NO_ROUTE: &str = "none";

/// Measures a request.
pub async fn measure(request: Request, next: Next) -> Response {
    let method = method(request.method());
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or(NO_ROUTE, MatchedPath::as_str).to_owned();
    let begun = Instant::now();
    let active = Active::one_more();
    let response = next.run(request).await;
    drop(active);
    let status = response.status().as_u16().to_string();
    let statements = response.extensions().get::<Statements>();
    if let Some(Statements(count)) = statements {
        let labels = [
            ("http_request_method", method.into()),
            ("http_route", route.clone()),
        ];
        histogram!(STATEMENTS, &labels)
            .record(f64::from(u32::try_from(*count).unwrap_or(u32::MAX)));
    }
    let labels = [
        ("http_request_method", method.into()),
        ("http_route", route),
        ("http_response_status_code", status),
    ];
    histogram!(DURATION, &labels).record(begun.elapsed());
    response
}

/// The method's name, or OpenTelemetry's word for one that a client invented.
fn method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "_OTHER",
    }
}

/// A request that is being answered; dropped also where its client hangs up.
struct Active;

impl Active {
    fn one_more() -> Self {
        gauge!(ACTIVE).increment(1.0);
        Self
    }
}

impl Drop for Active {
    fn drop(&mut self) {
        gauge!(ACTIVE).decrement(1.0);
    }
}
