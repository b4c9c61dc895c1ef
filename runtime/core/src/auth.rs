//! Accounts, tokens and abilities.

mod abilities;
mod account_row;
mod accounts;
mod admin_user;
mod assignments;
mod attempts;
mod bearer;
mod confirmation;
mod credentials;
mod customers;
mod fields;
mod form;
mod grants;
mod issued;
mod login_index;
mod migrations;
mod new_account;
mod origin;
mod password;
#[cfg(feature = "testing")]
mod planting;
mod random;
mod tokens;

use std::sync::Arc;

use axum::http::HeaderMap;
use chrono::{DateTime, Utc};
use serde_json::{Map, Value as Json, json};

use crate::{clock::Clock, config::AuthConfig, shared::Shared};
use formwork_data::{
    database::{Db, Dialect},
    error::{Error, Result},
};

pub use abilities::Abilities;
pub use account_row::Filled;
pub use accounts::{Account, AccountKind, Caller};
pub use admin_user::AdminUser;
pub use assignments::administrator;
pub use assignments::assign_locations;
pub use customers::CustomerTable;
pub use form::form_fields;
pub use grants::{Granted, set_permissions};
pub use issued::{IssuedToken, Sought};
pub use migrations::{EXTENSION, migrations};
pub use new_account::NewAccount;
pub use origin::{Origin, Reason, subscriber};
pub use password::{hash_password, verify_password};
#[cfg(feature = "testing")]
pub use planting::plant_parents;
pub use random::random_text;
pub use tokens::{NewToken, revoke_account_tokens, revoke_tokens};

use attempts::Attempts;
use credentials::{Credentials, Logins};
use customers::AccountTable;

/// The message of 401 where a token is missing or invalid.
pub const NO_VALID_TOKEN: &str = "No valid API token provided.";

/// The accounts and tokens of a service; cheap to clone.
#[derive(Clone)]
pub struct Auth {
    inner: Arc<Inner>,
}

struct Inner {
    config: AuthConfig,
    /// The token check: one statement, built once.
    check: Arc<str>,
    /// The account with a key: one statement, built once.
    account: Arc<str>,
    logins: Logins,
}

impl Auth {
    /// Accounts and tokens with the customers of this table.
    #[cfg(test)]
    pub(crate) fn new(config: &AuthConfig, customers: CustomerTable, dialect: Dialect) -> Self {
        let clock: Clock = Arc::new(Utc::now);
        let attempts = (Shared::default(), clock);
        Self::counting(config, customers, dialect, attempts)
    }

