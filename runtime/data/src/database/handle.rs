//! The handle through which statements run.

use std::{sync::Arc, time::Duration};

use futures_core::future::BoxFuture;

use super::{
    dialect::Dialect,
    driver::{DriverConnection, Pool},
    fault::Fault,
    open::{Connection, Shared},
    options::DatabaseOptions,
    own_tables::OwnTables,
    progress::Progress,
    row::Row,
    row_stream::RowSender,
    share::{Hold, Permit, Share, Turn, Writers, take_write},
    sql::Sql,
    waiting::Waiting,
};
use crate::{error::Result, value::Value};

/// The database: the pool, or the transaction inside hooks that run in one. Cheap to clone.
///
/// Outside of a transaction a statement has its connection for as long as it runs. Each handle of a
/// request counts its statements together ([`Db::statements`]).
#[derive(Clone)]
pub struct Db {
    common: Arc<Common>,
    transaction: Option<Arc<Shared>>,
    progress: Arc<Progress>,
    share: Option<Arc<Share>>,
}

/// What all handles of a database have in common: one count of references for each handle.
#[derive(Clone)]
struct Common {
    pool: Pool,
    own: OwnTables,
    writers: Writers,
    waiting: Waiting,
}

/// Sends a statement that reads on a connection.
type SendStatement<T> =
    for<'c> fn(&'c mut DriverConnection, Sql, Vec<Value>) -> BoxFuture<'c, Result<T, Fault>>;

impl Db {
    /// Opens the database at `options.url`; a file is made where there is none.
    ///
    /// # Errors
    /// A sentence about what is wrong with the address or the file.
    pub async fn connect(options: &DatabaseOptions) -> Result<Self> {
        let pool = Pool::connect(options).await?;
        let db = Self::over(pool, options.acquire_timeout);
        Ok(db.with_table_prefix(&options.table_prefix))
    }

    /// With this prefix of the runtime's own tables.
    #[must_use]
    pub fn with_table_prefix(mut self, prefix: &str) -> Self {
        Arc::make_mut(&mut self.common).own = OwnTables::new(prefix);
        self
    }

    /// A database without tables, for a service that is only described.
    ///
    /// # Errors
    /// The driver's error.
    pub async fn nowhere() -> Result<Self> {
        let pool = Pool::nowhere().await?;
        Ok(Self::over(pool, Duration::ZERO))
    }

    fn over(pool: Pool, patience: Duration) -> Self {
        let common = Common {
            writers: Writers::new(pool.has_one_writer(), patience),
            pool,
            own: OwnTables::default(),
            waiting: Waiting::default(),
        };
        Self {
            common: Arc::new(common),
            transaction: None,
            progress: Arc::default(),
            share: None,
        }
    }

    /// A handle with a statement counter of its own: one for each request. The service's own rows
    /// have one too: they are not changes of the request.
    #[must_use]
    pub fn for_request(&self) -> Self {
        Self {
            progress: Arc::default(),
            share: None,
            ..self.clone()
        }
    }

    /// Returns the share of a new caller: half of the pool.
    #[doc(hidden)]
    pub fn new_share(&self) -> Share {
        let (_, _, most) = self.common.pool.sizes();
        Share::new((most / 2).max(1), self.common.writers.patience())
    }

    /// Returns a handle whose connections count towards a caller's share.
    #[doc(hidden)]
    #[must_use]
    pub fn with_share(&self, share: Arc<Share>) -> Self {
        Self {
            share: Some(share),
            ..self.clone()
        }
    }

    /// The same database outside of this handle's transaction, counted together with it: for work
    /// after the commit. A write through it while the transaction is open waits for its end.
    #[must_use]
    pub fn outside_transaction(&self) -> Self {
        Self {
            transaction: None,
            ..self.clone()
        }
    }

    /// How many statements this handle and its transactions have run.
    pub fn statements(&self) -> u64 {
        self.progress.statements()
    }

    /// Which SQL this database speaks.
    pub fn dialect(&self) -> Dialect {
        self.common.pool.dialect()
    }

