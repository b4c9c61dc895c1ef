//! Applying one migration. A statement that changes tables commits by itself, so a migration is
//! applied statement by statement, and its row in `formwork_migrations` says how many are done.

use sqlx::MySqlConnection;

use super::{
    connect::run,
    fault::fault,
    pool::{ConnectionPool, PooledConnection},
    rename::rename,
    split::statements,
};
use crate::{
    database::{
        fault::Fault,
        lower_index::{COMPUTED, LowerIndex},
        sql::{Sql, quoted},
        step::{Change, Step},
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

/// The statements of a migration that are not done.
pub fn left(step: &Step) -> String {
    let sql = step.text();
    let left = pieces(step, &sql).into_iter().skip(step.done);
    let shown = left.map(|piece| match piece {
        Piece::Statement(sql) => format!("{sql};\n"),
        Piece::Rename(from, to) => Change::Rename { from, to }.shown(),
    });
    shown.collect()
}

/// A piece of a migration, which is done or not.
enum Piece<'s> {
    Statement(&'s str),
    Rename(&'static str, &'static str),
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
        let pieces = pieces(step, &sql);
        for (at, piece) in pieces.iter().enumerate().skip(done) {
            let made = make_and_count(&mut connection, step, piece).await;
            made.map_err(|fault| failed(step, (at, pieces.len()), fault))?;
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

fn pieces<'s>(step: &Step, sql: &'s str) -> Vec<Piece<'s>> {
    let pieces = |change| match change {
        Change::Sql(sql) => statements(sql).into_iter().map(Piece::Statement).collect(),
        Change::Rename { from, to } => vec![Piece::Rename(from, to)],
    };
    step.changes(sql).into_iter().flat_map(pieces).collect()
}

/// A statement that changes rows is counted in its own transaction. One that changes tables has
/// committed by then: if the program is killed in between, it is run again.
async fn make_and_count(
    connection: &mut PooledConnection,
    step: &Step,
    piece: &Piece<'_>,
) -> Result<(), Fault> {
    let count = step.about(if step.undoes { UNDONE } else { DONE });
    connection.command("START TRANSACTION").await?;
    let made = match make(connection, piece).await {
        Ok(()) => connection.execute(count, step.id()).await.map(drop),
        // In the server's own words: they name the rows and the constraint.
        Err(error) => Err(Error::internal(error).into()),
    };
    let end = if made.is_ok() { "COMMIT" } else { "ROLLBACK" };
    let ended = connection.command(end).await;
    made.and(ended)
}

async fn make(connection: &mut MySqlConnection, piece: &Piece<'_>) -> sqlx::Result<()> {
    match piece {
        Piece::Statement(sql) => run(connection, (*sql).to_owned()).await,
        Piece::Rename(from, to) => rename(connection, from, to).await,
    }
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