    /// As [`Auth::new`]; failed logins are counted together with other replicas.
    pub(crate) fn counting(
        config: &AuthConfig,
        customers: CustomerTable,
        dialect: Dialect,
        (shared, clock): (Shared, Clock),
    ) -> Self {
        let check = tokens::check_statement(&customers, dialect).into();
        let account = tokens::account_statement(&customers, dialect).into();
        let logins = Logins {
            customers,
            attempts: Attempts::new(shared, clock),
        };
        let inner = Inner {
            config: config.clone(),
            check,
            account,
            logins,
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// The kind of account that a table holds, if it holds accounts.
    pub(crate) fn kind_of(&self, table: &str) -> Option<AccountKind> {
        match table {
            "admin_users" => Some(AccountKind::Admin),
            _ if table == self.customers().table() => Some(AccountKind::Customer),
            _ => None,
        }
    }

    /// The table of customers.
    pub fn customers(&self) -> &CustomerTable {
        &self.inner.logins.customers
    }

    /// The caller that sent these headers: a guest without a token, else the account behind it. One
    /// statement.
    ///
    /// # Errors
    ///
    /// 401 when the token is malformed, unknown, revoked or expired, or its account inactive or
    /// deleted: on every route, public ones too.
    pub async fn caller(&self, db: &Db, headers: &HeaderMap, now: DateTime<Utc>) -> Result<Caller> {
        match self.bearer_token(headers) {
            None => Ok(Caller::Guest),
            Some(token) => {
                let invalid = || Error::unauthenticated(NO_VALID_TOKEN);
                let (id, secret) = bearer::parts(token).ok_or_else(invalid)?;
                tokens::check(db, &self.inner.check, id, secret, now)
                    .await?
                    .ok_or_else(invalid)
            }
        }
    }

    /// The bearer token of these headers (RFC 6750, section 2.1), whoever issued it: from
    /// `Authorization`, or else from the header that `auth.authorization_header` trusts. It is empty
    /// where the header is no text or was sent twice.
    pub fn bearer_token<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let trusted = self.inner.config.authorization_header.as_deref();
        bearer::token(headers, trusted)
    }

    /// `POST /api/token`: the body of the 201 answer. `fields` are those of the specification,
    /// section 5.1, from JSON or from a form ([`form_fields`]). A refused login is logged.
    ///
    /// # Errors
    ///
    /// 422 with every broken rule, or for wrong credentials on the login field; 429 after five failed
    /// attempts within a minute for this address and account.
    pub(crate) async fn issue(
        &self,
        db: &Db,
        fields: &Map<String, Json>,
        origin: &Origin,
        now: DateTime<Utc>,
    ) -> Result<Json> {
        let credentials = Credentials::read(fields, origin)?;
        let login = credentials
            .account(db, &self.inner.logins, origin, now)
            .await?;
        let transaction = db.begin().await?;
        let inside = transaction.db();
        self.make_room(inside, credentials.kind(), login.id, now)
            .await?;
        let token = NewToken {
            kind: credentials.kind(),
            account: login.id,
            name: credentials.device_name().to_owned(),
            abilities: credentials.abilities().clone(),
            expires_at: self.expiry(now)?,
        };
        let token = token.insert(inside, now).await?;
        transaction.commit().await?;
        Ok(json!({"status_code": 201, "token": token}))
    }

    /// Revokes the oldest unused tokens of an account that has `auth.max_tokens`, so that one more can
    /// be issued. Logins of one account wait for each other, so that none is counted twice.
    async fn make_room(
        &self,
        db: &Db,
        kind: AccountKind,
        account: i64,
        now: DateTime<Utc>,
    ) -> Result<()> {
        let most = self.inner.config.max_tokens;
        let table = AccountTable::of(kind, self.customers());
        table.lock(db, account).await?;
        let valid = tokens::valid_tokens(db, kind, account, now).await?;
        let excess = valid + 1 - i64::from(most);
        if excess <= 0 {
            return Ok(());
        }
        let oldest = tokens::oldest_unused(db, (kind, account), now, excess).await?;
        revoke_tokens(db, &oldest).await.map(drop)
    }

    /// Signs an administrator in at the origin's place: by username, or, with an `@` in it, by e-mail
    /// address. Returns the account's key and the hash that the password was verified against.
    /// Attempts are counted and delayed as at the token endpoint.
    ///
    /// # Errors
    ///
    /// As [`Auth::issue`].
    #[doc(hidden)]
    pub async fn administrator(
        &self,
        db: &Db,
        (login, password): (&str, &str),
        origin: &Origin,
        now: DateTime<Utc>,
    ) -> Result<(i64, String)> {
        let field = if login.contains('@') {
            "email"
        } else {
            "username"
        };
        let fields = json!({
            "is_admin": true, field: login, "password": password, "device_name": origin.place(),
        });
        let credentials = Credentials::read(fields.as_object().unwrap_or(&Map::new()), origin)?;
        let login = credentials
            .account(db, &self.inner.logins, origin, now)
            .await?;
        Ok((login.id, login.password.unwrap_or_default()))
    }

    /// `GET /api/token/user`: the body of the 200 answer, the account behind the token.
    ///
    /// # Errors
    ///
    /// 401 for a guest.
    pub(crate) fn user(&self, caller: &Caller) -> Result<Json> {
        let account = caller
            .account()
            .ok_or_else(|| Error::unauthenticated(NO_VALID_TOKEN))?;
        Ok(json!({"status_code": 200, "user": account.visible()}))
    }

    /// `DELETE /api/token`: the presented token no longer works.
    ///
    /// # Errors
    ///
    /// 401 for a guest, 409 for credentials of another kind.
    pub(crate) async fn revoke(&self, db: &Db, caller: &Caller) -> Result<()> {
        let account = caller
            .account()
            .ok_or_else(|| Error::unauthenticated(NO_VALID_TOKEN))?;
        if account.token_id == 0 {
            return Err(Error::conflict(
                "These credentials are not a token of this service.",
            ));
        }
        revoke_tokens(db, &[account.token_id]).await.map(drop)
    }

    /// The key of the active account of this kind with this e-mail address.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn account_by_email(
        &self,
        db: &Db,
        kind: AccountKind,
        email: &str,
    ) -> Result<Option<i64>> {
        let table = AccountTable::of(kind, &self.inner.logins.customers);
        let found = table.find(db, &[("email", email)]).await?;
        Ok(found.filter(|login| login.active).map(|login| login.id))
    }

    /// The active account of this kind with this key: an administrator with its locations and
    /// permissions. It has all abilities: narrow [`Account::abilities`] where the credentials do.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn account(&self, db: &Db, kind: AccountKind, id: i64) -> Result<Option<Account>> {
        tokens::active_account(db, &self.inner.account, (kind, id)).await
    }

    /// When a token issued now stops working: `auth.token_lifetime`.
    ///
    /// # Errors
    ///
    /// When the lifetime leads beyond the calendar.
    pub fn expiry(&self, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>> {
        self.inner
            .config
            .token_lifetime
            .map(|lifetime| tokens::after(now, lifetime))
            .transpose()
    }
}

#[cfg(test)]
mod tests;
