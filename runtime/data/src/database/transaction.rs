//! Transactions that several handles share.

use std::sync::Arc;

use super::{handle::Db, open::Shared};
use crate::error::Result;

/// A transaction. Statements through [`Transaction::db`] are part of it; dropped without
/// [`Transaction::commit`] it is rolled back.
#[must_use = "a transaction that is not committed is rolled back"]
pub struct Transaction {
    db: Db,
    shared: Arc<Shared>,
    /// It is part of another one, which commits.
    joined: bool,
    finished: bool,
}

impl Db {
    /// Begins a transaction that may write. In a transaction it joins that one.
    ///
    /// # Errors
    /// 503 when no connection is free in time, or another writer does not finish.
    pub async fn begin(&self) -> Result<Transaction> {
        let (db, shared, joined) = match self.shared() {
            Some(shared) => (self.clone(), Arc::clone(shared), true),
            None => {
                let (connection, turn) = self.open().await?;
                let shared = Arc::new(Shared::new(connection, turn));
                (self.within(Arc::clone(&shared)), shared, false)
            }
        };
        Ok(Transaction {
            db,
            shared,
            joined,
            finished: false,
        })
    }
}

impl Transaction {
    /// The handle whose statements are part of this transaction.
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// Lets rows refer to rows that are inserted later: foreign keys are checked when it is
    /// committed.
    ///
    /// For programs that end with it: a statement that SQLite prepared meanwhile does not undo its
    /// row when a later transaction on the same connection refuses it. PostgreSQL defers keys that
    /// were declared `DEFERRABLE`.
    ///
    /// # Errors
    /// What the database answers.
    pub async fn defer_foreign_keys(&self) -> Result<()> {
        let sql = self.db.dialect().defer_foreign_keys();
        self.db.execute(sql, []).await.map(drop)
    }

    /// Commits it. A transaction that joined another is committed by the other.
    ///
    /// # Errors
    /// 500 where a part of it was cancelled, 503 where the request was; what the database answers
    /// otherwise.
    pub async fn commit(mut self) -> Result<()> {
        self.finished = true;
        if self.joined {
            return Ok(());
        }
        let open = self.shared.take().await?;
        self.db.progress().begin_commit()?;
        let outcome = open.connection.commit().await;
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
        self.shared.doom();
        if !self.joined {
            self.shared.roll_back();
        }
    }
}
