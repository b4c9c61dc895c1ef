//! Transactions that several handles share.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use tokio::sync::{Mutex, MutexGuard};

use super::{
    Db, Fault,
    connection::Connection,
    sqlite::{self, PooledConnection},
    writers::Turn,
};
use crate::error::{Error, Result};

/// A transaction. What runs through [`Transaction::db`] is part of it; dropped without
/// [`Transaction::commit`] it is rolled back.
#[must_use = "a transaction that is not committed is rolled back"]
pub struct Transaction {
    db: Db,
    shared: Arc<Shared>,
    /// It is part of another one, which commits.
    joined: bool,
    finished: bool,
}

/// The open transaction behind its handles.
pub(super) struct Shared {
    open: Mutex<Option<Open>>,
    /// A part of it failed: it must not be committed.
    doomed: AtomicBool,
}

/// The connection of a transaction, and its turn to write. Dropped, it is rolled back.
pub(super) struct Open {
    pub connection: PooledConnection,
    _turn: Turn,
}

impl Transaction {
    pub(super) fn begun(db: Db, shared: Arc<Shared>) -> Self {
        Self {
            db,
            shared,
            joined: false,
            finished: false,
        }
    }

    pub(super) fn joined(db: Db, shared: Arc<Shared>) -> Self {
        Self {
            db,
            shared,
            joined: true,
            finished: false,
        }
    }

    /// The handle whose statements are part of this transaction.
    #[must_use]
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// Lets rows name rows that come later: foreign keys are checked when it is committed.
    ///
    /// For programs that end with it: a statement that SQLite prepared meanwhile does not undo its
    /// row when a later transaction on the same connection refuses it.
    ///
    /// # Errors
    /// What the database answers.
    pub async fn defer_foreign_keys(&self) -> Result<()> {
        let sql = "PRAGMA defer_foreign_keys = ON";
        self.db.execute(sql, []).await.map(drop)
    }

    /// Makes it last. A transaction that joined another leaves that to the other.
    ///
    /// # Errors
    /// 500 where a part of it was given up, 503 where the request was; what the database answers
    /// otherwise.
    pub async fn commit(mut self) -> Result<()> {
        self.finished = true;
        if self.joined {
            return Ok(());
        }
        let open = self.shared.open.lock().await.take();
        if self.shared.doomed.load(Ordering::Acquire) {
            return Err(Error::internal("a part of the transaction was given up"));
        }
        let open = open.ok_or_else(|| Error::internal(OVER))?;
        self.db.progress().begin_commit()?;
        let outcome = sqlite::commit(open.connection).await;
        if outcome.is_err() {
            self.db.progress().commit_failed();
        }
        Ok(outcome?)
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if self.finished {
            return;
        }
        self.shared.doomed.store(true, Ordering::Release);
        if !self.joined {
            // Handles of it may live on; the rollback does not wait for them.
            if let Ok(mut open) = self.shared.open.try_lock() {
                drop(open.take());
            }
        }
    }
}

/// Said to who keeps a handle of a transaction longer than the transaction.
const OVER: &str = "this transaction is over";

impl Shared {
    pub fn new(connection: PooledConnection, turn: Turn) -> Self {
        let _turn = turn;
        Self {
            open: Mutex::new(Some(Open { connection, _turn })),
            doomed: AtomicBool::new(false),
        }
    }

    /// Its connection, for one statement.
    ///
    /// # Errors
    /// 500 where the transaction is over.
    pub(super) async fn connection(&self) -> Result<Connection<'_>, Fault> {
        let open = self.open.lock().await;
        let open = MutexGuard::try_map(open, Option::as_mut);
        open.map(Connection::Transaction)
            .map_err(|_| Error::internal(OVER).into())
    }
}
