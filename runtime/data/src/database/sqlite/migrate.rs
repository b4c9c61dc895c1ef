//! Applying one migration.

use sqlx::{AssertSqlSafe, Row as _, SqliteConnection};

use super::{
    fault::fault,
    pool::{ConnectionPool, PooledConnection},
    statement::command,
};
use crate::database::{
    fault::Fault,
    step::{Change, Step},
};

impl ConnectionPool {
    /// Applies a migration and records it; returns false where another runner had.
    ///
    /// SQLite changes tables by building new ones: dropping the old one with foreign keys in force
    /// would delete what depends on it. They cannot be switched inside a transaction.
    pub async fn apply(&self, step: &Step) -> Result<bool, Fault> {
        // It is never marked as done: so the pool checks that foreign keys are on before it is
        // reused.
        let mut connection = self.get().await?;
        command(&mut connection, "PRAGMA foreign_keys = OFF").await?;
        // The write lock is taken at once: one runner at a time.
        command(&mut connection, "BEGIN IMMEDIATE").await?;
        let applied = changed(&mut connection, step).await;
        let end = match applied {
            Ok(true) => "COMMIT",
            _ => "ROLLBACK",
        };
        let ended = command(&mut connection, end).await;
        command(&mut connection, "PRAGMA foreign_keys = ON").await?;
        // Of two errors the first says why: SQLite may have rolled back by itself.
        let applied = applied?;
        ended.map(|()| applied)
    }
}

/// Changes the tables and records it, unless another runner has.
async fn changed(connection: &mut PooledConnection, step: &Step) -> Result<bool, Fault> {
    let found = connection.first(step.find(), step.id()).await?;
    if step.is_done(found.is_some()) {
        return Ok(false);
    }
    let sql = step.text();
    for change in step.changes(&sql) {
        let done = make(connection, change).await;
        done.map_err(|error| step.failed(&error))?;
    }
    check_foreign_keys(connection, step).await?;
    let (sql, values) = step.closing();
    connection.execute(sql, values).await?;
    Ok(true)
}

async fn make(connection: &mut SqliteConnection, change: Change<'_>) -> sqlx::Result<()> {
    match change {
        Change::Sql(sql) => {
            let sql = AssertSqlSafe(sql.to_owned());
            sqlx::raw_sql(sql).execute(connection).await.map(drop)
        }
        Change::Rename { from, to } => rename(connection, from, to).await,
    }
}

/// Another name for a table, and for its indexes, which are named after it.
async fn rename(connection: &mut SqliteConnection, from: &str, to: &str) -> sqlx::Result<()> {
    let sql = format!("ALTER TABLE \"{from}\" RENAME TO \"{to}\"");
    sqlx::raw_sql(AssertSqlSafe(sql))
        .execute(&mut *connection)
        .await?;
    let find = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL";
    let rows = sqlx::query(find)
        .bind(to)
        .fetch_all(&mut *connection)
        .await?;
    for row in rows {
        let (name, sql): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        let Some(rest) = name.strip_prefix(&format!("{from}_")) else {
            continue;
        };
        let (old, new) = (format!("\"{name}\""), format!("\"{to}_{rest}\""));
        let sql = format!("DROP INDEX {old}; {}", sql.replacen(&old, &new, 1));
        sqlx::raw_sql(AssertSqlSafe(sql))
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

async fn check_foreign_keys(connection: &mut SqliteConnection, step: &Step) -> Result<(), Fault> {
    let broken = sqlx::query("SELECT \"table\", parent FROM pragma_foreign_key_check LIMIT 1")
        .fetch_optional(connection)
        .await
        .map_err(fault)?;
    let Some(row) = broken else { return Ok(()) };
    let name = |index: usize| row.try_get::<String, _>(index).unwrap_or_default();
    let message = format!(
        "it leaves rows of `{}` that refer to missing rows of `{}`",
        name(0),
        name(1)
    );
    Err(step.failed(&message).into())
}
