//! Tokens: rows of `api_tokens`, of whose secrets only the SHA-256 is kept.

use std::{borrow::Cow, sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use data_encoding::HEXLOWER;
use formwork_data::{
    database::{Db, Dialect, Row, among, quoted},
    error::{Error, Result},
    value::Value,
};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::{
    Abilities, Account, AccountKind, Caller, CustomerTable, assignments,
    customers::{active_expression, name_expression},
    random_text,
};

/// Letters and digits of a secret.
const SECRET_LENGTH: usize = 40;

/// A token about to be issued.
#[derive(Debug, Clone)]
pub struct NewToken {
    /// Administrator or customer.
    pub kind: AccountKind,
    /// Key of the account.
    pub account: i64,
    /// The device it is for.
    pub name: String,
    /// The abilities that it covers.
    pub abilities: Abilities,
    /// When it stops working.
    pub expires_at: Option<DateTime<Utc>>,
}

impl NewToken {
    /// Writes the token; the returned `<id>|<secret>` cannot be read again.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn insert(&self, db: &Db, now: DateTime<Utc>) -> Result<String> {
        let secret = random_text(SECRET_LENGTH);
        let abilities = serde_json::to_string(self.abilities.list()).map_err(Error::internal)?;
        let values = vec![
            Value::from(self.kind.name().to_owned()),
            Value::from(self.account),
            Value::from(self.name.clone()),
            Value::from(digest(&secret)),
            Value::from(abilities),
            Value::from(self.expires_at),
            Value::from(now),
        ];
        let id = db.insert(INSERT.into(), values, "id").await?;
        Ok(format!("{id}|{secret}"))
    }
}

const INSERT: &str = "INSERT INTO \"api_tokens\" (\"account_kind\", \"account_id\", \"name\", \
    \"secret\", \"abilities\", \"expires_at\", \"created_at\") VALUES (?, ?, ?, ?, ?, ?, ?)";

/// How many tokens of an account are valid.
///
/// # Errors
///
/// When the database fails.
pub(super) async fn valid_tokens(
    db: &Db,
    kind: AccountKind,
    account: i64,
    now: DateTime<Utc>,
) -> Result<i64> {
    let sql = "SELECT count(*) FROM \"api_tokens\" WHERE \"account_kind\" = ? \
               AND \"account_id\" = ? AND (\"expires_at\" IS NULL OR \"expires_at\" > ?)";
    let kind = Value::from(kind.name().to_owned());
    let rows = db.rows(sql, [kind, account.into(), now.into()]).await?;
    let count = rows.first().and_then(|row| row.first()?.as_int());
    Ok(count.unwrap_or_default())
}

