//! The table `api_identities`: which account of the service an account of an issuer is.

use formwork_core::{
    auth::{self, AccountKind},
    extension::Extension,
};
use formwork_data::{
    database::Db,
    error::Result,
    migration::Migration,
    own_migration,
    value::{DateTime, Value},
};

const MIGRATIONS: &[Migration] = &[own_migration!(20260101000020, "create_api_identities")];

const FIND: &str = "SELECT \"account_id\" FROM \"api_identities\" \
                    WHERE \"issuer\" = ? AND \"subject\" = ? AND \"account_kind\" = ?";

const KEEP: &str = "INSERT INTO \"api_identities\" \
                    (\"issuer\", \"subject\", \"account_kind\", \"account_id\", \"created_at\") \
                    VALUES (?, ?, ?, ?, ?)";

/// Brings the table of identities.
pub struct Identities;

impl Extension for Identities {
    fn name(&self) -> &'static str {
        auth::EXTENSION
    }

    fn migrations(&self) -> &'static [Migration] {
        MIGRATIONS
    }
}

/// An account of an issuer.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    pub issuer: &'a str,
    pub subject: &'a str,
    pub kind: AccountKind,
}

impl Subject<'_> {
    /// The key of its account in this service, if it was seen before.
    pub async fn account(&self, db: &Db) -> Result<Option<i64>> {
        let rows = db.rows(FIND, self.values()).await?;
        Ok(rows.first().and_then(|row| row.first()?.as_int()))
    }

    /// Keeps which account it is.
    pub async fn keep(&self, db: &Db, account: i64, now: DateTime) -> Result<()> {
        let [issuer, subject, kind] = self.values();
        let values = [issuer, subject, kind, account.into(), now.into()];
        db.execute(KEEP, values).await.map(drop)
    }

    fn values(&self) -> [Value; 3] {
        [
            Value::from(self.issuer),
            Value::from(self.subject),
            Value::from(self.kind.name()),
        ]
    }
}
