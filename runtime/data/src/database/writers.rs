//! Writers take turns before they take a connection.
//!
//! SQLite lets one write at a time. Those that waited for it inside of the pool would hold the
//! connections that readers need, though nothing hinders readers.

use std::{sync::Arc, time::Duration};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Fault;

/// The queue of those who write.
#[derive(Clone)]
pub(super) struct Writers {
    places: Arc<Semaphore>,
    patience: Duration,
}

/// The right to write, until it is dropped.
pub(super) type Turn = OwnedSemaphorePermit;

impl Writers {
    /// A queue in which nobody waits longer than this.
    pub fn new(patience: Duration) -> Self {
        Self {
            places: Arc::new(Semaphore::new(1)),
            patience,
        }
    }

    /// Waits for the turn.
    ///
    /// # Errors
    /// Busy where the writers before do not finish in time.
    pub async fn turn(&self) -> Result<Turn, Fault> {
        let turn = Arc::clone(&self.places).acquire_owned();
        match tokio::time::timeout(self.patience, turn).await {
            Ok(Ok(turn)) => Ok(turn),
            Ok(Err(_)) | Err(_) => Err(Fault::Busy("The database is busy; try again later.")),
        }
    }
}