/// The keys of valid tokens of an account that it needs least: first the tokens that were never used,
/// then the ones whose last use is longest ago.
///
/// # Errors
///
/// When the database fails.
pub(super) async fn oldest_unused(
    db: &Db,
    (kind, account): (AccountKind, i64),
    now: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<i64>> {
    let sql = "SELECT \"id\" FROM \"api_tokens\" WHERE \"account_kind\" = ? \
               AND \"account_id\" = ? AND (\"expires_at\" IS NULL OR \"expires_at\" > ?) \
               ORDER BY CASE WHEN \"last_used_at\" IS NULL THEN 0 ELSE 1 END, \
               \"last_used_at\", \"created_at\", \"id\" LIMIT ?";
    let kind = Value::from(kind.name().to_owned());
    let values = [kind, account.into(), now.into(), limit.into()];
    let rows = db.rows(sql, values).await?;
    let ids = rows.iter().filter_map(|row| row.first()?.as_int());
    Ok(ids.collect())
}

/// Revokes the tokens with these keys; returns how many there were.
///
/// # Errors
///
/// When the database fails.
pub async fn revoke_tokens(db: &Db, ids: &[i64]) -> Result<u64> {
    let condition = among("\"id\"", ids.len());
    let sql = format!("DELETE FROM \"api_tokens\" WHERE {condition}");
    db.execute(sql, ids.iter().map(|id| Value::from(*id))).await
}

/// Revokes the tokens of an account except this one; returns how many there were.
///
/// The default update of an account's resource does this where the password changes; hand-written
/// changes of a password call it.
///
/// # Errors
///
/// When the database fails.
pub async fn revoke_account_tokens(
    db: &Db,
    kind: AccountKind,
    account: i64,
    except: Option<i64>,
) -> Result<u64> {
    let sql = "DELETE FROM \"api_tokens\" WHERE \"account_kind\" = ? AND \"account_id\" = ? \
               AND \"id\" <> ?";
    // No token has the key 0.
    let except = except.unwrap_or_default();
    let kind = Value::from(kind.name().to_owned());
    db.execute(sql, [kind, account.into(), except.into()]).await
}

/// The token check: token, whether it was used within the minute, and the account behind it, of
/// whichever kind: each column of a row costs as much as reading two rows by their keys.
/// Its parameters are the minute before, the token's id, and now.
pub(super) fn check_statement(customers: &CustomerTable, dialect: Dialect) -> String {
    let columns = "t.\"secret\", t.\"account_kind\", t.\"abilities\", \
         CASE WHEN t.\"last_used_at\" IS NULL OR t.\"last_used_at\" <= ? THEN 1 ELSE 0 END";
    let condition = "WHERE t.\"id\" = ? AND (t.\"expires_at\" IS NULL OR t.\"expires_at\" > ?)";
    let tokens = "\"api_tokens\"";
    format!(
        "{} {condition}",
        accounts_of((columns, tokens), customers, dialect)
    )
}

/// The active account with this kind and key, in the columns of [`check_statement`].
pub(super) fn account_statement(customers: &CustomerTable, dialect: Dialect) -> String {
    let columns = "NULL, t.\"account_kind\", NULL, 0";
    let one = "(SELECT ? AS \"account_kind\", ? AS \"account_id\")";
    accounts_of((columns, one), customers, dialect)
}

/// Columns of the rows `t`, which have a kind and a key, and the active accounts they name.
fn accounts_of(
    (columns, rows): (&str, &str),
    customers: &CustomerTable,
    dialect: Dialect,
) -> String {
    format!(
        "SELECT {columns}, \
         COALESCE(a.\"user_id\", c.{key}), COALESCE(a.\"email\", c.\"email\"), \
         COALESCE(a.\"name\", {name}), a.\"username\", \
         CASE WHEN a.\"super_user\" IS TRUE THEN 1 ELSE 0 END, a.\"permissions\", \
         (SELECT {locations} FROM \"admin_user_locations\" l \
         WHERE l.\"user_id\" = a.\"user_id\") \
         FROM {rows} t \
         LEFT JOIN \"admin_users\" a ON t.\"account_kind\" = 'admin' \
         AND a.\"user_id\" = t.\"account_id\" AND a.\"is_activated\" IS TRUE \
         LEFT JOIN {table} c ON t.\"account_kind\" = 'customer' \
         AND c.{key} = t.\"account_id\" AND {active}",
        key = quoted(customers.key()),
        name = name_expression(customers, "c"),
        table = quoted(customers.table()),
        active = active_expression(customers, Some("c")),
        locations = dialect.joined("l.\"location_id\""),
    )
}

/// The active account of this kind with this key; it may do everything.
pub(super) async fn active_account(
    db: &Db,
    statement: &Arc<str>,
    (kind, id): (AccountKind, i64),
) -> Result<Option<Account>> {
    let values = vec![Value::from(kind.name().to_owned()), Value::from(id)];
    let row = db.first(statement.into(), values).await?;
    Ok(row
        .map(|row| account(&row, kind.name(), Abilities::all()))
        .transpose()?
        .flatten())
}

/// The caller whose token this is; `None` where it is invalid.
pub(super) async fn check(
    db: &Db,
    statement: &Arc<str>,
    id: i64,
    secret: &str,
    now: DateTime<Utc>,
) -> Result<Option<Caller>> {
    let minute_ago = now - TimeDelta::minutes(1);
    let values = vec![Value::from(minute_ago), Value::from(id), Value::from(now)];
    let Some(row) = db.first(statement.into(), values).await? else {
        return Ok(None);
    };
    let Some(found) = TokenRow::read(&row, id)? else {
        return Ok(None);
    };
    if !bool::from(found.digest.as_bytes().ct_eq(digest(secret).as_bytes())) {
        return Ok(None);
    }
    if found.stale {
        remember_use(db.for_request(), id, minute_ago, now);
    }
    Ok(Some(found.account.into()))
}

/// Writes `last_used_at`, at most once a minute and beside the request: a busy database does not
/// make a reader wait, and a failure is only logged.
fn remember_use(db: Db, id: i64, minute_ago: DateTime<Utc>, now: DateTime<Utc>) {
    tokio::spawn(async move {
        let sql = "UPDATE \"api_tokens\" SET \"last_used_at\" = ? WHERE \"id\" = ? \
                   AND (\"last_used_at\" IS NULL OR \"last_used_at\" <= ?)";
        let values = vec![Value::from(now), Value::from(id), Value::from(minute_ago)];
        if let Err(error) = db.execute(sql, values).await {
            tracing::debug!(token = id, %error, "last_used_at was not written");
        }
    });
}

/// A row of the token check: the columns of [`check_statement`].
struct TokenRow<'r> {
    digest: &'r str,
    stale: bool,
    account: Account,
}

