//! Whether all foreign keys of a file lead somewhere.

use std::collections::BTreeMap;

use sqlx::SqliteConnection;

use super::fault::fault;
use crate::database::{fault::Fault, step::Step};

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
        Err(error) => Err(mismatched(step, error)),
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

/// SQLite checks no foreign key of the whole file if one of them leads to columns that may repeat. Its
/// message names both tables.
fn mismatched(step: &Step, error: sqlx::Error) -> Fault {
    let refusal = error.as_database_error().map(|error| error.message());
    match refusal.filter(|message| message.contains("foreign key mismatch")) {
        Some(message) => {
            let message = format!(
                "SQLite cannot check a foreign key ({message}): the columns referred to have no unique index. \
                 Create one with CREATE UNIQUE INDEX, or drop the key, and migrate again"
            );
            step.failed(&message).into()
        }
        None => fault(error),
    }
}