    /// Runs a statement; returns how many rows it changed.
    ///
    /// # Errors
    /// 422 where a unique constraint, 409 where a foreign key is violated; 503 when no connection
    /// is free in time; 500 for everything else.
    pub async fn execute(
        &self,
        sql: impl Into<Sql>,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<u64> {
        let values = values.into_iter().collect();
        let mut connection = self.acquire_to_write(Hold::Statement).await?;
        let rows = connection.execute(self.prefixed(sql), values).await?;
        connection.done();
        Ok(rows)
    }

    /// Runs a statement; returns its rows as the database stores them (integers, floats, text). One
    /// that writes (`INSERT … RETURNING`) waits until it is its turn, as [`Db::execute`] does.
    ///
    /// # Errors
    /// As [`Db::execute`].
    pub async fn rows(
        &self,
        sql: impl Into<Sql>,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<Vec<Vec<Value>>> {
        let values = values.into_iter().collect();
        let rows = self.fetch_any(sql.into(), values).await?;
        rows.iter().map(Row::values).collect()
    }

    /// Closes the pool: waits for its connections to come back.
    pub async fn close(&self) {
        if self.transaction.is_none() {
            self.common.pool.close().await;
        }
    }

    /// The rows of a statement that only reads. Outside of a transaction, it is sent again if its
    /// connection is lost.
    pub async fn fetch(&self, sql: Sql, values: Vec<Value>) -> Result<Vec<Row>, Fault> {
        let send: SendStatement<_> = |to, sql, values| Box::pin(to.fetch(sql, values));
        self.read(sql, values, send).await
    }

    /// The first row of a statement, without reading further rows: the cheapest way to one row. As
    /// [`Db::fetch`] otherwise.
    pub async fn first(&self, sql: Sql, values: Vec<Value>) -> Result<Option<Row>, Fault> {
        let send: SendStatement<_> = |to, sql, values| Box::pin(to.first(sql, values));
        self.read(sql, values, send).await
    }

    async fn read<T>(
        &self,
        sql: Sql,
        values: Vec<Value>,
        send: SendStatement<T>,
    ) -> Result<T, Fault> {
        let sql = self.prefixed(sql);
        let (_, _, most) = self.common.pool.sizes();
        // All connections may be lost.
        let repetitions = if self.transaction.is_some() { 0 } else { most };
        for _ in 0..repetitions {
            match self.read_once(sql.clone(), values.clone(), send).await {
                Err(Fault::Lost) => {}
                outcome => return outcome,
            }
        }
        self.read_once(sql, values, send).await
    }

    async fn read_once<T>(
        &self,
        sql: Sql,
        values: Vec<Value>,
        send: SendStatement<T>,
    ) -> Result<T, Fault> {
        let mut connection = self.acquire_to_read(Hold::Statement).await?;
        let outcome = send(&mut connection, sql, values).await?;
        connection.done();
        Ok(outcome)
    }

    /// The rows of a statement, which may write.
    pub(crate) async fn fetch_any(&self, sql: Sql, values: Vec<Value>) -> Result<Vec<Row>, Fault> {
        let mut connection = self.acquire(&sql, Hold::Statement).await?;
        let rows = connection.fetch(self.prefixed(sql), values).await?;
        connection.done();
        Ok(rows)
    }

    /// As [`Db::fetch_any`], one row after another. Until the last one it has a connection.
    pub(crate) async fn send_rows(
        &self,
        sql: Sql,
        values: Vec<Value>,
        to: &RowSender,
    ) -> Result<(), Fault> {
        let mut connection = self.acquire(&sql, Hold::Longer).await?;
        let occupied = self.shared().map(|shared| shared.occupy());
        connection.stream(self.prefixed(sql), values, to).await?;
        drop(occupied);
        connection.done();
        Ok(())
    }

    /// The rows of a statement that writes. As [`Db::perform`] otherwise.
    pub(crate) async fn write(&self, sql: Sql, values: Vec<Value>) -> Result<Vec<Row>, Fault> {
        let mut connection = self.acquire_to_write(Hold::Statement).await?;
        let rows = connection.returning(self.prefixed(sql), values).await?;
        connection.done();
        Ok(rows)
    }

    /// How many rows a statement without rows changed. Where the database refuses it, the transaction
    /// goes on, on every database: callers look at the fault.
    pub async fn perform(&self, sql: Sql, values: Vec<Value>) -> Result<u64, Fault> {
        let mut connection = self.acquire_to_write(Hold::Statement).await?;
        let rows = connection.perform(self.prefixed(sql), values).await?;
        connection.done();
        Ok(rows)
    }

    /// Inserts a row whose key the database counts; returns that key. As [`Db::perform`] otherwise.
    pub async fn insert(&self, sql: Sql, values: Vec<Value>, key: &str) -> Result<i64, Fault> {
        let mut connection = self.acquire_to_write(Hold::Statement).await?;
        let key = connection.insert(self.prefixed(sql), values, key).await?;
        connection.done();
        Ok(key)
    }

    /// The statement with the names that the runtime's own tables have in this database.
    fn prefixed(&self, sql: impl Into<Sql>) -> Sql {
        self.own_tables().in_sql(sql.into())
    }

    /// The connection of the next statement.
    async fn acquire(&self, sql: &Sql, hold: Hold) -> Result<Connection<'_>, Fault> {
        if sql.may_write() {
            self.acquire_to_write(hold).await
        } else {
            self.acquire_to_read(hold).await
        }
    }

    /// The connection of the next statement, which reads; the statement is counted.
    async fn acquire_to_read(&self, hold: Hold) -> Result<Connection<'_>, Fault> {
        self.progress.count();
        match &self.transaction {
            Some(shared) => Ok(Connection::Transaction(shared.lock().await?)),
            None => {
                let _waiter = self.common.waiting.wait();
                let permit = self.permit(hold).await?;
                Ok(Connection::Reading(self.common.pool.get().await?, permit))
            }
        }
    }

