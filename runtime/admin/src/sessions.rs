//! Sessions: rows of `admin_sessions`. Of their secrets only the SHA-256 is stored.

use chrono::TimeDelta;
use data_encoding::HEXLOWER;
use formwork_core::auth::{Account, AccountKind, random_text};
use formwork_data::{
    database::{Db, among},
    error::Result,
    migration::Migration,
    own_migration,
    value::{DateTime, Value},
};
use sha2::{Digest, Sha256};

use super::guard;

/// A session ends this long after it began, even if it is used.
pub const LIFETIME: TimeDelta = TimeDelta::hours(8);

/// A session ends after this time without use.
pub const IDLE: TimeDelta = TimeDelta::hours(2);

/// The least time between two writes of `used_at`.
const NOTED: TimeDelta = TimeDelta::minutes(1);

/// Letters and digits of a secret.
const SECRET_LENGTH: usize = 40;

/// Makes the table.
pub(super) const MIGRATION: Migration = own_migration!(20260101000021, "create_admin_sessions");

/// A session, and its administrator.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Session {
    /// Key of its row.
    pub id: i64,
    /// The administrator.
    pub account: Account,
    /// The token of its forms: of the cookie that it was found by.
    pub csrf: String,
}

/// Begins a session of this administrator, which lasts while the password has the hash it was verified
/// against: one that was changed meanwhile ends it. Returns its secret. Sessions that are over are
/// swept.
pub(super) async fn begin(
    db: &Db,
    (administrator, hash): (i64, &str),
    now: DateTime,
) -> Result<String> {
    let sql = "DELETE FROM \"admin_sessions\" WHERE \"created_at\" <= ? OR \"used_at\" <= ?";
    db.execute(sql, [Value::from(now - LIFETIME), Value::from(now - IDLE)])
        .await?;
    let secret = random_text(SECRET_LENGTH);
    let sql = "INSERT INTO \"admin_sessions\" \
               (\"user_id\", \"secret\", \"password\", \"created_at\", \"used_at\") \
               VALUES (?, ?, ?, ?, ?)";
    let values = [
        Value::from(administrator),
        Value::from(digest(&secret)),
        Value::from(print(hash)),
        now.into(),
        now.into(),
    ];
    db.execute(sql, values).await?;
    Ok(secret)
}

/// The session with this secret. One whose administrator was deactivated, or has another password
/// by now, is over for good.
pub(super) async fn find(db: &Db, secret: &str, now: DateTime) -> Result<Option<Session>> {
    let values = [
        Value::from(now - NOTED),
        Value::from(digest(secret)),
        Value::from(now - LIFETIME),
        Value::from(now - IDLE),
    ];
    let rows = db.rows(FIND, values).await?;
    let Some(mut found) = rows.first().and_then(|row| Found::read(row)) else {
        return Ok(None);
    };
    if !found.is_good {
        end(db, found.session.id).await?;
        return Ok(None);
    }
    if found.is_stale {
        remember_use(db.for_request(), found.session.id, now);
    }
    found.session.csrf = guard::token(secret);
    Ok(Some(found.session))
}

/// Writes `used_at` beside the request: a busy database does not make a reader wait.
fn remember_use(db: Db, id: i64, now: DateTime) {
    tokio::spawn(async move {
        let sql = "UPDATE \"admin_sessions\" SET \"used_at\" = ? WHERE \"id\" = ?";
        if let Err(error) = db.execute(sql, [Value::from(now), Value::from(id)]).await {
            tracing::debug!(session = id, %error, "used_at was not written");
        }
    });
}

const FIND: &str = "SELECT s.\"id\", s.\"password\", \
    CASE WHEN s.\"used_at\" <= ? THEN 1 ELSE 0 END, \
    CASE WHEN a.\"is_activated\" IS TRUE THEN 1 ELSE 0 END, \
    CASE WHEN a.\"super_user\" IS TRUE THEN 1 ELSE 0 END, \
    a.\"user_id\", a.\"name\", a.\"email\", a.\"username\", a.\"password\", a.\"permissions\" \
    FROM \"admin_sessions\" s JOIN \"admin_users\" a ON a.\"user_id\" = s.\"user_id\" \
    WHERE s.\"secret\" = ? AND s.\"created_at\" > ? AND s.\"used_at\" > ?";

/// Ends a session.
pub(super) async fn end(db: &Db, id: i64) -> Result<()> {
    let sql = "DELETE FROM \"admin_sessions\" WHERE \"id\" = ?";
    db.execute(sql, [Value::from(id)]).await.map(drop)
}

/// Ends the sessions with these secrets.
pub(super) async fn end_all(db: &Db, secrets: impl Iterator<Item = &str>) -> Result<()> {
    let digests: Vec<Value> = secrets.map(|secret| digest(secret).into()).collect();
    if digests.is_empty() {
        return Ok(());
    }
    let condition = among("\"secret\"", digests.len());
    let sql = format!("DELETE FROM \"admin_sessions\" WHERE {condition}");
    db.execute(sql, digests).await.map(drop)
}

/// A row of [`FIND`].
struct Found {
    session: Session,
    is_good: bool,
    is_stale: bool,
}

impl Found {
    fn read(row: &[Value]) -> Option<Self> {
        let [
            id,
            known,
            is_stale,
            is_active,
            super_user,
            user,
            name,
            email,
            username,
            password,
            permissions,
        ] = row
        else {
            return None;
        };
        let mut account =
            Account::without_token(AccountKind::Admin, user.as_int()?, email.to_string());
        account.name = Some(name.to_string());
        account.username = Some(username.to_string());
        account.super_user = super_user.is_true();
        account.permissions = serde_json::from_str(&permissions.to_string()).unwrap_or_default();
        let id = id.as_int()?;
        Some(Self {
            session: Session {
                id,
                account,
                csrf: String::new(),
            },
            is_good: is_active.is_true()
                && known.as_str() == Some(print(&password.to_string()).as_str()),
            is_stale: is_stale.is_true(),
        })
    }
}

/// A digest that changes with the password, and does not reveal it.
fn print(hash: &str) -> String {
    digest(hash)
}

fn digest(text: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(text.as_bytes()))
}
