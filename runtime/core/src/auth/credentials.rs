//! The fields of `POST /api/token`.

use std::{fmt, time::Duration};

use chrono::{DateTime, Utc};
use formwork_data::{
    database::Db,
    error::{Error, Result, ValidationErrors},
};
use serde_json::{Map, Value as Json};
use tokio::time::Instant;

use super::{
    Abilities, AccountKind, Origin,
    attempts::{self, Attempted, Attempts},
    customers::{AccountTable, CustomerTable, LoginRow},
    fields::{abilities, boolean, limit_device_name, require, require_login, secret, string},
    origin::{self, Reason},
    password::{self, PasswordVerdict},
};

/// The least time of the answer to a wrong login, so that it does not depend on the account.
pub(super) const FLOOR: Duration = Duration::from_millis(400);

/// The state that logins are checked against.
pub(super) struct Logins {
    /// The table of customers.
    pub customers: CustomerTable,
    /// Failed logins.
    pub attempts: Attempts,
}

/// A token request that keeps the rules.
#[derive(Clone, PartialEq)]
pub(super) struct Credentials {
    kind: AccountKind,
    username: Option<String>,
    email: Option<String>,
    password: String,
    device_name: String,
    abilities: Abilities,
}

/// The result of a check of credentials.
enum Verified {
    /// The account, and how its password was hashed.
    Accepted(LoginRow, PasswordVerdict),
    Refused(Reason),
}

/// Without the password: it never reaches a log.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (field, login) = self.login();
        f.debug_struct("Credentials")
            .field(field, &login)
            .finish_non_exhaustive()
    }
}

impl Credentials {
    /// Reads the fields.
    ///
    /// # Errors
    ///
    /// 422 with every broken rule.
    pub fn read(fields: &Map<String, Json>, origin: &Origin) -> Result<Self> {
        let mut errors = ValidationErrors::default();
        let is_admin = boolean(fields, "is_admin", &mut errors);
        let username = string(fields, "username", &mut errors);
        let email = string(fields, "email", &mut errors);
        let password = secret(fields, "password", &mut errors);
        let device_name = string(fields, "device_name", &mut errors);
        let abilities = abilities(fields, &mut errors);
        // The earlier form of the request: a username alone means an administrator.
        let earlier = is_admin.is_none() && username.is_some() && email.is_none();
        let admin = is_admin == Some(true) || earlier;
        let kind = if admin {
            AccountKind::Admin
        } else {
            AccountKind::Customer
        };
        require_login(kind, username.as_deref(), email.as_deref(), &mut errors);
        require(&password, "password", &mut errors);
        require(&device_name, "device_name", &mut errors);
        limit_device_name(device_name.as_deref(), &mut errors);
        let report = |_: &Error| origin.refused(kind, origin::named(fields), Reason::Fields);
        errors.into_result().inspect_err(report)?;
        Ok(Self {
            kind,
            username: username.filter(|_| admin),
            email,
            password: password.unwrap_or_default(),
            device_name: device_name.unwrap_or_default(),
            abilities,
        })
    }

    /// Administrator or customer.
    pub fn kind(&self) -> AccountKind {
        self.kind
    }

    /// The device the token is for.
    pub fn device_name(&self) -> &str {
        &self.device_name
    }

    /// The abilities of the token.
    pub fn abilities(&self) -> &Abilities {
        &self.abilities
    }

    /// The account these credentials belong to, with the hash its password was verified against:
    /// its newer one, where that took the older one's place.
    ///
    /// # Errors
    ///
    /// One and the same 422 on the login field whether the account is unknown or inactive or the
    /// password wrong, or the account tried too often under another name; 429 after too many of
    /// these for the login that was sent.
    pub async fn account(
        &self,
        db: &Db,
        logins: &Logins,
        origin: &Origin,
        now: DateTime<Utc>,
    ) -> Result<LoginRow> {
        let began = Instant::now();
        let (field, sent) = self.login();
        let report = |reason| origin.refused(self.kind, sent, reason);
        let attempted = self.attempted(origin);
        let counted = logins.attempts.begin(&attempted).await;
        counted.inspect_err(|_| report(Reason::Attempts))?;
        let table = AccountTable::of(self.kind, &logins.customers);
        match self.verified(db, logins, &table, &attempted).await? {
            Verified::Accepted(login, verdict) => {
                self.logged_in(db, &table, login, verdict, now).await
            }
            Verified::Refused(reason) => {
                report(reason);
                tokio::time::sleep_until(began + FLOOR).await;
                let message = "The provided credentials are incorrect.";
                Err(Error::validation(field, message))
            }
        }
    }

