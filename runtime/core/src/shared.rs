//! Counts that replicas share. Without such an extension, and while its store does not answer, each
//! replica counts its own requests.

use std::sync::Arc;

use futures_util::future::BoxFuture;

/// Seconds of a window, which begins with the first counted event.
pub const WINDOW: u64 = 60;

/// The count of a window, the latest included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// How often the event was counted since the window began.
    pub count: u64,
    /// Seconds until it ends.
    pub left: u64,
}

/// A store in which replicas count together: rate limits and failed logins.
pub trait SharedCounts: Send + Sync {
    /// Counts one more; `None` where the store does not answer.
    fn count(&self, name: String) -> BoxFuture<'_, Option<Window>>;

    /// Forgets what was counted.
    fn forget(&self, name: String) -> BoxFuture<'_, ()>;
}

/// The counts that replicas share, if they share any; cheap to clone. An extension keeps it among
/// the parts of the service (`Extension::prepare`).
#[derive(Clone, Default)]
pub struct Shared(Option<Arc<dyn SharedCounts>>);

impl Shared {
    /// Counts in this store.
    pub fn of(store: impl SharedCounts + 'static) -> Self {
        Self(Some(Arc::new(store)))
    }

    /// Counts one more; `None` without a store, or where it does not answer.
    pub(crate) async fn count(&self, name: impl FnOnce() -> String) -> Option<Window> {
        self.0.as_ref()?.count(name()).await
    }

    /// Forgets what was counted.
    pub(crate) async fn forget(&self, name: impl FnOnce() -> String) {
        if let Some(store) = &self.0 {
            store.forget(name()).await;
        }
    }
}
