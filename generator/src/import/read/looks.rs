//! The time for looks at rows: they are left out where it is over, and the import goes on.

use std::fmt::Display;
use std::time::{Duration, Instant};

use anyhow::Result;
use sqlx::{
    AssertSqlSafe, Database, MySql, MySqlConnection, PgConnection, Postgres, Sqlite,
    SqliteConnection,
};

/// How long one look may take.
const EACH: Duration = Duration::from_secs(5);

/// What follows where odd values were not looked for.
pub(super) const AS_DECLARED: &str =
    "each column has the type that the table declares, and a value that does not fit it is a 500";

/// Instructions of SQLite between two glances at the clock.
const INSTRUCTIONS: i32 = 10_000;

/// The time that is left for looks at the rows of a database.
#[derive(Debug)]
pub(super) struct Looks {
    until: Instant,
    /// The limit that the session has.
    limit: Option<Duration>,
}

/// A look that has begun.
#[derive(Debug)]
pub(super) struct Look {
    until: Instant,
}

/// Why a look has no result.
#[derive(Debug)]
pub(super) enum Unlooked {
    /// There was no time for it.
    Late,
    /// The database refused it.
    Failed(String),
}

impl Looks {
    /// Looks that take so long together.
    pub fn within(time: Duration) -> Self {
        Self {
            until: Instant::now() + time,
            limit: None,
        }
    }

    /// Begins a statement that reads rows: the database ends it when the time is over.
    ///
    /// # Errors
    /// `Late` when no time is left.
    pub async fn begin<D: Timed>(
        &mut self,
        connection: &mut D::Connection,
    ) -> Result<Look, Unlooked> {
        let left = self.until.saturating_duration_since(Instant::now());
        let limit = left.min(EACH);
        if limit.as_millis() == 0 {
            return Err(Unlooked::Late);
        }
        let until = Instant::now() + limit;
        if !D::IS_KEPT || self.limit != Some(limit) {
            let limited = D::limit(connection, limit).await;
            limited.map_err(|error| Unlooked::Failed(error.to_string()))?;
            self.limit = Some(limit);
        }
        Ok(Look { until })
    }
}

impl Look {
    /// Its result. A statement that took all its time was ended by the database.
    pub fn end<T, E: Display>(&self, result: Result<T, E>) -> Result<T, Unlooked> {
        result.map_err(|error| match Instant::now() >= self.until {
            true => Unlooked::Late,
            false => Unlooked::Failed(error.to_string()),
        })
    }
}

/// A database that ends a statement which takes too long.
pub(super) trait Timed: Database {
    /// Whether a limit holds for the statements after the next one as well.
    const IS_KEPT: bool;

    /// Limits the statements of a session from now on.
    async fn limit(connection: &mut Self::Connection, time: Duration) -> Result<()>;
}

impl Timed for Postgres {
    const IS_KEPT: bool = true;

    async fn limit(connection: &mut PgConnection, time: Duration) -> Result<()> {
        let sql = format!("SET statement_timeout = {}", time.as_millis());
        sqlx::query(AssertSqlSafe(sql)).execute(connection).await?;
        Ok(())
    }
}

impl Timed for MySql {
    const IS_KEPT: bool = true;

    /// MariaDB and MySQL have a variable each for it, and refuse the other's.
    async fn limit(connection: &mut MySqlConnection, time: Duration) -> Result<()> {
        for sql in [
            format!("SET max_statement_time = {:.3}", time.as_secs_f64()),
            format!("SET max_execution_time = {}", time.as_millis()),
        ] {
            let _ = sqlx::query(AssertSqlSafe(sql))
                .execute(&mut *connection)
                .await;
        }
        Ok(())
    }
}

impl Timed for Sqlite {
    /// It is a moment.
    const IS_KEPT: bool = false;

    async fn limit(connection: &mut SqliteConnection, time: Duration) -> Result<()> {
        let until = Instant::now() + time;
        let mut handle = connection.lock_handle().await?;
        handle.set_progress_handler(INSTRUCTIONS, move || Instant::now() < until);
        Ok(())
    }
}
