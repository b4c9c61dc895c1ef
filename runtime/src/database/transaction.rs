//! Transactions that several handles share.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use tokio::sync::Mutex;

use super::{Db, Done, Fault, Row, Sql, sqlite, writers::Turn};
use crate::{
    error::{Error, Result},
    value::Value,
};

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

enum Open {
    #[cfg(feature = "sqlite")]
    Sqlite(sqlite::Lent, Turn),
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
    pub(crate) async fn defer_foreign_keys(&self) -> Result<()> {
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
        let progress = self.db.progress();
        progress.committing()?;
        let outcome = match open {
            #[cfg(feature = "sqlite")]
            Some(Open::Sqlite(open, _turn)) => sqlite::commit(open).await,
            None => Err(Error::internal(OVER).into()),
        };
        progress.ended(outcome.is_ok());
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
    #[cfg(feature = "sqlite")]
    pub(super) fn sqlite(open: sqlite::Lent, turn: Turn) -> Self {
        Self {
            open: Mutex::new(Some(Open::Sqlite(open, turn))),
            doomed: AtomicBool::new(false),
        }
    }

    pub(super) async fn fetch(&self, sql: Sql, values: Vec<Value>) -> Result<Vec<Row>, Fault> {
        match self.open.lock().await.as_mut() {
            #[cfg(feature = "sqlite")]
            Some(Open::Sqlite(open, _)) => sqlite::fetch(open, sql, values).await,
            None => Err(Error::internal(OVER).into()),
        }
    }

    pub(super) async fn first(&self, sql: Sql, values: Vec<Value>) -> Result<Option<Row>, Fault> {
        match self.open.lock().await.as_mut() {
            #[cfg(feature = "sqlite")]
            Some(Open::Sqlite(open, _)) => sqlite::first(open, sql, values).await,
            None => Err(Error::internal(OVER).into()),
        }
    }

    pub(super) async fn perform(&self, sql: Sql, values: Vec<Value>) -> Result<Done, Fault> {
        match self.open.lock().await.as_mut() {
            #[cfg(feature = "sqlite")]
            Some(Open::Sqlite(open, _)) => sqlite::perform(open, sql, values).await,
            None => Err(Error::internal(OVER).into()),
        }
    }
}
