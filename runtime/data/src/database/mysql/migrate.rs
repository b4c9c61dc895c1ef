//! Applying one migration. A statement that changes tables commits by itself, so a migration is
//! applied statement by statement, and its row in `formwork_migrations` says how many are done.

use super::{
    connect::run,
    fault::fault,
    pool::{ConnectionPool, PooledConnection},
};
use crate::{
    database::{
        fault::Fault,
        sql::{Sql, quoted},
        step::{COMPUTED, LowerIndex, Step},
    },
    error::Error,
};

/// How many statements of a migration are done, and when it was applied.
const FOUND: &str = "SELECT statements_done, applied_at FROM \"formwork_migrations\" \
    WHERE extension = ? AND version = ? AND name = ?";

const STARTED: &str = "INSERT INTO \"formwork_migrations\" \
    (extension, version, name, applied_at, statements_done) VALUES (?, ?, ?, NULL, 0)";

const DONE: &str = "UPDATE \"formwork_migrations\" SET statements_done = statements_done + 1 \
    WHERE extension = ? AND version = ? AND name = ?";

/// Counts below zero the statements of a down part.
const UNDONE: &str = "UPDATE \"formwork_migrations\" \
    SET statements_done = LEAST(statements_done, 0) - 1 \
    WHERE extension = ? AND version = ? AND name = ?";

const APPLIED: &str = "UPDATE \"formwork_migrations\" SET applied_at = ? \
    WHERE extension = ? AND version = ? AND name = ?";

/// Returns the statements of a migration that are not done.
pub fn left(step: &Step) -> String {
    let sql = step.text();
    let left = statements(&sql).into_iter().skip(step.done);
    left.map(|sql| format!("{sql}\n")).collect()
}

impl ConnectionPool {
    /// Applies a migration and records it; returns false where another runner had. One that failed
    /// before goes on with the statement that failed.
    pub async fn apply(&self, step: &Step) -> Result<bool, Fault> {
        let mut connection = self.get().await?;
        // The lock ends with the connection.
        connection.set_lent();
        let lock = self.dialect().lock_migrations().unwrap_or_default();
        let locked = connection.first(lock.into(), Vec::new()).await?;
        if locked.is_none_or(|row| !matches!(sqlx::Row::try_get(&row, 0), Ok(Some(1_i64)))) {
            return Err(step.failed(&"another program has the lock").into());
        }
        read_collation_again(&mut connection).await?;
        let Some(done) = started(&mut connection, step).await? else {
            return Ok(false);
        };
        if let Some(index) = step.index_in_the_way() {
            drop_index(&mut connection, index).await.map_err(fault)?;
        }
        let sql = step.text();
        let statements = statements(&sql);
        for (at, sql) in statements.iter().enumerate().skip(done) {
            let run = run_and_count(&mut connection, step, sql).await;
            run.map_err(|fault| failed(step, (at, statements.len()), fault))?;
        }
        if step.undoes {
            let (sql, values) = step.closing();
            connection.execute(sql, values).await?;
            return Ok(true);
        }
        let now = step.record().pop().unwrap_or_default();
        let values = [vec![now], step.id()].concat();
        connection.execute(step.about(APPLIED), values).await?;
        Ok(true)
    }

    /// Sets the collation of new tables to that of the session, in which texts are compared exactly.
    /// Databases are created with another one.
    pub async fn set_collation(&self) -> Result<(), Fault> {
        let mut connection = self.get().await?;
        let sql = "SELECT DATABASE(), @@collation_connection, @@collation_database";
        let row = sqlx::query_as::<_, (Option<String>, String, String)>(sql);
        let (name, exact, is) = row.fetch_one(&mut *connection).await.map_err(fault)?;
        let Some(name) = name.filter(|_| exact != is) else {
            return Ok(());
        };
        let sql = format!(
            "ALTER DATABASE {} CHARACTER SET utf8mb4 COLLATE {exact}",
            quoted(&name)
        );
        let altered = connection.execute(Sql::from(sql.clone()), Vec::new()).await;
        // Other sessions keep the collation that they began with, for tables that they create.
        self.close_idle();
        read_collation_again(&mut connection).await?;
        altered.map(drop).map_err(|fault| {
            let why = Error::from(fault);
            let message = format!(
                "the database compares texts by {is}, the service by {exact}; `{sql}` failed: {why}"
            );
            Error::internal(message).into()
        })
    }
}

/// A session keeps the collation that its database had when the session began; a change of the
/// database reads it again. [`ConnectionPool::set_collation`] may have set it since, in another
/// program too.
async fn read_collation_again(connection: &mut PooledConnection) -> Result<(), Fault> {
    let name = sqlx::query_scalar::<_, Option<String>>("SELECT DATABASE()");
    match name.fetch_one(&mut **connection).await.map_err(fault)? {
        Some(name) => {
            let away_and_back = format!("USE information_schema; USE {}", quoted(&name));
            run(connection, away_and_back).await.map_err(fault)
        }
        None => Ok(()),
    }
}

