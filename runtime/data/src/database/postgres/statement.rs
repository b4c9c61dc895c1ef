//! Running statements.

use sqlx::{
    AssertSqlSafe, Connection as _, PgConnection, Postgres, Row as _, SqlSafeStr, Transaction,
    postgres::{PgArguments, PgRow},
    query::Query,
};

use super::{fault::fault, placeholders::numbered, pool::PooledConnection, value::arguments};
use crate::{
    database::{
        fault::Fault,
        row_stream::{RowSender, send_all},
        sql::{Sql, quoted},
    },
    value::Value,
};

impl PooledConnection {
    /// All rows of a statement.
    pub async fn fetch(&mut self, sql: Sql, values: Vec<Value>) -> Result<Vec<PgRow>, Fault> {
        let query = query(sql, values)?;
        query.fetch_all(&mut **self).await.map_err(fault)
    }

    /// Sends the rows of a statement, one after another.
    pub async fn stream(
        &mut self,
        sql: Sql,
        values: Vec<Value>,
        to: &RowSender,
    ) -> Result<(), Fault> {
        let query = query(sql, values)?;
        send_all(query.fetch(&mut **self), to).await.map_err(fault)
    }

    /// The first row of a statement.
    pub async fn first(&mut self, sql: Sql, values: Vec<Value>) -> Result<Option<PgRow>, Fault> {
        let query = query(sql, values)?;
        query.fetch_optional(&mut **self).await.map_err(fault)
    }

    /// How many rows a statement changed.
    pub async fn execute(&mut self, sql: Sql, values: Vec<Value>) -> Result<u64, Fault> {
        let query = query(sql, values)?;
        let done = query.execute(&mut **self).await.map_err(fault)?;
        Ok(done.rows_affected())
    }

    /// As [`PooledConnection::execute`]. A refused statement would end its transaction, so it runs
    /// behind a savepoint there.
    pub async fn perform(&mut self, sql: Sql, values: Vec<Value>) -> Result<u64, Fault> {
        if !self.is_in_transaction() {
            return self.execute(sql, values).await;
        }
        let query = query(sql, values)?;
        let mut savepoint = self.begin().await.map_err(fault)?;
        let done = query.execute(&mut *savepoint).await;
        settle(savepoint, done)
            .await
            .map(|done| done.rows_affected())
    }

    /// Rows of a statement that writes. As [`PooledConnection::perform`] otherwise.
    pub async fn returning(&mut self, sql: Sql, values: Vec<Value>) -> Result<Vec<PgRow>, Fault> {
        if !self.is_in_transaction() {
            return self.fetch(sql, values).await;
        }
        let query = query(sql, values)?;
        let mut savepoint = self.begin().await.map_err(fault)?;
        let rows = query.fetch_all(&mut *savepoint).await;
        settle(savepoint, rows).await
    }

    /// Inserts a row; returns the key that the database counted. As [`PooledConnection::perform`]
    /// otherwise.
    pub async fn insert(&mut self, sql: Sql, values: Vec<Value>, key: &str) -> Result<i64, Fault> {
        let sql = Sql::from(format!("{} RETURNING {}", sql.0.as_str(), quoted(key)));
        let query = query(sql, values)?;
        if !self.is_in_transaction() {
            return counted(self, query).await.map_err(fault);
        }
        let mut savepoint = self.begin().await.map_err(fault)?;
        let counted = counted(&mut savepoint, query).await;
        settle(savepoint, counted).await
    }
}

/// Ends a savepoint: a refused statement is undone.
async fn settle<T>(
    savepoint: Transaction<'_, Postgres>,
    outcome: sqlx::Result<T>,
) -> Result<T, Fault> {
    let settled = match outcome {
        Ok(_) => savepoint.commit().await,
        Err(_) => savepoint.rollback().await,
    };
    settled.map_err(fault)?;
    outcome.map_err(fault)
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

/// The integer that a statement returns.
async fn counted(connection: &mut PgConnection, query: Prepared) -> sqlx::Result<i64> {
    let row = query.fetch_one(connection).await?;
    // Keys may be int4.
    row.try_get::<i64, _>(0)
        .or_else(|_| row.try_get::<i32, _>(0).map(i64::from))
}
