//! Applying one migration.

use chrono::{SecondsFormat, Utc};
use sqlx::{AssertSqlSafe, PgConnection};

use super::{fault::fault, pool::ConnectionPool};
use crate::database::{
    fault::Fault,
    sql::quoted,
    step::{Change, Step},
};

impl ConnectionPool {
    /// Applies a migration and records it; returns false where another runner had. Tables are
    /// changed in one transaction.
    pub async fn apply(&self, step: &Step) -> Result<bool, Fault> {
        let mut transaction = self.begin().await?;
        // One runner at a time.
        let lock = "LOCK TABLE formwork_migrations IN SHARE ROW EXCLUSIVE MODE";
        let locked = sqlx::query(lock).execute(&mut *transaction).await;
        locked.map_err(fault)?;
        if is_applied(&mut transaction, step).await.map_err(fault)? {
            return Ok(false);
        }
        for change in step.changes() {
            let done = make(&mut transaction, change).await;
            done.map_err(|error| step.failed(&error))?;
        }
        record(&mut transaction, step).await.map_err(fault)?;
        transaction.commit().await?;
        Ok(true)
    }
}

async fn is_applied(connection: &mut PgConnection, step: &Step) -> sqlx::Result<bool> {
    let known = sqlx::query(
        "SELECT 1 FROM formwork_migrations WHERE extension = $1 AND version = $2 AND name = $3",
    )
    .bind(step.extension)
    .bind(step.version)
    .bind(step.name)
    .fetch_optional(connection);
    Ok(known.await?.is_some())
}

async fn record(connection: &mut PgConnection, step: &Step) -> sqlx::Result<()> {
    let insert = sqlx::query(
        "INSERT INTO formwork_migrations (extension, version, name, applied_at) \
         VALUES ($1, $2, $3, $4)",
    )
    .bind(step.extension)
    .bind(step.version)
    .bind(step.name)
    .bind(Utc::now().to_rfc3339_opts(SecondsFormat::Millis, true));
    insert.execute(connection).await.map(drop)
}

async fn make(connection: &mut PgConnection, change: Change) -> sqlx::Result<()> {
    match change {
        Change::Sql(sql) => sqlx::raw_sql(sql).execute(connection).await.map(drop),
        Change::Rename { from, to } => rename(connection, from, to).await,
    }
}

/// Another name for a table, and for its indexes, which are named after it.
async fn rename(connection: &mut PgConnection, from: &str, to: &str) -> sqlx::Result<()> {
    run(
        connection,
        format!("ALTER TABLE {} RENAME TO {}", quoted(from), quoted(to)),
    )
    .await?;
    let find = "SELECT i.relname::text FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid \
                WHERE x.indrelid = to_regclass(quote_ident($1))";
    let indexes = sqlx::query_scalar::<_, String>(find).bind(to);
    for name in indexes.fetch_all(&mut *connection).await? {
        if let Some(rest) = name.strip_prefix(&format!("{from}_")) {
            let renamed = quoted(&format!("{to}_{rest}"));
            let sql = format!("ALTER INDEX {} RENAME TO {renamed}", quoted(&name));
            run(connection, sql).await?;
        }
    }
    Ok(())
}

async fn run(connection: &mut PgConnection, sql: String) -> sqlx::Result<()> {
    let done = sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection);
    done.await.map(drop)
}
