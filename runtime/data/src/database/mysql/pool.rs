//! Connections, pooled by sqlx.

use std::ops::{Deref, DerefMut};

use sqlx::{AssertSqlSafe, MySql, MySqlConnection, MySqlPool, pool::PoolConnection};
use tokio::runtime::Handle;

use super::fault::fault;
use crate::{
    database::{dialect::Dialect, fault::Fault, server::pool_sizes, sql::quoted},
    error::Error,
};

/// The connections to a server; cheap to clone.
#[derive(Clone)]
pub struct ConnectionPool(MySqlPool);

/// A connection that goes back to the pool when it is dropped; an open transaction is rolled back
/// first.
pub struct PooledConnection {
    /// Until it is dropped or committed.
    connection: Option<PoolConnection<MySql>>,
    pub(super) state: State,
    /// Foreign keys are not checked by the server, but when the transaction is committed.
    defers_foreign_keys: bool,
    /// Where sqlx spawns what a dropped connection needs: its drop may be outside of tokio.
    runtime: Handle,
}

/// The transaction of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// None: each statement commits by itself.
    Single,
    /// One is open.
    Transaction,
    /// The server rolled it back because of a deadlock. Further statements would be committed one
    /// by one, so they are refused.
    RolledBack,
}

impl ConnectionPool {
    pub(super) const fn new(pool: MySqlPool) -> Self {
        Self(pool)
    }

    /// The server's dialect of SQL.
    pub const fn dialect(&self) -> Dialect {
        Dialect::Mysql
    }

    /// How many connections are open, how many of these are free, and the most there may be.
    pub fn sizes(&self) -> (usize, usize, usize) {
        pool_sizes(&self.0)
    }

    /// Closes the connections that are not in use; others are opened when they are needed.
    pub(super) fn close_idle(&self) {
        while let Some(mut idle) = self.0.try_acquire() {
            idle.close_on_drop();
        }
    }

    /// A connection for a statement.
    ///
    /// # Errors
    /// 503 when none is free in time, or the service is stopping.
    pub async fn get(&self) -> Result<PooledConnection, Fault> {
        let connection = self.0.acquire().await.map_err(fault)?;
        Ok(PooledConnection {
            connection: Some(connection),
            state: State::Single,
            defers_foreign_keys: false,
            runtime: Handle::current(),
        })
    }

    /// A connection in a transaction.
    ///
    /// # Errors
    /// As [`ConnectionPool::get`].
    pub async fn begin(&self) -> Result<PooledConnection, Fault> {
        let mut connection = self.get().await?;
        // Dropped while it is sent, the transaction may be open.
        connection.state = State::Transaction;
        connection.command("START TRANSACTION").await?;
        Ok(connection)
    }

    /// The pool itself.
    pub fn sqlx_pool(&self) -> MySqlPool {
        self.0.clone()
    }

    /// Closes the pool: it hands out no more connections, and waits for those in use.
    pub async fn close(&self) {
        self.0.close().await;
    }
}

impl PooledConnection {
    /// Returns it to the pool: no statement and no transaction is open.
    pub fn done(self) {}

    /// Commits the work since [`ConnectionPool::begin`]. It finishes even if the caller is dropped
    /// meanwhile.
    ///
    /// # Errors
    /// The server's error; busy where it rolled the transaction back before.
    pub async fn commit(self) -> Result<(), Fault> {
        self.check_open()?;
        let commit = tokio::spawn(self.end()).await;
        commit.map_err(|error| Fault::Other(Error::internal(error)))?
    }

    /// Where it fails, `self` is rolled back.
    async fn end(mut self) -> Result<(), Fault> {
        if self.defers_foreign_keys {
            check_foreign_keys(&mut self).await?;
        }
        let commit = sqlx::raw_sql("COMMIT").execute(&mut *self).await;
        commit.map_err(|error| Fault::of_commit(error, fault))?;
        self.state = State::Single;
        self.done();
        Ok(())
    }

    /// From now on the settings of its session may be those of other code: it is not used again.
    pub fn set_lent(&mut self) {
        if let Some(connection) = &mut self.connection {
            connection.close_on_drop();
        }
    }

