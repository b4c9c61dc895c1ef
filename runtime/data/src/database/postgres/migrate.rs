//! Applying one migration.

use sqlx::{AssertSqlSafe, PgConnection};

use super::{fault::fault, pool::ConnectionPool};
use crate::database::{
    fault::Fault,
    sql::quoted,
    step::{APPLIED, Change, RECORD, Step},
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
        if transaction
            .first(APPLIED.into(), step.id())
            .await?
            .is_some()
        {
            return Ok(false);
        }
        for change in step.changes() {
            let done = make(&mut transaction, change).await;
            done.map_err(|error| step.failed(&error))?;
        }
        transaction.execute(RECORD.into(), step.record()).await?;
        transaction.commit().await?;
        Ok(true)
    }
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
