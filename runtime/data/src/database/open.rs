//! The open transaction behind its handles.

use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::{MappedMutexGuard, Mutex, MutexGuard};

use super::{driver::DriverConnection, fault::Fault, writers::Turn};
use crate::error::Error;

/// The error of a handle that is used after its transaction has ended.
const OVER: &str = "this transaction has ended";

/// What the handles of a transaction share.
pub(super) struct Shared {
    open: Mutex<Option<Open>>,
    /// A part of it failed: it must not be committed.
    doomed: AtomicBool,
}

/// The connection of a transaction, and its turn to write. Dropped, it is rolled back.
pub(super) struct Open {
    pub connection: DriverConnection,
    _turn: Turn,
}

impl Shared {
    pub fn new(connection: DriverConnection, turn: Turn) -> Self {
        let _turn = turn;
        Self {
            open: Mutex::new(Some(Open { connection, _turn })),
            doomed: AtomicBool::new(false),
        }
    }

    /// The transaction, for one statement.
    ///
    /// # Errors
    /// 500 where the transaction is over.
    pub async fn lock(&self) -> Result<MappedMutexGuard<'_, Open>, Fault> {
        let open = self.open.lock().await;
        let open = MutexGuard::try_map(open, Option::as_mut);
        open.map_err(|_| Error::internal(OVER).into())
    }

    /// Ends it for its handles; returns it to be committed.
    ///
    /// # Errors
    /// 500 where a part of it was cancelled, or it has ended.
    pub async fn take(&self) -> Result<Open, Error> {
        let open = self.open.lock().await.take();
        if self.doomed.load(Ordering::Acquire) {
            return Err(Error::internal("a part of the transaction was cancelled"));
        }
        open.ok_or_else(|| Error::internal(OVER))
    }

    /// It must not be committed.
    pub fn doom(&self) {
        self.doomed.store(true, Ordering::Release);
    }

    /// Rolls it back. Handles of it may live on; the rollback does not wait for them.
    pub fn roll_back(&self) {
        if let Ok(mut open) = self.open.try_lock() {
            drop(open.take());
        }
    }
}
