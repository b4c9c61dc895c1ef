//! Running statements.

use sqlx::{
    AssertSqlSafe, Connection as _, PgConnection, Postgres, Row as _, SqlSafeStr, Transaction,
    postgres::{PgArguments, PgRow, PgTransactionManager},
    query::Query,
};
use sqlx_core::transaction::TransactionManager;
use tokio::time::sleep;

use super::{
    fault::{can_be_repeated, fault},
    placeholders::numbered,
    pool::PooledConnection,
    value::arguments,
};
use crate::{
    database::{
        fault::{ATTEMPTS, Fault, PAUSE},
        row_stream::{RowSender, send_all},
        sql::{Sql, quoted},
    },
    value::Value,
};

impl PooledConnection {
    /// All rows of a statement.
    pub async fn fetch(&mut self, sql: Sql, values: Vec<Value>) -> Result<Vec<PgRow>, Fault> {
        let mut attempt = 1;
        loop {
            let query = query(sql.clone(), values.clone())?;
            let rows = query.fetch_all(self.sent()).await;
            if !self.is_repeated(attempt, &rows) {
                return self.answered(rows);
            }
            sleep(PAUSE).await;
            attempt += 1;
        }
    }

    /// Whether a statement is sent again: one that commits by itself is after a deadlock.
    fn is_repeated<T>(&self, attempt: usize, outcome: &sqlx::Result<T>) -> bool {
        let may_be = attempt < ATTEMPTS && !self.is_in_transaction();
        may_be && outcome.as_ref().err().is_some_and(can_be_repeated)
    }

    /// Sends the rows of a statement, one after another.
    pub async fn stream(
        &mut self,
        sql: Sql,
        values: Vec<Value>,
        to: &RowSender,
    ) -> Result<(), Fault> {
        let query = query(sql, values)?;
        let sent = send_all(query.fetch(self.sent()), to).await;
        self.answered(sent)
    }

    /// The first row of a statement.
    pub async fn first(&mut self, sql: Sql, values: Vec<Value>) -> Result<Option<PgRow>, Fault> {
        let query = query(sql, values)?;
        let row = query.fetch_optional(self.sent()).await;
        self.answered(row)
    }

    /// How many rows a statement changed.
    pub async fn execute(&mut self, sql: Sql, values: Vec<Value>) -> Result<u64, Fault> {
        let mut attempt = 1;
        loop {
            let query = query(sql.clone(), values.clone())?;
            let done = query.execute(self.sent()).await;
            if !self.is_repeated(attempt, &done) {
                return Ok(self.answered(done)?.rows_affected());
            }
            sleep(PAUSE).await;
            attempt += 1;
        }
    }

    /// As [`PooledConnection::execute`]. A refused statement would end its transaction, so it runs
    /// behind a savepoint there; before the first one a transaction has nothing to keep, and begins
    /// again instead.
    pub async fn perform(&mut self, sql: Sql, values: Vec<Value>) -> Result<u64, Fault> {
        if !self.is_in_transaction() {
            return self.execute(sql, values).await;
        }
        let query = query(sql, values)?;
        let mut undoable = self.undoable().await?;
        let done = query.execute(undoable.connection()).await;
        let done = undoable.settle(done).await;
        Ok(self.settled(done)?.rows_affected())
    }

    /// Rows of a statement that writes. As [`PooledConnection::perform`] otherwise.
    pub async fn returning(&mut self, sql: Sql, values: Vec<Value>) -> Result<Vec<PgRow>, Fault> {
        if !self.is_in_transaction() {
            return self.fetch(sql, values).await;
        }
        let query = query(sql, values)?;
        let mut undoable = self.undoable().await?;
        let rows = query.fetch_all(undoable.connection()).await;
        let rows = undoable.settle(rows).await;
        self.settled(rows)
    }

    /// Defers foreign keys to the end of the transaction.
    pub async fn defer_foreign_keys(&mut self) -> Result<(), Fault> {
        let sql = "SET CONSTRAINTS ALL DEFERRED";
        self.execute(sql.into(), Vec::new()).await.map(drop)
    }

    /// Inserts a row; returns the key that the database counted. As [`PooledConnection::perform`]
    /// otherwise.
    pub async fn insert(&mut self, sql: Sql, values: Vec<Value>, key: &str) -> Result<i64, Fault> {
        let sql = Sql::from(format!("{} RETURNING {}", sql.0.as_str(), quoted(key)));
        let rows = self.returning(sql, values).await?;
        let row = rows.first().ok_or(sqlx::Error::RowNotFound);
        row.and_then(counted).map_err(fault)
    }

    /// The part of the transaction that a refused statement undoes.
    async fn undoable(&mut self) -> Result<Undoable<'_>, Fault> {
        if self.is_fresh() {
            return Ok(Undoable::Whole(self.sent()));
        }
        // In an aborted transaction sqlx would roll back the whole of it, and send what follows outside
        // of any.
        self.check_open().await?;
        let savepoint = self.sent().begin().await.map_err(fault)?;
        Ok(Undoable::Savepoint(savepoint))
    }
}

/// The part of a transaction that a refused statement undoes.
enum Undoable<'c> {
    /// All of it: the statement is the first one.
    Whole(&'c mut PgConnection),
    /// The statement alone.
    Savepoint(Transaction<'c, Postgres>),
}

impl Undoable<'_> {
    fn connection(&mut self) -> &mut PgConnection {
        match self {
            Self::Whole(connection) => connection,
            Self::Savepoint(savepoint) => savepoint,
        }
    }

    /// Keeps what was done, or undoes it; the transaction goes on.
    async fn settle<T>(self, outcome: sqlx::Result<T>) -> sqlx::Result<T> {
        match (self, &outcome) {
            (Self::Whole(_), Ok(_)) => {}
            (Self::Whole(connection), Err(_)) => {
                PgTransactionManager::rollback(connection).await?;
                PgTransactionManager::begin(connection, None).await?;
            }
            (Self::Savepoint(savepoint), Ok(_)) => savepoint.commit().await?,
            (Self::Savepoint(savepoint), Err(_)) => savepoint.rollback().await?,
        }
        outcome
    }
}

type Prepared = Query<'static, Postgres, PgArguments>;

fn query(sql: Sql, values: Vec<Value>) -> Result<Prepared, Fault> {
    let text = numbered(sql.0.as_str(), &values)?;
    let arguments = arguments(values)?;
    Ok(sqlx::query_with(
        AssertSqlSafe(text).into_sql_str(),
        arguments,
    ))
}

/// The integer in a row's first column.
fn counted(row: &PgRow) -> sqlx::Result<i64> {
    // Keys may be int4 or int2.
    row.try_get::<i64, _>(0)
        .or_else(|_| row.try_get::<i32, _>(0).map(i64::from))
        .or_else(|_| row.try_get::<i16, _>(0).map(i64::from))
}
