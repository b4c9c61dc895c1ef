//! Changes: they run to their end, whether or not the client waits for the response.

use std::{future::Future, panic::AssertUnwindSafe, pin::pin};

use axum::http::Uri;
use formwork_data::error::{Error, Result};
use futures_util::FutureExt;
use tokio::time::timeout_at;
use tracing::Instrument;

use super::{
    errors::panic_error,
    time_limit::{RequestTime, too_long},
};
use crate::{context::Context, idempotency::Attempt, response::Response};

/// Runs a change within its time limit, in a task of the service.
pub(super) async fn run<R: Send + 'static>(
    ctx: &Context,
    change: impl Future<Output = Result<R>> + Send + 'static,
) -> Result<R> {
    spawn(ctx, limit(ctx, change)).await
}

/// Runs work in a task, which a client that goes away does not stop. A stopping service waits for it.
async fn spawn<R: Send + 'static>(
    ctx: &Context,
    work: impl Future<Output = Result<R>> + Send + 'static,
) -> Result<R> {
    let task = ctx.app().work().spawn(work.in_current_span());
    task.await.map_err(Error::internal)?
}

/// Limits the time of a change: until its first commit begins it is rolled back, then it is finished.
///
/// # Errors
///
/// 503 if the time is over. A committed change is never a 503 but a 500, because clients repeat a
/// request after a 503.
fn limit<R: Send + 'static>(
    ctx: &Context,
    change: impl Future<Output = Result<R>> + Send + 'static,
) -> impl Future<Output = Result<R>> + Send + 'static {
    let deadline = RequestTime::change_deadline(ctx);
    let db = ctx.db().clone();
    async move {
        let mut change = pin!(AssertUnwindSafe(change).catch_unwind());
        let result = match timeout_at(deadline, &mut change).await {
            Ok(result) => result,
            Err(_) if db.progress().has_committed() => change.await,
            Err(_) => return Err(too_long()),
        };
        match result.unwrap_or_else(|panic| Err(panic_error(&*panic))) {
            Err(error @ (Error::Unavailable(_) | Error::Deadlock))
                if db.progress().has_committed() =>
            {
                let saved = "the change was saved, but its answer could not be made";
                Err(Error::internal(format!("{saved}: {error}")))
            }
            result => result,
        }
    }
}

/// Runs the change of a request with this body, unless its key says that it was done.
///
/// # Errors
///
/// 400 where the key is none, 409 while the first request with it runs, 422 where that had another
/// body; the error of the change.
pub(super) async fn once(
    ctx: &Context,
    uri: &Uri,
    body: &[u8],
    change: impl Future<Output = Result<Response>> + Send + 'static,
) -> Result<Response> {
    let path = uri.path_and_query();
    let path = path.map_or("", |path| path.as_str());
    // An answer is kept as it was written: in another rendering it is another request.
    let path = format!("{} {path}", ctx.rendering().media_type());
    let who = (ctx.caller(), ctx.client());
    let Some(attempt) = Attempt::of(ctx.headers(), who, &path, body)? else {
        return run(ctx, change).await;
    };
    let change = limit(ctx, change);
    let (db, now) = (ctx.db().clone(), ctx.now());
    let work = async move {
        if let Some(response) = attempt.claim(&db, now).await? {
            return Ok(response);
        }
        let result = change.await;
        attempt.store(&db, &result).await;
        result
    };
    spawn(ctx, work).await
}
