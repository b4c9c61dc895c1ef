//! Applying one migration.

use sqlx::{AssertSqlSafe, Connection, Row as _, SqliteConnection};

use super::{Db, Fault, sqlite::ConnectionPool};
use crate::error::{Error, Result};

/// A migration to apply.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) version: i64,
    pub(crate) name: &'static str,
    pub(crate) extension: &'static str,
    pub(crate) sql: &'static str,
    /// Renames of tables that it does not know: they are taken back for its time.
    pub(crate) undone: Vec<Rename>,
    /// The table that it renames, where its SQL does not know every index of it.
    pub(crate) renamed: Option<Rename>,
}

/// The old name of a table and the new one.
type Rename = (&'static str, &'static str);

/// Applies a migration in a transaction of its own, and records it; returns whether nobody else
/// had.
///
/// # Errors
/// What the database says about the SQL, or about foreign keys that lead nowhere afterwards.
pub(crate) async fn apply(db: &Db, step: Step) -> Result<bool> {
    let Some(pool) = db.pool().cloned() else {
        let message = "migrations do not run inside a transaction";
        return Err(Error::internal(message));
    };
    // A task of its own: what was begun is brought to its end.
    let task = tokio::spawn(async move { sqlite(&pool, &step).await });
    Ok(task.await.map_err(Error::internal)??)
}

/// SQLite changes tables by building new ones: dropping the old one with foreign keys in force
/// would delete what depends on it. They cannot be switched inside a transaction.
async fn sqlite(pool: &ConnectionPool, step: &Step) -> Result<bool, Fault> {
    // It is never said to be done: the pool sees that foreign keys are on before it is used again.
    let mut connection = pool.get().await?;
    run(&mut connection, "PRAGMA foreign_keys = OFF").await?;
    let applied = in_transaction(&mut connection, step).await;
    run(&mut connection, "PRAGMA foreign_keys = ON").await?;
    applied
}

async fn in_transaction(connection: &mut SqliteConnection, step: &Step) -> Result<bool, Fault> {
    // The write lock is taken at once: one runner at a time.
    let mut transaction = connection
        .begin_with("BEGIN IMMEDIATE")
        .await
        .map_err(Fault::of)?;
    let known = sqlx::query(
        "SELECT 1 FROM formwork_migrations WHERE extension = ? AND version = ? AND name = ?",
    )
    .bind(step.extension)
    .bind(step.version)
    .bind(step.name)
    .fetch_optional(&mut *transaction)
    .await
    .map_err(Fault::of)?;
    if known.is_some() {
        return Ok(false);
    }
    change(&mut transaction, step)
        .await
        .map_err(|error| failed(step, &error))?;
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
    .map_err(Fault::of)?;
    transaction.commit().await.map_err(Fault::of)?;
    Ok(true)
}

/// Runs the SQL, under the names of tables that it knows.
async fn change(connection: &mut SqliteConnection, step: &Step) -> Result<(), sqlx::Error> {
    for (from, to) in step.undone.iter().rev() {
        rename(connection, to, from).await?;
    }
    match step.renamed {
        Some((from, to)) => rename(connection, from, to).await?,
        None => {
            sqlx::raw_sql(step.sql).execute(&mut *connection).await?;
        }
    }
    for (from, to) in &step.undone {
        rename(connection, from, to).await?;
    }
    Ok(())
}

/// Another name for a table, and for its indexes, which are named after it.
async fn rename(
    connection: &mut SqliteConnection,
    from: &str,
    to: &str,
) -> Result<(), sqlx::Error> {
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
        .map_err(Fault::of)?;
    let Some(row) = broken else { return Ok(()) };
    let name = |index: usize| row.try_get::<String, _>(index).unwrap_or_default();
    let message = format!(
        "it leaves rows of `{}` without their row of `{}`",
        name(0),
        name(1)
    );
    Err(failed(step, &message))
}

async fn run(connection: &mut SqliteConnection, sql: &'static str) -> Result<(), Fault> {
    sqlx::query(sql)
        .execute(connection)
        .await
        .map_err(Fault::of)?;
    Ok(())
}

fn failed(step: &Step, why: &dyn std::fmt::Display) -> Fault {
    let Step {
        version,
        name,
        extension,
        ..
    } = step;
    let message = format!("the migration {version} {name} of {extension} failed: {why}");
    Error::internal(message).into()
}