/// How many statements were done before; `None` where all were.
async fn started(connection: &mut PooledConnection, step: &Step) -> Result<Option<usize>, Fault> {
    let Some(row) = connection.first(step.about(FOUND), step.id()).await? else {
        if step.undoes {
            return Ok(None);
        }
        connection.execute(step.about(STARTED), step.id()).await?;
        return Ok(Some(0));
    };
    let read = |error: sqlx::Error| Fault::Other(Error::internal(error));
    let done: i64 = sqlx::Row::try_get(&row, 0).map_err(read)?;
    let applied: Option<String> = sqlx::Row::try_get(&row, 1).map_err(read)?;
    if step.undoes {
        return match applied {
            Some(_) => Ok(Some(
                usize::try_from(done.min(0).unsigned_abs()).unwrap_or(0),
            )),
            None => Err(step.failed(&"it was not wholly applied").into()),
        };
    }
    let done = usize::try_from(done).unwrap_or_default();
    Ok(applied.is_none().then_some(done))
}

/// Drops the index that is made after the migrations, with its computed column.
async fn drop_index(connection: &mut PooledConnection, index: &LowerIndex) -> sqlx::Result<()> {
    let computed = sqlx::query(COMPUTED).bind(&index.table);
    let computed = computed.bind(index.computed());
    match computed.fetch_optional(&mut **connection).await? {
        Some(_) => {
            let (table, column) = (quoted(&index.table), quoted(&index.computed()));
            run(
                connection,
                format!("ALTER TABLE {table} DROP COLUMN {column}"),
            )
            .await
        }
        None => Ok(()),
    }
}

/// Splits a migration after each line that ends with `;`, outside of texts. Each piece is sent at once,
/// so a line with several statements counts as one.
fn statements(sql: &str) -> Vec<&str> {
    let (mut statements, mut start, mut end, mut is_empty) = (Vec::new(), 0, 0, true);
    let mut is_in_text = false;
    for line in sql.split_inclusive('\n') {
        end += line.len();
        let line = line.trim();
        let is_comment = line.is_empty() || line.starts_with("--") || line.starts_with('#');
        if is_comment && !is_in_text {
            continue;
        }
        is_empty = false;
        is_in_text ^= line.replace("\\'", "").matches('\'').count() % 2 == 1;
        if !is_in_text && line.ends_with(';') {
            statements.push(sql[start..end].trim());
            (start, is_empty) = (end, true);
        }
    }
    if !is_empty {
        statements.push(sql[start..].trim());
    }
    statements
}

/// A statement that changes rows is counted in its own transaction. One that changes tables has
/// committed by then: if the program is killed in between, it is run again.
async fn run_and_count(
    connection: &mut PooledConnection,
    step: &Step,
    sql: &str,
) -> Result<(), Fault> {
    let count = step.about(if step.undoes { UNDONE } else { DONE });
    connection.command("START TRANSACTION").await?;
    let made = match run(connection, sql.to_owned()).await {
        Ok(()) => connection.execute(count, step.id()).await.map(drop),
        // In the server's own words: they name the rows and the constraint.
        Err(error) => Err(Error::internal(error).into()),
    };
    let end = if made.is_ok() { "COMMIT" } else { "ROLLBACK" };
    let ended = connection.command(end).await;
    made.and(ended)
}

/// Where a migration stands that failed.
fn failed(step: &Step, (at, all): (usize, usize), fault: Fault) -> Fault {
    let why = Error::from(fault).to_string();
    let why = why.trim_end_matches('.');
    let number = at + 1;
    let message = format!(
        "statement {number} of {all}: {why}. The statements before it are done and stay; \
         the next run goes on with statement {number}"
    );
    step.failed(&message).into()
}

#[cfg(test)]
mod tests {
    use super::statements;

    #[test]
    fn statements_end_at_a_semicolon_at_the_end_of_a_line() {
        let sql = "-- after: 1_base; x;\nCREATE TABLE a (b INT,\n    c INT);  \n# a;\n\
                   INSERT INTO a VALUES ('it''s;\n-- é;\n', 1);\nDROP TABLE a; DROP TABLE b;\n\nSELECT 1\n-- end;\n";
        let expected = [
            "-- after: 1_base; x;\nCREATE TABLE a (b INT,\n    c INT);",
            "# a;\nINSERT INTO a VALUES ('it''s;\n-- é;\n', 1);",
            "DROP TABLE a; DROP TABLE b;",
            "SELECT 1\n-- end;",
        ];
        assert_eq!(statements(sql), expected);
    }

    #[test]
    fn a_text_without_statements_has_none() {
        for sql in ["", " \n\n", "-- only this;\n# and this"] {
            assert!(statements(sql).is_empty(), "{sql}");
        }
    }
}
