//! The caller: the bearer token, its SHA-256, and the account behind it in one statement.

use axum::extract::FromRequestParts;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use sqlx::sqlite::SqliteRow;
use sqlx::{FromRow, Row};
use subtle::ConstantTimeEq;

use super::Refusal;
use super::pool::Pool;

/// Who asks.
pub enum Caller {
    Guest,
    Account(Account),
}

/// The account behind a token.
pub struct Account {
    abilities: Vec<String>,
    locations: Vec<i64>,
}

const CHECK: &str = "SELECT t.secret, t.abilities, t.last_used_at IS NULL OR t.last_used_at <= ?1, \
     a.user_id, (SELECT GROUP_CONCAT(l.location_id) FROM admin_user_locations l \
     WHERE l.user_id = a.user_id), c.customer_id \
     FROM api_tokens t \
     LEFT JOIN admin_users a ON t.account_kind = 'admin' AND a.user_id = t.account_id \
     AND a.is_activated \
     LEFT JOIN customers c ON t.account_kind = 'customer' AND c.customer_id = t.account_id \
     AND c.status \
     WHERE t.id = ?2 AND (t.expires_at IS NULL OR t.expires_at > ?3)";

struct Found {
    secret: String,
    abilities: String,
    stale: bool,
    admin: Option<i64>,
    locations: Option<String>,
    customer: Option<i64>,
}

impl FromRow<'_, SqliteRow> for Found {
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        Ok(Self {
            secret: row.try_get(0)?,
            abilities: row.try_get(1)?,
            stale: row.try_get(2)?,
            admin: row.try_get(3)?,
            locations: row.try_get(4)?,
            customer: row.try_get(5)?,
        })
    }
}

impl<P: Pool> FromRequestParts<P> for Caller {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, pool: &P) -> Result<Self, Refusal> {
        let Some(header) = parts.headers.get(AUTHORIZATION) else {
            return Ok(Self::Guest);
        };
        let token = header
            .to_str()
            .ok()
            .and_then(|it| it.strip_prefix("Bearer "));
        let (id, secret) = token
            .and_then(|token| token.split_once('|'))
            .ok_or(Refusal::Unauthenticated)?;
        let id: i64 = id.parse().map_err(|_| Refusal::Unauthenticated)?;
        account(pool, id, secret).await.map(Self::Account)
    }
}

async fn account<P: Pool>(pool: &P, id: i64, secret: &str) -> Result<Account, Refusal> {
    let now = Utc::now();
    let minute_ago = now - TimeDelta::minutes(1);
    let found: Option<Found> = sqlx::query_as(CHECK)
        .bind(stored(minute_ago))
        .bind(id)
        .bind(stored(now))
        .fetch_optional(&mut *pool.lend().await?)
        .await?;
    let found = found.ok_or(Refusal::Unauthenticated)?;
    let digest = hex(&Sha256::digest(secret.as_bytes()));
    let same = bool::from(digest.as_bytes().ct_eq(found.secret.as_bytes()));
    if !same || (found.admin.is_none() && found.customer.is_none()) {
        return Err(Refusal::Unauthenticated);
    }
    if found.stale {
        let pool = pool.clone();
        tokio::spawn(async move { remember(&pool, id, minute_ago, now).await });
    }
    let locations = found.locations.unwrap_or_default();
    Ok(Account {
        abilities: serde_json::from_str(&found.abilities).map_err(|_| Refusal::Unauthenticated)?,
        locations: locations
            .split(',')
            .filter_map(|id| id.parse().ok())
            .collect(),
    })
}

async fn remember<P: Pool>(pool: &P, id: i64, minute_ago: DateTime<Utc>, now: DateTime<Utc>) {
    let query = sqlx::query(
        "UPDATE api_tokens SET last_used_at = ? WHERE id = ? \
         AND (last_used_at IS NULL OR last_used_at <= ?)",
    );
    let query = query.bind(stored(now)).bind(id).bind(stored(minute_ago));
    let done = match pool.lend().await {
        Ok(mut connection) => query.execute(&mut *connection).await.map_err(Refusal::from),
        Err(refusal) => Err(refusal),
    };
    if let Err(refusal) = done {
        eprintln!("{refusal:?}");
    }
}

fn stored(moment: DateTime<Utc>) -> String {
    moment.to_rfc3339_opts(SecondsFormat::Micros, true)
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text
}

impl Caller {
    /// Public routes let guests in, but no token that does not cover them.
    pub fn may(&self, resource: &str, action: &str) -> Result<(), Refusal> {
        let Self::Account(account) = self else {
            return Ok(());
        };
        let covers = |held: &String| {
            held == "*"
                || held.split_once(':').is_some_and(|(of, what)| {
                    of == resource && (what == "*" || what == action || what == "read")
                })
        };
        if account.abilities.iter().any(covers) {
            Ok(())
        } else {
            Err(Refusal::Forbidden)
        }
    }

    /// The locations an administrator is bound to; none: those of all.
    pub fn locations(&self) -> &[i64] {
        match self {
            Self::Guest => &[],
            Self::Account(account) => &account.locations,
        }
    }
}
