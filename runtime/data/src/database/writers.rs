//! Writers take turns before they take a connection.
//!
//! Some databases let one write at a time. Writers that waited inside of the pool would hold
//! connections that readers need, although readers could run.

use std::{sync::Arc, time::Duration};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{fault::Fault, share::Permit};

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
        match tokio::time::timeout(self.patience, turn).await {
            Ok(Ok(turn)) => Ok(Some(turn)),
            Ok(Err(_)) | Err(_) => Err(Fault::BUSY),
        }
    }
}
