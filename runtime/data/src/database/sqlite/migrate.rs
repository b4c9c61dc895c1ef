//! Applying one migration.

use sqlx::{AssertSqlSafe, SqliteConnection};

use super::{
    foreign_keys,
    pool::{ConnectionPool, PooledConnection},
    statement::command,
};
use crate::database::{fault::Fault, sql::quoted, step::Step};

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
    let before = foreign_keys::broken(connection, step).await?;
    if let Some(index) = step.index_in_the_way() {
        let dropped = run(connection, index.drop_sql()).await;
        dropped.map_err(|error| step.failed(&error))?;
    }
    if let Err(error) = run(connection, step.text().into_owned()).await {
        let values = duplicates(connection, &error).await;
        let values = values.map(|values| format!(": duplicate values {values}"));
        let message = format!("{error}{}", values.unwrap_or_default());
        return Err(step.failed(&message).into());
    }
    foreign_keys::check(connection, step, &before).await?;
    let (sql, values) = step.closing();
    connection.execute(sql, values).await?;
    Ok(true)
}

/// Returns some of the values for which a unique index cannot be made; SQLite names only its columns.
async fn duplicates(connection: &mut SqliteConnection, error: &sqlx::Error) -> Option<String> {
    let refusal = error.as_database_error()?;
    let named = refusal.message().rsplit(": ").next();
    let named = named.filter(|_| refusal.is_unique_violation())?;
    let columns = named.split(", ").map(|name| name.split_once('.'));
    let columns = columns.collect::<Option<Vec<(&str, &str)>>>()?;
    let table = quoted(columns.first()?.0);
    let columns: Vec<String> = columns.iter().map(|(_, column)| quoted(column)).collect();
    let shown: Vec<String> = columns.iter().map(|own| format!("quote({own})")).collect();
    let sql = format!(
        "SELECT {} FROM {table} WHERE {} IS NOT NULL GROUP BY {} HAVING count(*) > 1 LIMIT 3",
        shown.join(" || ', ' || "),
        columns.join(" IS NOT NULL AND "),
        columns.join(", ")
    );
    let values = sqlx::query_scalar::<_, String>(AssertSqlSafe(sql));
    let values = values.fetch_all(connection).await.ok()?;
    (!values.is_empty()).then(|| values.join("; "))
}

async fn run(connection: &mut SqliteConnection, sql: String) -> sqlx::Result<()> {
    let done = sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection);
    done.await.map(drop)
}
