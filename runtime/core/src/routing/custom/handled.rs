//! Handlers and routers of axum behind the checks of the service.

use std::sync::Arc;

use axum::{
    Router,
    body::{Body, HttpBody},
    extract::{DefaultBodyLimit, Request},
    http::Method,
    response::{IntoResponse, Response},
    routing,
};
use formwork_data::error::{Error, Result};
use futures_util::{StreamExt, future::BoxFuture, stream};
use http_body_util::Limited;
use tower::{ServiceExt, layer::layer_fn, service_fn};

use super::{
    kept,
    passing::{check, route_request, with_path},
};
use crate::{
    context::Context,
    route::{Route, Target},
    routing::{
        admission::{Admitted, Count, admit},
        body, change,
        endpoint::no_route,
        errors::outcome,
        time_limit::{Answering, RequestTime},
    },
    state::ServiceState,
};

/// Answers a request that a handler of axum reads.
pub(super) async fn answer(
    app: &Arc<ServiceState>,
    route: (usize, &Route),
    handler: &(dyn Fn(Request) -> BoxFuture<'static, Response> + Send + Sync),
    request: Request,
    admitted: Admitted,
) -> Result<Response> {
    let (ctx, request) = prepared(app, route, request, admitted).await?;
    if kept::is_keyed(&request) {
        return Box::pin(kept::answer(ctx, request, limit(app, route.1), handler)).await;
    }
    finish(ctx, request.method().clone(), handler(request)).await
}

/// A router whose requests pass the checks of its route.
pub(super) fn checked(router: Router, app: &Arc<ServiceState>, at: usize) -> Router {
    let app = Arc::clone(app);
    router.layer(layer_fn(move |inner| below(Arc::clone(&app), at, inner)))
}

/// A service that answers with what a route of a nested router answers.
fn below(app: Arc<ServiceState>, at: usize, inner: routing::Route) -> impl Answering + use<> {
    service_fn(move |request: Request| {
        let (app, inner) = (Arc::clone(&app), inner.clone());
        async move {
            let answer = async |request: Request, admitted: Admitted| {
                let answered = nested(&app, at, inner, request, admitted).await;
                answered.into_response()
            };
            Ok(admit(&app, request, Count::Requests, answer).await)
        }
    })
}

async fn nested(
    app: &Arc<ServiceState>,
    at: usize,
    inner: routing::Route,
    request: Request,
    mut admitted: Admitted,
) -> Result<Response> {
    let route = app.registry().routes().get(at).ok_or_else(no_route)?;
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    admitted.caller = check(app, route, admitted.caller, reads)?;
    debug_assert!(matches!(route.target(), Target::Nested(_)));
    let time = request.extensions().get::<RequestTime>().cloned();
    let answer = async {
        let answered = async {
            let (ctx, request) = prepared(app, (at, route), request, admitted).await?;
            let method = request.method().clone();
            let keyed = kept::is_keyed(&request);
            let answer = async move |request| inner.oneshot(request).await.into_response();
            if keyed {
                return Box::pin(kept::answer(ctx, request, limit(app, route), answer)).await;
            }
            finish(ctx, method, answer(request)).await
        };
        // In a box: the surrounding future is moved, and should be small.
        Box::pin(answered).await.into_response()
    };
    Ok(RequestTime::limit(time, route.time_limit, answer).await)
}

/// The context of a request, and the request with it: its media type is checked, its body limited.
async fn prepared(
    app: &Arc<ServiceState>,
    (at, route): (usize, &Route),
    request: Request,
    admitted: Admitted,
) -> Result<(Context, Request)> {
    let (mut parts, body) = request.into_parts();
    let ctx = admitted.context_of_any(app, &mut parts, route_request(app, at, route));
    let ctx = with_path(ctx, &mut parts).await?;
    body::check_accepted(&parts.headers, &body, route.media_types())?;
    let limit = limit(app, route);
    if body.size_hint().lower() > limit as u64 {
        return Err(Error::TooLarge(limit));
    }
    parts.extensions.insert(ctx.clone());
    let body = match body.is_end_stream() {
        true => body,
        false => Body::new(Limited::new(paced(body), limit)),
    };
    let mut request = Request::from_parts(parts, body);
    // The limit of the route counts, not the one of axum's extractors.
    DefaultBodyLimit::disable().apply(&mut request);
    Ok((ctx, request))
}

/// Most bytes of the bodies of a route.
fn limit(app: &ServiceState, route: &Route) -> usize {
    route.body_limit.unwrap_or(app.config().api.body_limit)
}

/// A body whose reader works between two chunks. `Multipart` collects the chunks that are there
/// before it looks at them: of a fast client that would be most of an upload.
fn paced(body: Body) -> Body {
    let chunks = (body.into_data_stream(), false);
    Body::from_stream(stream::unfold(chunks, async |(mut chunks, pauses)| {
        if pauses {
            tokio::task::yield_now().await;
        }
        Some((chunks.next().await?, (chunks, true)))
    }))
}

/// Returns the response of a handler, which runs to its end unless its method only reads.
async fn finish(
    ctx: Context,
    method: Method,
    answer: impl Future<Output = Response> + Send + 'static,
) -> Result<Response> {
    let work = Box::pin(async move { outcome(answer.await) });
    match method {
        Method::GET | Method::HEAD => work.await,
        _ => change::run(&ctx, work).await,
    }
}
