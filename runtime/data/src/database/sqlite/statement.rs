//! Running statements and transactions.

use sqlx::{
    SqliteConnection,
    sqlite::{SqliteQueryResult, SqliteRow},
};

use super::{
    fault::fault,
    pool::{ConnectionPool, PooledConnection},
    value::arguments,
};
use crate::{
    database::{
        fault::Fault,
        row_stream::{RowSender, send_all},
        sql::Sql,
    },
    value::Value,
};

impl ConnectionPool {
    /// Begins a transaction that writes: it takes the write lock at once, so that it never fails
    /// half way because of another writer.
    pub async fn begin(&self) -> Result<PooledConnection, Fault> {
        let mut connection = self.get_to_write().await?;
        command(&mut connection, "BEGIN IMMEDIATE").await?;
        Ok(connection)
    }
}

impl PooledConnection {
    /// Commits the work since [`ConnectionPool::begin`]. A connection that is dropped without it is
    /// rolled back.
    pub async fn commit(mut self) -> Result<(), Fault> {
        drop(self.limit_time()?);
        command(&mut self, "COMMIT").await?;
        self.done();
        Ok(())
    }

    /// All rows of a statement.
    pub async fn fetch(&mut self, sql: Sql, values: Vec<Value>) -> Result<Vec<SqliteRow>, Fault> {
        let query = sqlx::query_with(sql.0, arguments(values)?);
        let _limit = self.limit_time()?;
        let rows = query.fetch_all(&mut **self).await;
        self.answered(rows)
    }

    /// Sends the rows of a statement, one after another.
    pub async fn stream(
        &mut self,
        sql: Sql,
        values: Vec<Value>,
        to: &RowSender,
    ) -> Result<(), Fault> {
        let query = sqlx::query_with(sql.0, arguments(values)?);
        let _limit = self.limit_time()?;
        let sent = send_all(query.fetch(&mut **self), to).await;
        self.answered(sent)
    }

    /// The first row of a statement; further rows are not read.
    pub async fn first(
        &mut self,
        sql: Sql,
        values: Vec<Value>,
    ) -> Result<Option<SqliteRow>, Fault> {
        let query = sqlx::query_with(sql.0, arguments(values)?);
        let _limit = self.limit_time()?;
        let row = query.fetch_optional(&mut **self).await;
        self.answered(row)
    }

    /// How many rows a statement changed.
    pub async fn execute(&mut self, sql: Sql, values: Vec<Value>) -> Result<u64, Fault> {
        Ok(self.run(sql, values).await?.rows_affected())
    }

    /// Inserts a row; returns the key that the database counted.
    pub async fn insert(&mut self, sql: Sql, values: Vec<Value>, _key: &str) -> Result<i64, Fault> {
        Ok(self.run(sql, values).await?.last_insert_rowid())
    }

    /// Defers foreign keys to the end of the transaction.
    pub async fn defer_foreign_keys(&mut self) -> Result<(), Fault> {
        let sql = "PRAGMA defer_foreign_keys = ON";
        self.execute(sql.into(), Vec::new()).await.map(drop)
    }

    async fn run(&mut self, sql: Sql, values: Vec<Value>) -> Result<SqliteQueryResult, Fault> {
        let query = sqlx::query_with(sql.0, arguments(values)?);
        let _limit = self.limit_time()?;
        let done = query.execute(&mut **self).await;
        self.answered(done)
    }
}

pub(super) async fn command(
    connection: &mut SqliteConnection,
    sql: &'static str,
) -> Result<(), Fault> {
    let done = sqlx::query(sql).execute(connection).await;
    done.map(drop).map_err(fault)
}
