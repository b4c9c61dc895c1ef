//! Transactions that several handles share.

use std::{future::Future, sync::Arc};

use super::{
    handle::Db,
    open::{Open, Savepoint, Shared},
    share::Hold,
};
use crate::error::Result;

/// A transaction, or a savepoint of one. Statements through [`Transaction::db`] are part of it;
/// dropped without [`Transaction::commit`] it is rolled back.
#[must_use = "a transaction that is not committed is rolled back"]
pub struct Transaction {
    db: Db,
    shared: Arc<Shared>,
    extent: Extent,
    finished: bool,
}

/// The part of the work that ends with a [`Transaction`].
#[derive(Clone, Copy)]
enum Extent {
    /// The transaction.
    Whole,
    /// It is part of another one, which commits.
    Joined,
    /// The work since a savepoint of another one.
    Savepoint(Savepoint),
}

impl Db {
    /// Begins a transaction that may write. In a transaction it joins that one: dropped without
    /// [`Transaction::commit`], the other can no longer be committed. For a part that may fail
    /// alone, see [`Db::savepoint`].
    ///
    /// # Errors
    /// 503 when no connection is free in time, or another writer does not finish.
    pub async fn begin(&self) -> Result<Transaction> {
        match self.shared() {
            Some(shared) => Ok(self.part(shared, Extent::Joined)),
            None => {
                let (connection, turn) = self.open().await?;
                let shared = Arc::new(Shared::new(connection, turn));
                let db = self.within(Arc::clone(&shared));
                Ok(db.part(&shared, Extent::Whole))
            }
        }
    }

    /// Begins a part of the transaction that can be rolled back alone, also after a statement that
    /// failed: dropped without [`Transaction::commit`], its statements are undone, and the rest of
    /// the transaction goes on. Outside of a transaction it begins one, as [`Db::begin`].
    ///
    /// Savepoints nest: the one that was set last ends first. Setting and keeping one are a
    /// statement each.
    ///
    /// # Errors
    /// As [`Db::begin`]; 500 where the transaction has ended.
    pub async fn savepoint(&self) -> Result<Transaction> {
        let Some(shared) = self.shared() else {
            return self.begin().await;
        };
        let savepoint = shared.savepoint();
        let sql = format!("SAVEPOINT formwork_{}", savepoint.number);
        self.execute(sql, []).await?;
        Ok(self.part(shared, Extent::Savepoint(savepoint)))
    }

    /// Whether it is a handle of a transaction.
    pub fn is_in_transaction(&self) -> bool {
        self.shared().is_some()
    }

    fn part(&self, shared: &Arc<Shared>, extent: Extent) -> Transaction {
        Transaction {
            db: self.clone(),
            shared: Arc::clone(shared),
            extent,
            finished: false,
        }
    }
}

impl Transaction {
    /// The handle whose statements are part of this transaction.
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// Whether it is a part of another transaction, which has to be committed too.
    pub fn is_nested(&self) -> bool {
        !matches!(self.extent, Extent::Whole)
    }

    /// Does this after the outermost commit, and never after a rollback of this part of the
    /// transaction. Several are done in the order of their calls, before
    /// [`Transaction::commit`] of the outermost transaction returns.
    pub fn after_commit(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.shared.after_commit(Box::pin(work));
    }

    /// Lets rows refer to rows that are inserted later: foreign keys are checked when it is
    /// committed.
    ///
    /// For programs that end with it: a statement that SQLite prepared meanwhile does not undo its
    /// row when a later transaction on the same connection refuses it. PostgreSQL defers keys that
    /// were declared `DEFERRABLE`. MariaDB and MySQL check none until then, and do not delete what
    /// depends on a deleted row.
    ///
    /// # Errors
    /// The database's error.
    pub async fn defer_foreign_keys(&self) -> Result<()> {
        let mut connection = self.db.acquire_to_write(Hold::Statement).await?;
        Ok(connection.defer_foreign_keys().await?)
    }

    /// Commits it, then runs the work of [`Transaction::after_commit`]. A part of another transaction
    /// is committed with that transaction.
    ///
    /// # Errors
    /// 500 where a part of it was cancelled; what the database answers otherwise.
    pub async fn commit(mut self) -> Result<()> {
        match self.extent {
            Extent::Joined => {
                self.finished = true;
                Ok(())
            }
            Extent::Savepoint(savepoint) => self.keep(savepoint).await,
            Extent::Whole => {
                let open = self.shared.take().await?;
                self.finished = true;
                self.commit_open(open).await?;
                for work in self.shared.take_work() {
                    work.await;
                }
                Ok(())
            }
        }
    }

    /// A savepoint that cannot be kept is rolled back when `self` is dropped.
    async fn keep(mut self, savepoint: Savepoint) -> Result<()> {
        self.shared.check_since(savepoint)?;
        let sql = format!("RELEASE SAVEPOINT formwork_{}", savepoint.number);
        self.db.execute(sql, []).await?;
        self.finished = true;
        Ok(())
    }

    /// The turn to write ends with it: what follows may write too.
    async fn commit_open(&self, Open { connection, turn }: Open) -> Result<()> {
        let _turn = turn;
        self.db.progress().begin_commit();
        let outcome = connection.commit().await;
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
        match self.extent {
            Extent::Joined => self.shared.doom(),
            Extent::Savepoint(savepoint) => self.shared.give_up(savepoint),
            Extent::Whole => {
                self.shared.doom();
                self.shared.roll_back();
            }
        }
    }
}
