//! The service's clock.

use std::sync::Arc;

use formwork_data::value::DateTime;

/// Where the time comes from: the system, or a test's fixed clock.
pub type Clock = Arc<dyn Fn() -> DateTime + Send + Sync>;

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::*;

    /// A clock that shows the second that a test sets.
    #[derive(Default)]
    pub(crate) struct TestClock(Arc<AtomicI64>);

    impl TestClock {
        /// Sets the second since 1970.
        pub fn set(&self, second: i64) {
            self.0.store(second, Ordering::SeqCst);
        }

        /// Returns the clock for a service.
        pub fn clock(&self) -> Clock {
            let second = Arc::clone(&self.0);
            Arc::new(move || {
                let second = second.load(Ordering::SeqCst);
                DateTime::from_timestamp(second, 0).expect("a date-time")
            })
        }
    }
}
