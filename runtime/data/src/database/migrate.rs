//! Applying migrations.

use super::{handle::Db, step::Step};
use crate::error::{Error, Result};

/// Makes a table where there is none. Several runners may start at once.
pub(crate) async fn create_table(db: &Db, sql: &'static str) -> Result<()> {
    db.any_pool().set_collation().await?;
    let transaction = db.begin().await?;
    if let Some(lock) = db.dialect().lock_tables() {
        transaction.db().fetch(lock.into(), Vec::new()).await?;
    }
    transaction.db().execute(sql, []).await?;
    transaction.commit().await
}

/// Applies or undoes a migration in a transaction of its own, and records that; returns false where
/// another runner had.
///
/// # Errors
/// What the database says about the SQL, or about foreign keys that lead nowhere afterwards.
pub(crate) async fn apply(db: &Db, step: Step) -> Result<bool> {
    let Some(pool) = db.pool().cloned() else {
        let message = "migrations do not run inside a transaction";
        return Err(Error::internal(message));
    };
    // A task of its own, so that it finishes.
    let task = tokio::spawn(async move { pool.apply(&step).await });
    Ok(task.await.map_err(Error::internal)??)
}
