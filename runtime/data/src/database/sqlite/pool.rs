//! SQLite connections, pooled by `deadpool`.
//!
//! sqlx's own pool pings each returned connection, which costs as much as a short statement. Here a
//! connection is reset only when its statement or transaction did not end well.

mod connection;
mod deadline;

use std::{
    sync::{Arc, OnceLock, Weak},
    time::Duration,
};

use deadpool::{
    Runtime,
    managed::{self, PoolError, QueueMode, TimeoutType, Timeouts},
};
use sqlx::{
    ConnectOptions, Connection, SqliteConnection, SqlitePool,
    sqlite::{SqliteConnectOptions, SqlitePoolOptions},
};
use tokio::time::sleep;

use super::fault::fault;
use crate::{
    database::{dialect::Dialect, fault::Fault, options::DatabaseOptions},
    error::Error,
};
use connection::Manager;
pub use connection::PooledConnection;

/// How often unused connections are closed, and the file is looked for.
const MAINTENANCE: Duration = Duration::from_secs(1);

/// Without waiting for one that is in use.
const AT_ONCE: Timeouts = Timeouts {
    wait: Some(Duration::ZERO),
    create: None,
    recycle: None,
};

/// The connections of a database; cheap to clone.
#[derive(Clone)]
pub struct ConnectionPool(Arc<Inner>);

struct Inner {
    pool: managed::Pool<Manager, PooledConnection>,
    options: DatabaseOptions,
    /// The pool of the project's own queries; made at the first call.
    sqlx_pool: OnceLock<SqlitePool>,
    /// A database in memory ends with its last connection: this one stays open.
    _memory: Option<SqliteConnection>,
}

impl ConnectionPool {
    /// Makes the file where it is missing, and opens the connections that stay open.
    ///
    /// # Errors
    /// The driver's error on the file.
    pub async fn open(
        connect: SqliteConnectOptions,
        options: DatabaseOptions,
        in_memory: bool,
    ) -> Result<Self, Fault> {
        let first = connect.clone().create_if_missing(true).connect().await;
        let first = first.map_err(fault)?;
        // A file that is moved away later is not replaced by an empty one.
        let connect = connect.create_if_missing(false);
        let pool = managed::Pool::builder(Manager {
            connect,
            statement_timeout: options.statement_timeout,
            in_memory,
        })
        .max_size(options.max.max(1) as usize)
        // The same few connections are used, and the others can be closed.
        .queue_mode(QueueMode::Lifo)
        .runtime(Runtime::Tokio1)
        .wait_timeout(Some(options.acquire_timeout))
        .build()
        .map_err(|error| Fault::Other(Error::internal(error)))?;
        let stay = options.min.min(options.max);
        let pool = Self(Arc::new(Inner {
            pool,
            options,
            sqlx_pool: OnceLock::new(),
            _memory: in_memory.then_some(first),
        }));
        tokio::spawn(maintain(Arc::downgrade(&pool.0)));
        let mut opened = Vec::new();
        for _ in 0..stay {
            opened.push(pool.get().await?);
        }
        opened.into_iter().for_each(PooledConnection::done);
        Ok(pool)
    }

    /// The database's dialect of SQL.
    pub const fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    /// A connection for a statement or a transaction.
    ///
    /// # Errors
    /// 503 when none is free in time, or the service is stopping.
    pub async fn get(&self) -> Result<PooledConnection, Fault> {
        let pool = &self.0.pool;
        // A free one is taken without a timer.
        let taken = match pool.timeout_get(&AT_ONCE).await {
            Err(PoolError::Timeout(TimeoutType::Wait)) => pool.get().await,
            taken => taken,
        };
        taken.map_err(|error| match error {
            PoolError::Timeout(_) => fault(sqlx::Error::PoolTimedOut),
            PoolError::Backend(error) => fault(error),
            _ => fault(sqlx::Error::PoolClosed),
        })
    }

    /// As [`ConnectionPool::get`], for writes: the file is looked for first.
    ///
    /// # Errors
    /// As [`ConnectionPool::get`].
    pub async fn get_to_write(&self) -> Result<PooledConnection, Fault> {
        self.0.close_unneeded();
        self.get().await
    }

    /// sqlx's own pool for the same database; it opens no connection before its first statement.
    pub fn sqlx_pool(&self) -> SqlitePool {
        let Inner { pool, options, .. } = &*self.0;
        let pool = || {
            SqlitePoolOptions::new()
                .max_connections(options.max.max(1))
                .acquire_timeout(options.acquire_timeout)
                .idle_timeout(options.idle_timeout)
                .connect_lazy_with(pool.manager().connect.clone())
        };
        self.0.sqlx_pool.get_or_init(pool).clone()
    }

    /// How many connections are open, how many of these are free, and the most there may be.
    pub fn sizes(&self) -> (usize, usize, usize) {
        let status = self.0.pool.status();
        (status.size, status.available, status.max_size)
    }

    /// Closes the pool: it hands out no more connections, closes idle ones, and waits for those in
    /// use.
    pub async fn close(&self) {
        let pool = &self.0.pool;
        let idle = pool.retain(|_, _| false).removed;
        pool.close();
        for connection in idle {
            // It is closed, whatever its thread answered.
            let _ = connection.inner.close().await;
        }
        if let Some(sqlx_pool) = self.0.sqlx_pool.get() {
            sqlx_pool.close().await;
        }
        while pool.status().size > 0 {
            sleep(Duration::from_millis(10)).await;
        }
    }
}

impl Inner {
    /// Closes connections that were not used for a while, and those to a file that was deleted.
    fn close_unneeded(&self) {
        let file = self.pool.manager().file();
        let idle_timeout = self.options.idle_timeout;
        let mut kept = 0;
        let closed = self.pool.retain(|connection, metrics| {
            let used = idle_timeout.is_none_or(|longest| metrics.last_used() < longest);
            let keep = connection.file == file && (used || kept < self.options.min);
            kept += u32::from(keep);
            keep
        });
        let mut closed = closed.removed.iter();
        if closed.any(|connection| connection.file != file) {
            tracing::warn!("the database file was deleted or replaced: opening it again");
        }
    }
}

/// Closes what is not needed, as long as the pool is used.
async fn maintain(inner: Weak<Inner>) {
    loop {
        sleep(MAINTENANCE).await;
        let Some(inner) = inner.upgrade() else { return };
        inner.close_unneeded();
    }
}

#[cfg(test)]
mod tests;
