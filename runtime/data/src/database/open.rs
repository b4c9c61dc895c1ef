//! The open transaction behind its handles.

use std::{
    ops::{Deref, DerefMut},
    sync::{Mutex as SyncMutex, MutexGuard as SyncGuard, PoisonError},
};

use futures_core::future::BoxFuture;
use tokio::sync::{MappedMutexGuard, Mutex, MutexGuard};

use super::{
    driver::DriverConnection,
    fault::Fault,
    progress::Progress,
    share::{Permit, Turn},
};
use crate::error::Error;

/// The error of a handle that is used after its transaction has ended.
const OVER: &str = "this transaction has ended";

/// The state that the handles of a transaction share.
pub(super) struct Shared {
    open: Mutex<Option<Open>>,
    state: SyncMutex<TransactionState>,
}

/// The connection of a transaction, and its turn to write. Dropped, it is rolled back.
pub(super) struct Open {
    pub connection: DriverConnection,
    pub turn: Turn,
}

#[derive(Default)]
struct TransactionState {
    /// A part of it failed: it must not be committed.
    doomed: bool,
    /// A savepoint is being rolled back; a cancelled rollback leaves changes that were given up.
    rolling_back: bool,
    /// A guard of its connection lives longer than a statement: rows are streamed, or the
    /// connection is lent. Another statement would wait for it, perhaps in the same task.
    occupied: bool,
    after_commit: Vec<BoxFuture<'static, ()>>,
    /// How many savepoints there were, for their names.
    savepoints: u32,
    /// The outermost savepoint that was given up and is not rolled back yet.
    given_up: Option<u32>,
}

/// The state of a transaction where a savepoint was set.
#[derive(Clone, Copy)]
pub(super) struct Savepoint {
    pub number: u32,
    doomed: bool,
    after_commit: usize,
}

impl Shared {
    pub fn new(connection: DriverConnection, turn: Turn) -> Self {
        Self {
            open: Mutex::new(Some(Open { connection, turn })),
            state: SyncMutex::default(),
        }
    }

    fn state(&self) -> SyncGuard<'_, TransactionState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The transaction, for one statement. Savepoints that were given up are rolled back first.
    ///
    /// # Errors
    /// 500 where the transaction is over, or its connection is occupied by a stream of rows.
    pub async fn lock(&self) -> Result<MappedMutexGuard<'_, Open>, Fault> {
        let open = match self.open.try_lock() {
            Ok(open) => open,
            Err(_) if self.state().occupied => return Err(occupied()),
            Err(_) => self.open.lock().await,
        };
        let open = MutexGuard::try_map(open, Option::as_mut);
        let mut open = open.map_err(|_| Error::internal(OVER))?;
        self.settle(&mut open.connection).await?;
        Ok(open)
    }

    /// Ends it for its handles; returns it to be committed.
    ///
    /// # Errors
    /// 500 where a part of it was cancelled, it has ended, or rows of it are still being read.
    pub async fn take(&self) -> Result<Open, Fault> {
        drop(self.lock().await?);
        let open = self.open.lock().await.take();
        let state = self.state();
        if state.doomed || state.rolling_back {
            return Err(cancelled());
        }
        drop(state);
        open.ok_or_else(|| Error::internal(OVER).into())
    }

    /// Rolls back to the savepoint that was given up.
    async fn settle(&self, connection: &mut DriverConnection) -> Result<(), Fault> {
        let Some(number) = self.state().given_up.take() else {
            return Ok(());
        };
        self.state().rolling_back = true;
        for command in ["ROLLBACK TO", "RELEASE"] {
            let sql = format!("{command} SAVEPOINT formwork_{number}");
            connection.execute(sql.into(), Vec::new()).await?;
        }
        self.state().rolling_back = false;
        Ok(())
    }

    /// It must not be committed.
    pub fn doom(&self) {
        self.state().doomed = true;
    }

    /// Does this after the outermost commit.
    pub fn after_commit(&self, work: BoxFuture<'static, ()>) {
        self.state().after_commit.push(work);
    }

    /// Takes the work that runs after the commit, in the order in which it was added.
    pub fn take_work(&self) -> Vec<BoxFuture<'static, ()>> {
        std::mem::take(&mut self.state().after_commit)
    }

    /// The state before a savepoint that is about to be set.
    pub fn savepoint(&self) -> Savepoint {
        let mut state = self.state();
        state.savepoints += 1;
        Savepoint {
            number: state.savepoints,
            doomed: state.doomed,
            after_commit: state.after_commit.len(),
        }
    }

    /// Whether a part of the work since a savepoint was cancelled.
    ///
    /// # Errors
    /// 500 where it was: it cannot be kept.
    pub fn check_since(&self, savepoint: Savepoint) -> Result<(), Fault> {
        let doomed = self.state().doomed && !savepoint.doomed;
        if doomed { Err(cancelled()) } else { Ok(()) }
    }

    /// Gives up the work since a savepoint: it is rolled back before the next statement.
    pub fn give_up(&self, savepoint: Savepoint) {
        let mut state = self.state();
        state.doomed = savepoint.doomed;
        state.after_commit.truncate(savepoint.after_commit);
        let outermost = state.given_up.unwrap_or(savepoint.number);
        state.given_up = Some(outermost.min(savepoint.number));
    }

    /// Says that a guard of its connection lives longer than a statement. The result is dropped
    /// before the guard.
    pub fn occupy(&self) -> Occupied<'_> {
        self.state().occupied = true;
        Occupied(self)
    }

    /// Rolls it back. Handles of it may live on; the rollback does not wait for them.
    pub fn roll_back(&self) {
        if let Ok(mut open) = self.open.try_lock() {
            drop(open.take());
        }
    }
}

/// While it lives, other statements of a transaction are refused.
pub(super) struct Occupied<'s>(&'s Shared);

impl Drop for Occupied<'_> {
    fn drop(&mut self) {
        self.0.state().occupied = false;
    }
}

fn cancelled() -> Fault {
    Error::internal("a part of the transaction was cancelled").into()
}

fn occupied() -> Fault {
    Error::internal(
        "this transaction's connection is in use: drop the stream of rows or the borrowed connection \
         before the next statement",
    )
    .into()
}

/// The connection of one statement.
pub(super) enum Connection<'d> {
    /// One of the pool, and a part of the caller's share.
    Reading(DriverConnection, Permit),
    /// One of the pool, and the right to write.
    Writing(DriverConnection, Turn, &'d Progress),
    /// That of the open transaction.
    Transaction(MappedMutexGuard<'d, Open>),
}

impl Connection<'_> {
    /// Returns it to the pool: the statement ended well.
    pub fn done(self) {
        match self {
            Self::Reading(connection, _permit) => connection.done(),
            Self::Writing(connection, _turn, progress) => {
                connection.done();
                // Outside of a transaction each statement commits by itself.
                progress.begin_commit();
            }
            Self::Transaction(_) => {}
        }
    }
}

impl Deref for Connection<'_> {
    type Target = DriverConnection;

    fn deref(&self) -> &DriverConnection {
        match self {
            Self::Reading(connection, _) | Self::Writing(connection, ..) => connection,
            Self::Transaction(open) => &open.connection,
        }
    }
}

impl DerefMut for Connection<'_> {
    fn deref_mut(&mut self) -> &mut DriverConnection {
        match self {
            Self::Reading(connection, _) | Self::Writing(connection, ..) => connection,
            Self::Transaction(open) => &mut open.connection,
        }
    }
}
