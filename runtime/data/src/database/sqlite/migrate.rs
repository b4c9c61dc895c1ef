//! Applying one migration.

use sqlx::{AssertSqlSafe, Connection, Row as _, SqliteConnection};

use super::{fault::fault, pool::ConnectionPool};
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
        // It is never said to be done: the pool sees that foreign keys are on before it is used again.
        let mut connection = self.get().await?;
        run(&mut connection, "PRAGMA foreign_keys = OFF").await?;
        let applied = in_transaction(&mut connection, step).await;
        run(&mut connection, "PRAGMA foreign_keys = ON").await?;
        applied
    }
}

async fn in_transaction(connection: &mut SqliteConnection, step: &Step) -> Result<bool, Fault> {
    // The write lock is taken at once: one runner at a time.
    let mut transaction = connection
        .begin_with("BEGIN IMMEDIATE")
        .await
        .map_err(fault)?;
    if is_applied(&mut transaction, step).await.map_err(fault)? {
        return Ok(false);
    }
    for change in step.changes() {
        let done = make(&mut transaction, change).await;
        done.map_err(|error| step.failed(&error))?;
    }
    check_foreign_keys(&mut transaction, step).await?;
    sqlx::query(
        "INSERT INTO formwork_migrations (extension, version, name, applied_at)
         VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
    )
    .bind(step.extension)
    .bind(step.version)
    .bind(step.name)
    .execute(&mut *transaction)
    .await
    .map_err(fault)?;
    transaction.commit().await.map_err(fault)?;
    Ok(true)
}

async fn is_applied(connection: &mut SqliteConnection, step: &Step) -> sqlx::Result<bool> {
    let known = sqlx::query(
        "SELECT 1 FROM formwork_migrations WHERE extension = ? AND version = ? AND name = ?",
    )
    .bind(step.extension)
    .bind(step.version)
    .bind(step.name)
    .fetch_optional(connection);
    Ok(known.await?.is_some())
}

async fn make(connection: &mut SqliteConnection, change: Change) -> sqlx::Result<()> {
    match change {
        Change::Sql(sql) => sqlx::raw_sql(sql).execute(connection).await.map(drop),
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
        "it leaves rows of `{}` without their row of `{}`",
        name(0),
        name(1)
    );
    Err(step.failed(&message).into())
}

async fn run(connection: &mut SqliteConnection, sql: &'static str) -> Result<(), Fault> {
    sqlx::query(sql).execute(connection).await.map_err(fault)?;
    Ok(())
}
