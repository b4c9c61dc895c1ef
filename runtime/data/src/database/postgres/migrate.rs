//! Applying one migration.

use formwork_vocabulary::constraint_name;
use sqlx::{AssertSqlSafe, PgConnection, postgres::PgDatabaseError};

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
        if let Some(lock) = self.dialect().lock_migrations() {
            transaction.execute(step.about(lock), Vec::new()).await?;
        }
        let found = transaction.first(step.find(), step.id()).await?;
        if step.is_done(found.is_some()) {
            return Ok(false);
        }
        if let Some(index) = step.index_in_the_way() {
            let dropped = run(&mut transaction, index.drop_sql()).await;
            dropped.map_err(|error| step.failed(&error))?;
        }
        let sql = step.text();
        for change in step.changes(&sql) {
            let done = make(&mut transaction, change).await;
            done.map_err(|error| step.failed(&message(&error)))?;
        }
        let (sql, values) = step.closing();
        transaction.execute(sql, values).await?;
        transaction.commit().await?;
        Ok(true)
    }
}

/// Returns the server's message with its detail, which names duplicate values, and without a line of its sources.
fn message(error: &sqlx::Error) -> String {
    let refusal = error.as_database_error();
    let refusal = refusal.and_then(|error| error.try_downcast_ref::<PgDatabaseError>());
    match refusal.map(|refusal| (refusal.message(), refusal.detail())) {
        Some((message, Some(detail))) => format!("{message}: {detail}"),
        Some((message, None)) => message.to_owned(),
        None => error.to_string(),
    }
}

async fn make(connection: &mut PgConnection, change: Change<'_>) -> sqlx::Result<()> {
    match change {
        Change::Sql(sql) => run(connection, sql.to_owned()).await,
        Change::Rename { from, to } => rename(connection, from, to).await,
    }
}

/// The constraints of a table and its other indexes: name, whether it is a constraint, and columns
/// joined by `_`.
const NAMED: &str = "SELECT conname::text, true, \
      (SELECT string_agg(attname::text, '_' ORDER BY place) FROM unnest(conkey) WITH ORDINALITY k (number, place) \
       JOIN pg_attribute ON attrelid = conrelid AND attnum = number) \
    FROM pg_constraint WHERE conrelid = to_regclass(quote_ident($1)) AND contype IN ('p', 'u', 'f') \
    UNION ALL SELECT relname::text, false, \
      (SELECT string_agg(attname::text, '_' ORDER BY place) FROM unnest(indkey::int2[]) WITH ORDINALITY k (number, place) \
       JOIN pg_attribute ON attrelid = indrelid AND attnum = number) \
    FROM pg_index JOIN pg_class i ON i.oid = indexrelid WHERE indrelid = to_regclass(quote_ident($1)) \
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND conrelid = indrelid AND contype <> 'f')";

/// Another name for a table, and for its constraints and indexes that are named after it.
async fn rename(connection: &mut PgConnection, from: &str, to: &str) -> sqlx::Result<()> {
    let table = quoted(to);
    let sql = format!("ALTER TABLE {} RENAME TO {table}", quoted(from));
    run(connection, sql).await?;
    let named = sqlx::query_as::<_, (String, bool, Option<String>)>(NAMED).bind(to);
    for (name, is_constraint, columns) in named.fetch_all(&mut *connection).await? {
        let columns = columns.unwrap_or_default();
        if let Some(renamed) = constraint_name::renamed(&name, (from, to), &columns) {
            let (old, new) = (quoted(&name), quoted(&renamed));
            let sql = match is_constraint {
                true => format!("ALTER TABLE {table} RENAME CONSTRAINT {old} TO {new}"),
                false => format!("ALTER INDEX {old} RENAME TO {new}"),
            };
            run(connection, sql).await?;
        }
    }
    Ok(())
}

async fn run(connection: &mut PgConnection, sql: String) -> sqlx::Result<()> {
    let done = sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection);
    done.await.map(drop)
}
