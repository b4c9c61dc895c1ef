//! The pools that a hand-written server may have: sqlx's own, or `deadpool` over sqlx's connections, as poured
//! services have it.

use std::future::Future;
use std::ops::DerefMut;

use deadpool::managed::{self, Metrics, RecycleResult};
use sqlx::pool::PoolConnection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqlitePool};
use sqlx::{ConnectOptions, Sqlite};

use super::Refusal;

/// Lends connections, one for each statement.
pub trait Pool: Clone + Send + Sync + 'static {
    type Lent: DerefMut<Target = SqliteConnection> + Send;

    fn lend(&self) -> impl Future<Output = Result<Self::Lent, Refusal>> + Send;
}

impl Pool for SqlitePool {
    type Lent = PoolConnection<Sqlite>;

    async fn lend(&self) -> Result<Self::Lent, Refusal> {
        Ok(self.acquire().await?)
    }
}

/// Opens connections, and takes them back without asking them anything.
pub struct Manager(pub SqliteConnectOptions);

impl managed::Manager for Manager {
    type Type = SqliteConnection;
    type Error = sqlx::Error;

    async fn create(&self) -> Result<SqliteConnection, sqlx::Error> {
        self.0.connect().await
    }

    async fn recycle(&self, _: &mut SqliteConnection, _: &Metrics) -> RecycleResult<sqlx::Error> {
        Ok(())
    }
}

impl Pool for managed::Pool<Manager> {
    type Lent = managed::Object<Manager>;

    async fn lend(&self) -> Result<Self::Lent, Refusal> {
        self.get()
            .await
            .map_err(|error| Refusal::Pool(error.to_string()))
    }
}
