//! Work that may change something: it is given up before its commit, or done to its end.

use std::{future::Future, panic};

use tokio::task::AbortHandle;

use crate::{
    context::Context,
    database::Db,
    error::{Error, Result},
    response::Response,
};

/// Does the work in a task of its own. Where nobody waits for the answer any more, because the
/// client hung up or the request's time is over, it ends as long as nothing lasts; from its first
/// commit on it goes on, so that the hooks after the commit run.
///
/// # Errors
///
/// What the work answers.
pub(super) async fn to_its_end(
    ctx: &Context,
    work: impl Future<Output = Result<Response>> + Send + 'static,
) -> Result<Response> {
    let under_way = ctx.app().under_way();
    let task = tokio::spawn(async move {
        let _under_way = under_way;
        work.await
    });
    let mut wait = Wait {
        task: task.abort_handle(),
        db: ctx.db().clone(),
        over: false,
    };
    let outcome = task.await;
    wait.over = true;
    match outcome.map_err(tokio::task::JoinError::try_into_panic) {
        Ok(answer) => answer,
        Err(Ok(panic)) => panic::resume_unwind(panic),
        Err(Err(_)) => Err(Error::Unavailable("The service is stopping.".to_owned())),
    }
}

/// The work's outcome. After a commit none says that nothing was done: 503 invites to try again.
///
/// # Errors
///
/// 500 instead of 503 where a change stands; what the work answers otherwise.
pub(super) async fn honest(
    db: Db,
    work: impl Future<Output = Result<Response>> + Send,
) -> Result<Response> {
    work.await.map_err(|error| match error {
        Error::Unavailable(why) if db.progress().lasts() => Error::internal(format!(
            "the change stands, but its answer could not be made: {why}"
        )),
        other => other,
    })
}

/// Somebody waits for a task.
struct Wait {
    task: AbortHandle,
    db: Db,
    over: bool,
}

impl Drop for Wait {
    fn drop(&mut self) {
        if !self.over && self.db.progress().give_up() {
            self.task.abort();
        }
    }
}
