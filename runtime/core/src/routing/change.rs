//! Work that may change rows: it is cancelled before its commit, or finished.

use std::{future::Future, panic, sync::Arc};

use formwork_data::{
    database::Db,
    error::{Error, Result},
};
use tokio::{
    sync::OnceCell,
    task::{JoinError, JoinHandle},
};

use crate::{context::Context, limits::Counted};

/// Does the work in a task of its own. When the request is dropped, because the client hung up or
/// the time is over, the work is dropped with it unless a change is committed; from its first
/// commit on it goes on, so that the hooks after the commit run.
pub(super) async fn to_its_end<R: Send + 'static>(
    ctx: &Context,
    work: impl Future<Output = Result<R>> + Send + 'static,
) -> Result<R> {
    cancellable(ctx, in_turn(ctx, work)).await
}

/// As [`to_its_end`], for work that reads its body itself: its caller's turn begins at the first write
/// to the database, so that slow bodies do not hold up the caller's other changes.
pub(super) async fn reading_to_its_end<R: Send + 'static>(
    ctx: &Context,
    work: impl Future<Output = Result<R>> + Send + 'static,
) -> Result<R> {
    let (app, who) = (Arc::clone(ctx.app()), counted(ctx));
    let turn = Arc::new(OnceCell::new());
    let begins = Arc::downgrade(&turn);
    ctx.db().progress().wait_before_writing(async move {
        // Writes after the end of the work, while its answer is sent, have no turn.
        if let Some(turn) = begins.upgrade() {
            turn.get_or_init(|| app.changes().take(who)).await;
        }
    });
    let work = async move {
        let answer = work.await;
        drop(turn);
        answer
    };
    cancellable(ctx, work).await
}

async fn cancellable<R: Send + 'static>(
    ctx: &Context,
    work: impl Future<Output = Result<R>> + Send + 'static,
) -> Result<R> {
    let mut change = ChangeTask {
        task: ctx.app().work().spawn(work),
        db: ctx.db().clone(),
    };
    let outcome = (&mut change.task).await;
    match outcome.map_err(JoinError::try_into_panic) {
        Ok(answer) => answer,
        Err(Ok(panic)) => panic::resume_unwind(panic),
        Err(Err(_)) => Err(Error::Unavailable("The service is stopping.".to_owned())),
    }
}

/// Does the work when it is its caller's turn.
pub(super) fn in_turn<R: Send + 'static>(
    ctx: &Context,
    work: impl Future<Output = Result<R>> + Send + 'static,
) -> impl Future<Output = Result<R>> + Send + 'static {
    let (app, who) = (Arc::clone(ctx.app()), counted(ctx));
    async move {
        let _turn = app.changes().take(who).await;
        work.await
    }
}

/// The owner of a change's turn.
fn counted(ctx: &Context) -> Counted {
    Counted::of(Some(ctx.caller()), ctx.client().address)
}

/// The work's outcome. After a commit it is not a 503, because clients repeat a request after a
/// 503.
///
/// # Errors
///
/// 500 instead of 503 where a change was committed; what the work answers otherwise.
pub(super) async fn honest<R>(db: Db, work: impl Future<Output = Result<R>> + Send) -> Result<R> {
    work.await.map_err(|error| match error {
        why @ (Error::Unavailable(_) | Error::Deadlock) if db.progress().lasts() => {
            let saved = "the change was saved, but its answer could not be made";
            Error::internal(format!("{saved}: {why}"))
        }
        other => other,
    })
}

/// A task that is dropped with the request that waits for it.
struct ChangeTask<R> {
    task: JoinHandle<Result<R>>,
    db: Db,
}

impl<R> Drop for ChangeTask<R> {
    fn drop(&mut self) {
        if !self.task.is_finished() && self.db.progress().give_up() {
            self.task.abort();
        }
    }
}
