//! Applying one migration.

use sqlx::{AssertSqlSafe, PgConnection, postgres::PgDatabaseError};

use super::pool::ConnectionPool;
use crate::database::{fault::Fault, step::Step};

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
        let done = run(&mut transaction, step.text().into_owned()).await;
        done.map_err(|error| step.failed(&message(&error)))?;
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

async fn run(connection: &mut PgConnection, sql: String) -> sqlx::Result<()> {
    let done = sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection);
    done.await.map(drop)
}
