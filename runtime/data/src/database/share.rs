//! A caller's share of the pool: one caller cannot occupy all connections.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use super::{fault::Fault, handle::Db, progress::Progress};

/// The connections that one caller may have at once: half of the pool's.
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

impl Db {
    /// Returns the share of a new caller.
    pub fn new_share(&self) -> Share {
        let (_, _, most) = self.any_pool().sizes();
        Share {
            permits: Arc::new(Semaphore::new((most / 2).max(1))),
            patience: self.patience(),
        }
    }

    /// Waits for a part of the caller's share. A request that holds a connection already needs none
    /// for its next statement: it would wait for itself.
    ///
    /// # Errors
    /// Busy if the caller's other statements do not end in time.
    pub(super) async fn permit(&self, hold: Hold) -> Result<Permit, Fault> {
        let Some(share) = self.needed_share() else {
            return Ok(self.hold(hold, None));
        };
        // A free one is taken without a timer.
        if let Ok(permit) = Arc::clone(&share.permits).try_acquire_owned() {
            return Ok(self.hold(hold, Some(permit)));
        }
        let permit = Arc::clone(&share.permits).acquire_owned();
        match timeout(share.patience, permit).await {
            Ok(Ok(permit)) => Ok(self.hold(hold, Some(permit))),
            _ => Err(Fault::BUSY),
        }
    }

    /// Takes a part of the caller's share, if one is free: the only writer of a database does not
    /// wait, because all other writers wait for it.
    pub(super) fn free_permit(&self, hold: Hold) -> Permit {
        let share = self.needed_share();
        let permit = share.and_then(|share| Arc::clone(&share.permits).try_acquire_owned().ok());
        self.hold(hold, permit)
    }

    fn needed_share(&self) -> Option<&Share> {
        self.share().filter(|_| !self.progress().holds_connection())
    }

    fn hold(&self, hold: Hold, permit: Option<OwnedSemaphorePermit>) -> Permit {
        let holder = (hold == Hold::Longer).then(|| self.shared_progress());
        if let Some(progress) = &holder {
            progress.hold_connection();
        }
        Permit {
            _permit: permit,
            holder,
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(progress) = &self.holder {
            progress.release_connection();
        }
    }
}
