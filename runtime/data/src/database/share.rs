//! Permits of statements: a caller's share of the pool, so that one caller can neither occupy all
//! connections nor keep all writers waiting, and the permit to write. Writers that waited inside of the
//! pool would hold connections that readers need.

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
    writes: Arc<Semaphore>,
    patience: Duration,
}

/// Writes of one caller that are under way at once. The database writes in the order in which it is
/// asked, so the writes of other callers wait for no more than these.
const WRITES: usize = 4;

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
            writes: Arc::new(Semaphore::new(WRITES)),
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

/// Waits until fewer writes of the caller are under way. The request's time limit bounds the wait.
pub(super) async fn take_write(
    share: Option<&Share>,
    progress: &Progress,
) -> Option<OwnedSemaphorePermit> {
    let writes = Arc::clone(&needed(share, progress)?.writes);
    writes.acquire_owned().await.ok()
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

/// The queue of writers.
#[derive(Clone)]
pub(super) struct Writers {
    /// None where any number may write.
    places: Option<Arc<Semaphore>>,
    patience: Duration,
}

/// The right to write, until it is dropped.
pub(super) struct Turn {
    /// None where any number may write.
    #[expect(dead_code, reason = "it is given back when it is dropped")]
    pub place: Option<OwnedSemaphorePermit>,
    /// A part of the caller's share.
    #[expect(dead_code, reason = "it is given back when it is dropped")]
    pub permit: Permit,
    /// One of the writes that the caller may have under way.
    #[expect(dead_code, reason = "it is given back when it is dropped")]
    pub write: Option<OwnedSemaphorePermit>,
}

impl Writers {
    /// A queue in which a writer waits no longer than this, where one writes at a time.
    pub fn new(one_at_a_time: bool, patience: Duration) -> Self {
        let places = one_at_a_time.then(|| Arc::new(Semaphore::new(1)));
        Self { places, patience }
    }

    /// How long a writer waits.
    pub const fn patience(&self) -> Duration {
        self.patience
    }

    /// Waits for the place of a writer.
    ///
    /// # Errors
    /// Busy where the writers before do not finish in time.
    pub async fn place(&self) -> Result<Option<OwnedSemaphorePermit>, Fault> {
        let Some(places) = &self.places else {
            return Ok(None);
        };
        let turn = Arc::clone(places).acquire_owned();
        match timeout(self.patience, turn).await {
            Ok(Ok(turn)) => Ok(Some(turn)),
            Ok(Err(_)) | Err(_) => Err(Fault::BUSY),
        }
    }
}
