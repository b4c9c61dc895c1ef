//! Applying one migration.

use sqlx::{AssertSqlSafe, PgConnection};

use super::pool::ConnectionPool;
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
        let lock = "LOCK TABLE \"formwork_migrations\" IN SHARE ROW EXCLUSIVE MODE";
        transaction.execute(step.about(lock), Vec::new()).await?;
        let found = transaction.first(step.find(), step.id()).await?;
        if step.is_done(found.is_some()) {
            return Ok(false);
        }
        let sql = step.text();
        for change in step.changes(&sql) {
            let done = make(&mut transaction, change).await;
            done.map_err(|error| step.failed(&error))?;
        }
        let (sql, values) = step.closing();
        transaction.execute(sql, values).await?;
        transaction.commit().await?;
        Ok(true)
    }
}

async fn make(connection: &mut PgConnection, change: Change<'_>) -> sqlx::Result<()> {
    match change {
        Change::Sql(sql) => run(connection, sql.to_owned()).await,
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
