//! The time limit of a request: `api.request_timeout`, the one of its route, or the one of a change.

use std::{
    convert::Infallible,
    future::Future,
    panic::AssertUnwindSafe,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use axum::{
    extract::Request,
    response::{IntoResponse, Response},
    routing::Route,
};
use formwork_data::{database::Db, error::Error};
use futures_util::FutureExt;
use tokio::time::{Instant, timeout};
use tower::{Service, ServiceExt, service_fn};

use super::errors::panic_error;
use crate::{
    context::Context,
    state::{ServiceState, Statements},
};

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

/// A service that answers with what this route answers, in its time.
pub(super) fn limiting(app: &Arc<ServiceState>, route: Route) -> impl Answering + use<> {
    // Copying a route allocates: it is copied where it answers, not with the layers around it.
    let shared = Arc::new((Arc::clone(app), route));
    service_fn(move |request| {
        let shared = Arc::clone(&shared);
        async move {
            let (app, route) = &*shared;
            Ok(respond(app, request, route.clone()).await)
        }
    })
}

/// The time and the database handle of a request: among its extensions.
#[derive(Clone)]
pub(super) struct RequestTime {
    /// The request's own handle of the database, which counts its statements.
    pub db: Db,
    begun: Instant,
    /// How many limits were set. The last one counts: the service's, the route's, or the change's.
    limits: Arc<AtomicUsize>,
}

impl RequestTime {
    /// Waits for the response of a request within this time, unless a later limit is set meanwhile.
    pub async fn limit(
        time: Option<Self>,
        limit: Option<Duration>,
        response: impl Future<Output = Response>,
    ) -> Response {
        let (Some(time), Some(limit)) = (time, limit) else {
            return response.await;
        };
        let number = time.limits.fetch_add(1, Relaxed) + 1;
        let mut response = pin!(response);
        match timeout(limit, &mut response).await {
            Ok(response) => response,
            Err(_) if time.limits.load(Relaxed) > number => response.await,
            Err(_) => too_long().into_response(),
        }
    }

    /// Returns when the time of a change is over. From now on the limits of service and route do not
    /// count: they would end the request while the change is committed.
    pub fn change_deadline(ctx: &Context) -> Instant {
        let own = ctx.route().and_then(|route| route.time_limit);
        let limit = own.unwrap_or(ctx.config().api.request_timeout);
        let Some(time) = ctx.extension::<Self>() else {
            return Instant::now() + limit;
        };
        time.limits.fetch_add(1, Relaxed);
        time.begun + limit
    }
}

/// Responds within the time limit, with a database handle of the request's own. Each response has the
/// count of its statements, even if it took too long or a handler panicked.
async fn respond(app: &ServiceState, mut request: Request, route: Route) -> Response {
    let time = RequestTime {
        db: app.db().for_request(),
        begun: Instant::now(),
        limits: Arc::default(),
    };
    request.extensions_mut().insert(time.clone());
    let db = time.db.clone();
    let response = async {
        // State that a panic left is dropped with its request.
        match AssertUnwindSafe(route.oneshot(request))
            .catch_unwind()
            .await
        {
            Ok(response) => response.unwrap_or_else(|never| match never {}),
            Err(panic) => panic_error(&*panic).into_response(),
        }
    };
    let limit = app.config().api.request_timeout;
    let mut response = RequestTime::limit(Some(time), Some(limit), response).await;
    response
        .extensions_mut()
        .insert(Statements(db.statements()));
    response
}

/// The error of a request whose time is over.
pub(super) fn too_long() -> Error {
    Error::Unavailable("The request took too long.".to_owned())
}
