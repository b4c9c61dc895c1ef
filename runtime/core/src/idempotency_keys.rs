//! The table of `Idempotency-Key`s: which requests run, and how those that are done were answered.

use chrono::TimeDelta;
use formwork_data::{
    database::{Db, Fault, Sql},
    error::Result,
    migration::Migration,
    own_migration,
    value::{DateTime, Value},
};

/// The table's migrations.
pub const MIGRATIONS: &[Migration] = &[own_migration!(20260101000010, "create_idempotency_keys")];

/// How long answers are kept.
const KEPT: TimeDelta = TimeDelta::hours(24);

/// A key, and the caller that chose it.
#[derive(Debug, Clone)]
pub(crate) struct IdempotencyKey {
    pub caller: String,
    pub key: String,
}

/// The first request with a key, as the table holds it.
pub(crate) struct FirstRequest {
    pub fingerprint: String,
    /// `None` while it runs, or where its outcome is unknown.
    pub status: Option<u16>,
    pub headers: String,
    pub body: String,
}

impl IdempotencyKey {
    /// The first request with this key, if there was one within a day.
    pub async fn first_request(&self, db: &Db, now: DateTime) -> Result<Option<FirstRequest>> {
        let [caller, key] = self.values();
        let rows = db.rows(FIND, [caller, key, Value::from(now - KEPT)]);
        let Some(Ok([fingerprint, status, headers, body])) =
            rows.await?.into_iter().next().map(<[Value; 4]>::try_from)
        else {
            return Ok(None);
        };
        let text = |value: Value| value.as_str().unwrap_or_default().to_owned();
        Ok(Some(FirstRequest {
            fingerprint: text(fingerprint),
            status: status.as_int().and_then(|status| status.try_into().ok()),
            headers: text(headers),
            body: text(body),
        }))
    }

    /// Claims the key for a request; whether it was free.
    pub async fn claim(&self, db: &Db, fingerprint: &str, now: DateTime) -> Result<bool> {
        db.execute(FORGET, [Value::from(now - KEPT)]).await?;
        let [caller, key] = self.values();
        let values = vec![caller, key, fingerprint.into(), now.into()];
        match db.perform(Sql::from(CLAIM), values).await {
            Ok(_) => Ok(true),
            Err(Fault::Unique(_)) => Ok(false),
            Err(fault) => Err(fault.into()),
        }
    }

    /// Keeps an answer.
    pub async fn keep(&self, db: &Db, status: u16, headers: String, body: String) -> Result<u64> {
        let [caller, key] = self.values();
        let values = [
            i64::from(status).into(),
            headers.into(),
            body.into(),
            caller,
            key,
        ];
        db.execute(KEEP, values).await
    }

    /// Frees the key.
    pub async fn free(&self, db: &Db) -> Result<u64> {
        db.execute(FREE, self.values()).await
    }

    fn values(&self) -> [Value; 2] {
        [self.caller.clone().into(), self.key.clone().into()]
    }
}

const FIND: &str = "SELECT \"fingerprint\", \"status\", \"headers\", \"body\" \
    FROM \"idempotency_keys\" WHERE \"caller\" = ? AND \"key\" = ? AND \"created_at\" > ?";

const FORGET: &str = "DELETE FROM \"idempotency_keys\" WHERE \"created_at\" <= ?";

const CLAIM: &str = "INSERT INTO \"idempotency_keys\" \
    (\"caller\", \"key\", \"fingerprint\", \"created_at\") VALUES (?, ?, ?, ?)";

const KEEP: &str = "UPDATE \"idempotency_keys\" SET \"status\" = ?, \"headers\" = ?, \"body\" = ? \
    WHERE \"caller\" = ? AND \"key\" = ?";

const FREE: &str = "DELETE FROM \"idempotency_keys\" WHERE \"caller\" = ? AND \"key\" = ?";
