//! Work on two threads.

use std::panic;
use std::thread;

/// Runs two functions at the same time, the first on this thread.
///
/// # Panics
/// As the functions do.
pub fn join<A, B: Send>(here: impl FnOnce() -> A, there: impl FnOnce() -> B + Send) -> (A, B) {
    thread::scope(|scope| {
        let there = scope.spawn(there);
        let here = here();
        let there = there.join();
        (
            here,
            there.unwrap_or_else(|panic| panic::resume_unwind(panic)),
        )
    })
}