impl<'r> TokenRow<'r> {
    fn read(row: &'r Row, token_id: i64) -> Result<Option<Self>> {
        let texts = (row.opt_text(0)?, row.opt_text(1)?, row.opt_text(2)?);
        let (Some(digest), Some(kind), Some(abilities)) = texts else {
            return Ok(None);
        };
        let Ok(held) = serde_json::from_str::<Vec<Cow<'_, str>>>(abilities) else {
            return Ok(None);
        };
        let Ok(abilities) = Abilities::parse(held.iter().map(|word| &**word)) else {
            return Ok(None);
        };
        let Some(mut account) = account(row, kind, abilities)? else {
            return Ok(None);
        };
        account.token_id = token_id;
        Ok(Some(Self {
            digest,
            stale: row.integer(3)? == 1,
            account,
        }))
    }
}

/// The account, of which only an administrator has the columns after its name.
fn account(row: &Row, kind: &str, abilities: Abilities) -> Result<Option<Account>> {
    let (Some(id), Some(email)) = (row.opt_integer(4)?, row.opt_text(5)?) else {
        return Ok(None);
    };
    let kind = match kind == AccountKind::Admin.name() {
        true => AccountKind::Admin,
        false => AccountKind::Customer,
    };
    let mut account = Account::with_abilities(kind, id, email.to_owned(), abilities);
    account.name = row.opt_text(6)?.map(str::to_owned);
    account.username = row.opt_text(7)?.map(str::to_owned);
    account.super_user = row.opt_integer(8)? == Some(1);
    if let Some(permissions) = row.opt_text(9)?.filter(|text| !text.is_empty()) {
        account.permissions = serde_json::from_str(permissions).unwrap_or_default();
    }
    account.locations = assignments::listed(&row.value(10)?);
    Ok(Some(account))
}

/// The stored form of a secret.
fn digest(secret: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(secret.as_bytes()))
}

/// A moment this much later.
pub(super) fn after(now: DateTime<Utc>, lifetime: Duration) -> Result<DateTime<Utc>> {
    TimeDelta::from_std(lifetime)
        .ok()
        .and_then(|lifetime| now.checked_add_signed(lifetime))
        .ok_or_else(|| Error::internal("the lifetime of tokens is too long"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_sha256_in_hex() {
        assert_eq!(
            digest("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn a_lifetime_beyond_the_calendar_is_refused() {
        assert!(after(Utc::now(), Duration::MAX).is_err());
        let now = Utc::now();
        assert_eq!(
            after(now, Duration::from_secs(60)).expect("later"),
            now + TimeDelta::minutes(1)
        );
    }
}
