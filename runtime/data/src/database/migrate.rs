//! Applying migrations.

use super::{handle::Db, row::Row, share::Hold, step::Step};
use crate::{
    error::{Error, Result},
    value::Value,
};

/// Makes a table where there is none. Several runners may start at once.
pub(crate) async fn create_table(db: &Db, sql: &'static str) -> Result<()> {
    db.any_pool().set_collation().await?;
    let transaction = db.begin().await?;
    if let Some(lock) = db.dialect().lock_tables() {
        transaction.db().fetch(lock.into(), Vec::new()).await?;
    }
    if let Some(quiet) = db.dialect().without_notices() {
        transaction.db().execute(quiet, []).await?;
    }
    transaction.db().execute(sql, []).await?;
    transaction.commit().await
}

/// Makes other runners of migrations wait until the transaction of this handle ends.
pub(super) async fn lock(db: &Db) -> Result<()> {
    let Some(lock) = db.dialect().lock_migrations() else {
        return Ok(());
    };
    let mut connection = db.acquire_to_write(Hold::Statement).await?;
    // MariaDB's lock ends with the connection.
    connection.set_lent();
    let lock = db.own_tables().in_sql(lock.into());
    let rows = connection.fetch(lock, Vec::new()).await?;
    let row = rows.first().map(Row::values).transpose()?;
    match row.as_deref() {
        None | Some([Value::Int(1)]) => Ok(()),
        Some(_) => Err(Error::internal(
            "another program has the lock of migrations",
        )),
    }
}

/// The SQL that is left of a migration, to read.
pub(crate) fn left(db: &Db, step: &Step) -> String {
    db.any_pool().left(step)
}

/// Applies or undoes a migration in a transaction of its own, and records that; returns false where
/// another runner had.
///
/// # Errors
/// The database's error on the SQL, or on foreign keys that lead nowhere afterwards.
pub(crate) async fn apply(db: &Db, step: Step) -> Result<bool> {
    let Some(pool) = db.pool().cloned() else {
        let message = "migrations do not run inside a transaction";
        return Err(Error::internal(message));
    };
    // A task of its own, so that it finishes.
    let task = tokio::spawn(async move { pool.apply(&step).await });
    Ok(task.await.map_err(Error::internal)??)
}