    /// Lets rows refer to rows that are inserted later in this transaction. The connection is closed
    /// afterwards.
    pub async fn defer_foreign_keys(&mut self) -> Result<(), Fault> {
        self.check_open()?;
        self.set_lent();
        self.defers_foreign_keys = true;
        self.command("SET foreign_key_checks = 0").await
    }

    /// Whether statements are part of what was begun.
    ///
    /// # Errors
    /// Busy where the server rolled the transaction back.
    pub(super) fn check_open(&self) -> Result<(), Fault> {
        match self.state {
            State::RolledBack => Err(Fault::BUSY),
            State::Single | State::Transaction => Ok(()),
        }
    }

    /// A statement without values and rows.
    pub(super) async fn command(&mut self, sql: &'static str) -> Result<(), Fault> {
        let done = sqlx::raw_sql(sql).execute(&mut **self).await;
        done.map(drop).map_err(fault)
    }
}

/// A rollback is sent before the connection returns to the pool.
impl Drop for PooledConnection {
    fn drop(&mut self) {
        // sqlx spawns a task for each connection that is dropped.
        let _entered = self.runtime.enter();
        let Some(mut connection) = self.connection.take() else {
            return;
        };
        if self.state == State::Transaction {
            self.runtime.spawn(async move {
                let rolled_back = sqlx::raw_sql("ROLLBACK").execute(&mut *connection);
                if rolled_back.await.is_err() {
                    connection.close_on_drop();
                }
            });
        }
    }
}

const TAKEN: &str = "a connection is taken when it is dropped";

impl Deref for PooledConnection {
    type Target = MySqlConnection;

    fn deref(&self) -> &MySqlConnection {
        self.connection.as_ref().expect(TAKEN)
    }
}

impl DerefMut for PooledConnection {
    fn deref_mut(&mut self) -> &mut MySqlConnection {
        self.connection.as_mut().expect(TAKEN)
    }
}

/// Each foreign key of the database: its table, the table it leads to, and pairs of columns.
const KEYS: &str = "SELECT CONCAT(CONSTRAINT_NAME, '/', TABLE_NAME), TABLE_NAME, \
    REFERENCED_TABLE_NAME, COLUMN_NAME, REFERENCED_COLUMN_NAME \
    FROM information_schema.KEY_COLUMN_USAGE \
    WHERE TABLE_SCHEMA = DATABASE() AND REFERENCED_TABLE_NAME IS NOT NULL \
    ORDER BY 1, ORDINAL_POSITION";

/// The name of a foreign key and its table, the table, the table that it leads to, and a pair of columns.
type KeyColumn = (String, String, String, String, String);

/// Checks that all rows refer to rows: InnoDB checks them row by row, and cannot defer it.
///
/// # Errors
/// A broken foreign key.
async fn check_foreign_keys(connection: &mut MySqlConnection) -> Result<(), Fault> {
    let columns = sqlx::query_as::<_, KeyColumn>(KEYS).fetch_all(&mut *connection);
    let columns = columns.await.map_err(fault)?;
    for key in columns.chunk_by(|one, next| one.0 == next.0) {
        let sql = AssertSqlSafe(broken(key));
        let row = sqlx::raw_sql(sql).fetch_optional(&mut *connection).await;
        if row.map_err(fault)?.is_some() {
            return Err(Fault::ForeignKey);
        }
    }
    Ok(())
}

/// The statement for rows whose key leads nowhere.
fn broken(key: &[KeyColumn]) -> String {
    let (table, parent) = key.first().map_or(("", ""), |it| (&it.1, &it.2));
    let pairs = key.iter().map(|(.., own, target)| {
        let (own, target) = (quoted(own), quoted(target));
        format!("p.{target} = c.{own}")
    });
    let named = key
        .iter()
        .map(|(.., own, _)| format!("c.{} IS NOT NULL", quoted(own)));
    format!(
        "SELECT 1 FROM {} c WHERE {} AND NOT EXISTS (SELECT 1 FROM {} p WHERE {}) LIMIT 1",
        quoted(table),
        named.collect::<Vec<_>>().join(" AND "),
        quoted(parent),
        pairs.collect::<Vec<_>>().join(" AND "),
    )
}
