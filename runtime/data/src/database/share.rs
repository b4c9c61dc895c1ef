//! A caller's share of the pool: one caller cannot occupy all connections.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use super::{fault::Fault, progress::Progress};

/// The connections that one caller may have at once.
#[derive(Debug)]
pub struct Share {
    permits: Arc<Semaphore>,
    patience: Duration,
}

/// How long a connection is held.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    /// For one statement.
    Statement,
    /// For several statements, or until the caller has read all rows.
    Longer,
}

/// A part of a caller's share, until it is dropped.
pub(super) struct Permit {
    _permit: Option<OwnedSemaphorePermit>,
    holder: Option<Arc<Progress>>,
}

impl Share {
    /// Returns a share of so many connections, for which statements wait no longer than this.
    pub(super) fn new(connections: usize, patience: Duration) -> Self {
        Self {
            permits: Arc::new(Semaphore::new(connections)),
            patience,
        }
    }

    async fn take(&self) -> Result<OwnedSemaphorePermit, Fault> {
        // A free one is taken without a timer.
        if let Some(permit) = self.take_free() {
            return Ok(permit);
        }
        let permit = Arc::clone(&self.permits).acquire_owned();
        match timeout(self.patience, permit).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(Fault::BUSY),
        }
    }

    fn take_free(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.permits).try_acquire_owned().ok()
    }
}

impl Permit {
    /// Waits for a part of the share.
    ///
    /// # Errors
    /// Busy if the caller's other statements do not end in time.
    pub(super) async fn take(
        share: Option<&Share>,
        progress: &Arc<Progress>,
        hold: Hold,
    ) -> Result<Self, Fault> {
        let permit = match needed(share, progress) {
            Some(share) => Some(share.take().await?),
            None => None,
        };
        Ok(Self::held(permit, progress, hold))
    }

    /// Takes a part of the share, if one is free: the only writer of a database does not wait,
    /// because all other writers wait for it.
    pub(super) fn take_free(share: Option<&Share>, progress: &Arc<Progress>, hold: Hold) -> Self {
        let permit = needed(share, progress).and_then(Share::take_free);
        Self::held(permit, progress, hold)
    }

    fn held(permit: Option<OwnedSemaphorePermit>, progress: &Arc<Progress>, hold: Hold) -> Self {
        let holder = (hold == Hold::Longer).then(|| Arc::clone(progress));
        if let Some(progress) = &holder {
            progress.hold_connection();
        }
        Self {
            _permit: permit,
            holder,
        }
    }
}

/// The share, unless the request holds a connection already: it would wait for itself.
fn needed<'s>(share: Option<&'s Share>, progress: &Progress) -> Option<&'s Share> {
    share.filter(|_| !progress.holds_connection())
}

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(progress) = &self.holder {
            progress.release_connection();
        }
    }
}
