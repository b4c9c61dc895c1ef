//! Whether all foreign keys of a file lead somewhere.

use sqlx::{Row as _, SqliteConnection};

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

/// Refuses a migration after which rows refer to missing rows, or a foreign key cannot be checked.
pub(super) async fn check(connection: &mut SqliteConnection, step: &Step) -> Result<(), Fault> {
    let broken = sqlx::query("SELECT \"table\", parent FROM pragma_foreign_key_check LIMIT 1");
    let row = match broken.fetch_optional(&mut *connection).await {
        Ok(None) => return Ok(()),
        Ok(Some(row)) => row,
        Err(error) => return Err(mismatched(connection, step, error).await),
    };
    let name = |index: usize| row.try_get::<String, _>(index).unwrap_or_default();
    let message = format!(
        "it leaves rows of `{}` that refer to missing rows of `{}`",
        name(0),
        name(1)
    );
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