    /// The connection of the next statement, which writes, when it is its turn; the statement is
    /// counted.
    pub(super) async fn acquire_to_write(&self, hold: Hold) -> Result<Connection<'_>, Fault> {
        self.progress.count();
        if let Some(shared) = &self.transaction {
            return Ok(Connection::Transaction(shared.lock().await?));
        }
        let _waiter = self.common.waiting.wait();
        let turn = self.turn(hold).await?;
        let connection = self.common.pool.get_to_write().await?;
        Ok(Connection::Writing(connection, turn, &self.progress))
    }

    /// The transaction that it is a handle of.
    pub(super) fn shared(&self) -> Option<&Arc<Shared>> {
        self.transaction.as_ref()
    }

    /// A connection with a transaction, when it is its turn to write.
    pub(super) async fn open(&self) -> Result<(DriverConnection, Turn), Fault> {
        self.progress.count();
        let _waiter = self.common.waiting.wait();
        let turn = self.turn(Hold::Longer).await?;
        Ok((self.common.pool.begin().await?, turn))
    }

    /// The right to write, and a part of the caller's share. Where one writes at a time, waiting
    /// writers have no part of it, so that they do not block their caller's readers.
    async fn turn(&self, hold: Hold) -> Result<Turn, Fault> {
        let share = self.share.as_deref();
        let write = take_write(share, &self.progress).await;
        let place = self.common.writers.place().await?;
        let permit = match place {
            Some(_) => Permit::take_free(share, &self.progress, hold),
            None => self.permit(hold).await?,
        };
        Ok(Turn {
            place,
            permit,
            write,
        })
    }

    async fn permit(&self, hold: Hold) -> Result<Permit, Fault> {
        Permit::take(self.share.as_deref(), &self.progress, hold).await
    }

    /// A handle of a transaction that was begun through this one.
    pub(super) fn within(&self, shared: Arc<Shared>) -> Self {
        Self {
            transaction: Some(shared),
            ..self.clone()
        }
    }

    /// The pool, inside of a transaction too.
    pub(super) fn any_pool(&self) -> &Pool {
        &self.common.pool
    }

    /// The callers that wait for a connection.
    pub(super) fn waiting(&self) -> &Waiting {
        &self.common.waiting
    }

    /// The pool, for what needs a connection of its own; `None` in a transaction.
    pub(super) fn pool(&self) -> Option<&Pool> {
        self.transaction.is_none().then_some(&self.common.pool)
    }

    /// The names of the runtime's own tables.
    pub(crate) fn own_tables(&self) -> &OwnTables {
        &self.common.own
    }

    /// The progress of changes in this handle's request.
    #[doc(hidden)]
    pub fn progress(&self) -> &Progress {
        &self.progress
    }
}

impl std::fmt::Debug for Db {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Db")
            .field("transaction", &self.transaction.is_some())
            .field("statements", &self.statements())
            .finish()
    }
}
