//! The same layers and the same route in axum: alone, and with what axum's users add to it.

use std::time::Duration;

use axum::extract::{Path, Request};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::{Router, routing::get};
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::TimeoutLayer;
use tower_http::trace::TraceLayer;

/// A layer that counts itself in each answer.
pub async fn step(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let name = HeaderName::from_static("x-step");
    response
        .headers_mut()
        .append(name, HeaderValue::from_static("1"));
    response
}

pub async fn hello(Path(name): Path<String>) -> String {
    format!("Hello, {name}.")
}

/// Serves until the process is killed.
pub fn serve(address: &str, with_usual_layers: bool) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let router = Router::new().route("/api/hello/{name}", get(hello));
    let router = match with_usual_layers {
        true => usual(router),
        false => router,
    };
    let router = (0..5).fold(router, |router, _| router.layer(middleware::from_fn(step)));
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(address)
            .await
            .expect("the address is free");
        let listener = axum::serve::ListenerExt::tap_io(listener, |stream| {
            let _ = stream.set_nodelay(true);
        });
        axum::serve(listener, router).await.expect("serves");
    });
}

/// What a service has in production, by the layers of tower-http: an id, a log line in JSON, a time
/// limit, a 500 for a panic, the headers of an answer.
fn usual(router: Router) -> Router {
    tracing_subscriber::fmt()
        .json()
        .with_writer(std::io::stderr)
        .init();
    let layers = ServiceBuilder::new()
        .layer(SetRequestIdLayer::x_request_id(MakeRequestUuid))
        .layer(TraceLayer::new_for_http())
        .layer(PropagateRequestIdLayer::x_request_id())
        .layer(header(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(header(header::REFERRER_POLICY, "no-referrer"))
        .layer(header(header::CACHE_CONTROL, "no-cache"))
        .layer(header(header::VARY, "Accept"))
        .layer(CatchPanicLayer::new())
        .layer(TimeoutLayer::with_status_code(
            StatusCode::SERVICE_UNAVAILABLE,
            Duration::from_secs(30),
        ));
    router.layer(layers)
}

fn header(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
}
