//! Running statements.

use futures_core::future::BoxFuture;
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

/// Sends a statement on a connection.
type SendStatement<T> =
    for<'c> fn(Prepared, &'c mut PgConnection) -> BoxFuture<'c, sqlx::Result<T>>;

impl PooledConnection {
    /// All rows of a statement.
    pub async fn fetch(&mut self, sql: Sql, values: Vec<Value>) -> Result<Vec<PgRow>, Fault> {
        let send: SendStatement<_> = |query, to| Box::pin(query.fetch_all(to));
        self.run(sql, values, send).await
    }

    /// Runs a statement; one that commits by itself is sent again after a deadlock.
    async fn run<T>(
        &mut self,
        sql: Sql,
        values: Vec<Value>,
        send: SendStatement<T>,
    ) -> Result<T, Fault> {
        let mut attempt = 1;
        loop {
            let query = query(sql.clone(), values.clone())?;
            let outcome = send(query, self.sent()).await;
            let may_repeat = attempt < ATTEMPTS && !self.is_in_transaction();
            if !(may_repeat && outcome.as_ref().err().is_some_and(can_be_repeated)) {
                return self.answered(outcome);
            }
            sleep(PAUSE).await;
            attempt += 1;
        }
    }

    /// Runs a statement. A refused statement would end its transaction, so it runs behind a savepoint
    /// there; before the first one a transaction has nothing to keep, and begins again instead.
    async fn run_undoable<T>(
        &mut self,
        sql: Sql,
        values: Vec<Value>,
        send: SendStatement<T>,
    ) -> Result<T, Fault> {
        if !self.is_in_transaction() {
            return self.run(sql, values, send).await;
        }
        let query = query(sql, values)?;
        let mut undoable = self.undoable().await?;
        let outcome = send(query, undoable.connection()).await;
        let outcome = undoable.settle(outcome).await;
        self.settled(outcome)
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
        let send: SendStatement<_> = |query, to| Box::pin(query.execute(to));
        Ok(self.run(sql, values, send).await?.rows_affected())
    }

    /// Like [`PooledConnection::execute`]. If the server refuses the statement, the transaction goes on.
    pub async fn perform(&mut self, sql: Sql, values: Vec<Value>) -> Result<u64, Fault> {
        let send: SendStatement<_> = |query, to| Box::pin(query.execute(to));
        Ok(self.run_undoable(sql, values, send).await?.rows_affected())
    }

    /// Rows of a statement that writes. As [`PooledConnection::perform`] otherwise.
    pub async fn returning(&mut self, sql: Sql, values: Vec<Value>) -> Result<Vec<PgRow>, Fault> {
        let send: SendStatement<_> = |query, to| Box::pin(query.fetch_all(to));
        self.run_undoable(sql, values, send).await
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
