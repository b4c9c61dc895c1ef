//! Tasks beside the requests: supervised, and stopped with the service.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use formwork::{
    extension::{Extension, ServiceState},
    prelude::*,
};

use super::start;

static RUNS: AtomicUsize = AtomicUsize::new(0);
static STOPPED: AtomicUsize = AtomicUsize::new(0);

struct Counts;

/// Counts when a task is dropped.
struct Dropped;

impl Drop for Dropped {
    fn drop(&mut self) {
        STOPPED.fetch_add(1, Ordering::SeqCst);
    }
}

impl Extension for Counts {
    fn name(&self) -> &'static str {
        "counts"
    }

    fn start<'a>(&'a self, app: &'a Arc<ServiceState>) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            app.spawn("counting", async |ctx: Context| {
                assert!(ctx.is_admin());
                if RUNS.fetch_add(1, Ordering::SeqCst) == 0 {
                    panic!("the first run fails");
                }
                let _dropped = Dropped;
                std::future::pending().await
            });
            Ok(())
        })
    }
}

#[test]
fn a_task_that_panics_starts_again_and_ends_with_the_service() {
    let service = start(formwork::service(vec![Box::new(Counts)]));
    let begun = Instant::now();
    while RUNS.load(Ordering::SeqCst) < 2 {
        let waited = begun.elapsed();
        assert!(waited < Duration::from_secs(10), "it did not start again");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(STOPPED.load(Ordering::SeqCst), 0);
    service.app().stop();
    service.block_on(service.app().finished());
    assert_eq!(STOPPED.load(Ordering::SeqCst), 1);
}
