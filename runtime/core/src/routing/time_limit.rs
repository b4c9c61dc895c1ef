//! A request ends early at `api.request_timeout`, with a 503 unless a change was committed, and
//! with a panic, a 500.

use std::{
    future::Future,
    panic::AssertUnwindSafe,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
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
use tokio::time::timeout;
use tower::{ServiceExt, service_fn};

use super::{answering::Answering, errors};
use crate::state::{ServiceState, Statements};

/// A service that answers with what this route answers, in its time.
pub(super) fn limiting(app: &Arc<ServiceState>, route: Route) -> impl Answering + use<> {
    // Copying a route allocates: it is copied where it answers, not with the layers around it.
    let shared = Arc::new((Arc::clone(app), route));
    service_fn(move |request| {
        let shared = Arc::clone(&shared);
        async move {
            let (app, route) = &*shared;
            Ok(limit(app, request, route.clone()).await)
        }
    })
}

/// A request under the time limit: among its extensions.
#[derive(Clone)]
pub(super) struct Timed {
    /// The request's own handle of the database, which counts its statements.
    pub db: Db,
    /// Whether its route has a time limit of its own.
    own: Arc<AtomicBool>,
}

impl Timed {
    /// Answers within this time, in the place of `api.request_timeout`.
    pub async fn within(
        timed: Option<Self>,
        limit: Option<Duration>,
        db: &Db,
        answer: impl Future<Output = Response>,
    ) -> Response {
        let Some(limit) = limit else {
            return answer.await;
        };
        if let Some(timed) = timed {
            timed.own.store(true, Ordering::Relaxed);
        }
        match timeout(limit, answer).await {
            Ok(response) => response,
            Err(_) => too_long(db).into_response(),
        }
    }
}

/// Answers within the time limit, with a database handle of the request's own. Each answer tells its
/// statements, also where it took too long or a handler panicked.
async fn limit(app: &ServiceState, mut request: Request, route: Route) -> Response {
    let timed = Timed {
        db: app.db().for_request(),
        own: Arc::default(),
    };
    request.extensions_mut().insert(timed.clone());
    let mut response = in_time(app, request, route, &timed).await;
    let statements = Statements(timed.db.statements());
    response.extensions_mut().insert(statements);
    response
}

/// The answer, or why there is none in time.
async fn in_time(app: &ServiceState, request: Request, route: Route, timed: &Timed) -> Response {
    // State that a panic left is dropped with its request.
    let answer = AssertUnwindSafe(route.oneshot(request)).catch_unwind();
    let mut answer = pin!(answer);
    let answered = match timeout(app.config().api.request_timeout, &mut answer).await {
        Ok(answered) => answered,
        Err(_) if timed.own.load(Ordering::Relaxed) => answer.await,
        Err(_) => return too_long(&timed.db).into_response(),
    };
    match answered {
        Ok(answered) => answered.unwrap_or_else(|never| match never {}),
        Err(panic) => errors::panicked(panic),
    }
}

/// Clients repeat a request after a 503, so it is only answered if no change was committed.
fn too_long(db: &Db) -> Error {
    if db.progress().lasts() {
        Error::internal("the request took too long; its change was saved")
    } else {
        Error::Unavailable("The request took too long.".to_owned())
    }
}
