//! Tasks beside the requests: supervised, and stopped with the service.

use std::{
    any::Any,
    future::Future,
    panic::AssertUnwindSafe,
    sync::Arc,
    time::{Duration, Instant},
};

use formwork_data::error::Result;
use futures_util::FutureExt;
use tokio::time::sleep;

use super::ServiceState;
use crate::context::Context;

/// The pause before a failed task starts again; each further failure doubles it.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

impl ServiceState {
    /// Runs a task beside the requests until it returns `Ok`, or the service stops. An error or a
    /// panic is logged, and the task starts again after a pause of 1 s, which doubles with each
    /// further failure, up to 60 s.
    ///
    /// Call it in [`Extension::start`](crate::extension::Extension::start). The context is an
    /// administrator's. When the service stops, the task is dropped where it waits: changes belong
    /// into a transaction.
    pub fn spawn<T, F>(self: &Arc<Self>, name: &'static str, task: T)
    where
        T: Fn(Context) -> F + Send + Sync + 'static,
        F: Future<Output = Result<()>> + Send + 'static,
    {
        let app = Arc::clone(self);
        self.work.spawn(async move {
            let stopping = app.stopping.clone();
            tokio::select! {
                () = stopping.cancelled() => tracing::debug!(task = name, "a task was stopped"),
                () = supervise(&app, name, task) => {}
            }
        });
    }
}

async fn supervise<T, F>(app: &Arc<ServiceState>, name: &'static str, task: T)
where
    T: Fn(Context) -> F,
    F: Future<Output = Result<()>>,
{
    let mut pause = FIRST_PAUSE;
    loop {
        let begun = Instant::now();
        // The call is part of the task: a panic before its first await counts too.
        let running = async { task(app.context()).await };
        let why = match AssertUnwindSafe(running).catch_unwind().await {
            Ok(Ok(())) => {
                tracing::info!(task = name, "a task is done");
                return;
            }
            Ok(Err(error)) => error.to_string(),
            Err(panic) => format!("panicked: {}", panic_message(&*panic)),
        };
        if begun.elapsed() > LONGEST_PAUSE {
            pause = FIRST_PAUSE;
        }
        let pause_s = pause.as_secs();
        tracing::error!(task = name, error = %why, pause_s, "a task failed, and starts again");
        sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// The message of a panic.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("without a message")
}
