//! Whether all foreign keys of a file lead somewhere.

use std::collections::BTreeMap;

use sqlx::SqliteConnection;

use super::fault::fault;
use crate::database::{fault::Fault, step::Step};

/// The foreign keys between two tables that do not lead to columns of a primary key or a unique index:
/// their columns, and those they lead to (null: the primary key).
const MISMATCHED: &str = "WITH keys AS ( \
      SELECT i.name AS key, lower(c.name) AS name \
        FROM pragma_index_list(?2) i, pragma_index_info(i.name) c WHERE i.\"unique\" AND NOT i.partial \
      UNION ALL SELECT NULL, lower(name) FROM pragma_table_info(?2) WHERE pk), \
    unique_keys AS ( \
      SELECT group_concat(name) AS columns FROM (SELECT * FROM keys ORDER BY key, name) GROUP BY key) \
    SELECT group_concat(\"from\", '`, `'), group_concat(\"to\", '`, `') FROM ( \
      SELECT * FROM pragma_foreign_key_list(?1) WHERE lower(\"table\") = lower(?2) ORDER BY id, lower(\"to\")) \
    GROUP BY id HAVING CASE WHEN max(\"to\") IS NULL \
      THEN count(*) <> (SELECT count(*) FROM pragma_table_info(?2) WHERE pk) \
      ELSE lower(group_concat(\"to\")) NOT IN (SELECT columns FROM unique_keys) END";

/// Numbers of rows that refer to missing rows, by their table and by the one that they refer to.
pub(super) type Broken = BTreeMap<(String, String), i64>;

/// The rows that refer to missing rows.
///
/// # Errors
/// A foreign key that cannot be checked.
pub(super) async fn broken(
    connection: &mut SqliteConnection,
    step: &Step,
) -> Result<Broken, Fault> {
    let sql = "SELECT \"table\", parent, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2";
    let rows = sqlx::query_as::<_, (String, String, i64)>(sql).fetch_all(&mut *connection);
    match rows.await {
        Ok(rows) => Ok(rows
            .into_iter()
            .map(|(table, parent, count)| ((table, parent), count))
            .collect()),
        Err(error) => Err(mismatched(connection, step, error).await),
    }
}

/// Refuses a migration after which more rows refer to missing rows than before it: the file of another program may
/// have some.
pub(super) async fn check(
    connection: &mut SqliteConnection,
    step: &Step,
    before: &Broken,
) -> Result<(), Fault> {
    let after = broken(connection, step).await?;
    let all = |broken: &Broken| broken.values().sum::<i64>();
    // A renamed table keeps its rows.
    if all(&after) <= all(before) {
        return Ok(());
    }
    let grew = |(key, count): &(&(String, String), &i64)| before.get(*key).unwrap_or(&0) < *count;
    let Some(((table, parent), _)) = after.iter().find(grew) else {
        return Ok(());
    };
    let message = format!("it leaves rows of `{table}` that refer to missing rows of `{parent}`");
    Err(step.failed(&message).into())
}

/// SQLite checks no foreign key of the whole file where one of them leads to columns that may repeat.
async fn mismatched(connection: &mut SqliteConnection, step: &Step, error: sqlx::Error) -> Fault {
    let Some((table, other)) = named(&error) else {
        return fault(error);
    };
    let keys = sqlx::query_as::<_, (String, Option<String>)>(MISMATCHED);
    let keys = keys.bind(&table).bind(&other).fetch_all(connection).await;
    let described = keys.unwrap_or_default().into_iter().map(|(own, to)| {
        let to = to.map_or("its primary key".to_owned(), |to| format!("`{to}`"));
        format!("`{own}` refers to {to}")
    });
    let described: Vec<_> = described.collect();
    let message = format!(
        "SQLite cannot check a foreign key of `{table}` to `{other}` ({}): the columns referred to have \
         no unique index. Create one with CREATE UNIQUE INDEX, or drop the key, and migrate again",
        described.join("; ")
    );
    step.failed(&message).into()
}

/// The tables in `foreign key mismatch - "part uses" referencing "parts"`.
fn named(error: &sqlx::Error) -> Option<(String, String)> {
    let message = error.as_database_error()?.message();
    let (_, tables) = message.split_once("foreign key mismatch - \"")?;
    let (table, other) = tables.strip_suffix('"')?.split_once("\" referencing \"")?;
    let plain = |name: &str| name.replace("\"\"", "\"");
    Some((plain(table), plain(other)))
}