    /// Finds the account and checks the password.
    async fn verified(
        &self,
        db: &Db,
        Logins { attempts, .. }: &Logins,
        table: &AccountTable,
        attempted: &Attempted,
    ) -> Result<Verified> {
        let found = self.found(db, table).await?;
        // An account with two names is tried no more often than one. 429 would tell that there is
        // such an account, so this is refused like a wrong password.
        let account = attempted.of_account(found.as_ref().map(|login| login.id));
        let is_open = attempts.begin(&account).await.is_ok();
        let tried = found.as_ref().filter(|_| is_open);
        let hash = tried.and_then(|login| login.password.as_deref());
        let verdict = password::check(&self.password, hash).await?;
        let reason = match found {
            None => Reason::Unknown,
            Some(_) if !is_open => Reason::Attempts,
            Some(_) if verdict == PasswordVerdict::Wrong => Reason::Password,
            Some(login) if !login.active => Reason::Inactive,
            Some(login) => {
                attempts.succeeded(attempted).await;
                attempts.succeeded(&account).await;
                return Ok(Verified::Accepted(login, verdict));
            }
        };
        Ok(Verified::Refused(reason))
    }

    /// Stores the time of the login, and a newer hash of the password if it has an older one.
    async fn logged_in(
        &self,
        db: &Db,
        table: &AccountTable,
        mut login: LoginRow,
        verdict: PasswordVerdict,
        now: DateTime<Utc>,
    ) -> Result<LoginRow> {
        let upgraded = match verdict {
            PasswordVerdict::RightButOld => self.upgraded().await,
            PasswordVerdict::Right | PasswordVerdict::Wrong => None,
        };
        table.logged_in(db, &login, upgraded.clone(), now).await?;
        login.password = upgraded.or(login.password);
        Ok(login)
    }

    /// The password's newer hash. Where hashing fails the older hash stays: the login succeeds.
    async fn upgraded(&self) -> Option<String> {
        let hashed = password::hash_password(&self.password).await;
        let report = |error: &Error| tracing::error!(%error, "an older hash was not upgraded");
        hashed.inspect_err(report).ok()
    }

    async fn found(&self, db: &Db, table: &AccountTable) -> Result<Option<LoginRow>> {
        let logins = [("email", &self.email), ("username", &self.username)];
        let sent = logins
            .iter()
            .filter_map(|(column, login)| Some((*column, login.as_deref()?)));
        table.find(db, &sent.collect::<Vec<_>>()).await
    }

    /// The login field, and what it holds.
    fn login(&self) -> (&'static str, &str) {
        match (&self.email, &self.username) {
            (Some(email), _) => ("email", email),
            (None, username) => ("username", username.as_deref().unwrap_or_default()),
        }
    }

    fn attempted(&self, origin: &Origin) -> Attempted {
        let (_, login) = self.login();
        Attempted {
            address: origin.subscriber(),
            kind: self.kind,
            login: attempts::Login::Sent(login.to_lowercase()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(fields: Json) -> Result<Credentials> {
        let Json::Object(fields) = fields else {
            panic!("an object")
        };
        Credentials::read(&fields, &Origin::new(None, "1", "token"))
    }

    fn errors(fields: Json) -> Json {
        match read(fields) {
            Err(Error::Validation(errors)) => serde_json::to_value(errors).expect("JSON"),
            other => panic!("no 422: {other:?}"),
        }
    }

    #[test]
    fn all_broken_rules_are_reported_at_once() {
        let told = errors(json!({"is_admin": "maybe", "email": 7, "abilities": ["a b", "ok", 1]}));
        assert_eq!(
            told,
            json!({
                "abilities.0": ["The abilities.0 field format is invalid."],
                "abilities.2": ["The abilities.2 field format is invalid."],
                "device_name": ["The device name field is required."],
                "email": ["The email field must be a string."],
                "is_admin": ["The is admin field must be true or false."],
                "password": ["The password field is required."],
            })
        );
    }

    #[test]
    fn passwords_are_not_trimmed_and_device_names_have_a_limit() {
        let fields =
            |name: String| json!({"email": " a@b.c ", "password": " x ", "device_name": name});
        let read = read(fields("é".repeat(255))).expect("legal");
        assert_eq!(
            (read.password.as_str(), read.email.as_deref()),
            (" x ", Some("a@b.c"))
        );
        assert_eq!(read.abilities, Abilities::all());
        assert!(!format!("{read:?}").contains("\" x \""), "{read:?}");
        assert!(errors(fields("é".repeat(256)))["device_name"].is_array());
        assert!(errors(fields("  ".to_owned()))["device_name"].is_array());
    }
}
