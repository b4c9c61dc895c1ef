//! Callers: guests, customers and administrators.

use formwork_data::{Error, Result};
use formwork_vocabulary::action::Allow;
use serde_json::{Value as Json, json};

use super::Abilities;

/// The two kinds of account that hold tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AccountKind {
    /// A row of `admin_users`.
    Admin,
    /// A row of the table of customers.
    Customer,
}

impl AccountKind {
    /// The word stored with a token.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Customer => "customer",
        }
    }
}

/// The account behind a valid token.
#[derive(Debug, Clone, PartialEq)]
pub struct Account {
    /// Administrator or customer.
    pub kind: AccountKind,
    /// Key of the account's row.
    pub id: i64,
    /// The name for people, where the table has one.
    pub name: Option<String>,
    /// The e-mail address of the account.
    pub email: String,
    /// An administrator's login.
    pub username: Option<String>,
    /// Whether an administrator may do everything.
    pub super_user: bool,
    /// The permissions of an administrator.
    pub permissions: Vec<String>,
    /// The locations an administrator is assigned to; without any, it reaches the rows of all
    /// locations.
    pub locations: Vec<i64>,
    /// Row of the token that was sent; 0 without one (console, tests).
    pub token_id: i64,
    /// The abilities of the token.
    pub abilities: Abilities,
}

impl Account {
    /// An account without a token, for work outside of requests: it may do everything.
    pub fn without_token(kind: AccountKind, id: i64, email: impl Into<String>) -> Self {
        Self::with_abilities(kind, id, email.into(), Abilities::all())
    }

    /// An account that may do this much.
    pub(super) fn with_abilities(
        kind: AccountKind,
        id: i64,
        email: String,
        abilities: Abilities,
    ) -> Self {
        Self {
            kind,
            id,
            name: None,
            email,
            username: None,
            super_user: kind == AccountKind::Admin,
            permissions: Vec::new(),
            locations: Vec::new(),
            token_id: 0,
            abilities,
        }
    }

    /// The same account without permissions, and no super user: of an administrator that an outside
    /// issuer signed in.
    #[must_use]
    pub fn without_permissions(self) -> Self {
        Self {
            super_user: false,
            permissions: Vec::new(),
            ..self
        }
    }

    /// Whether an administrator holds this permission, such as `Ext.Api.Manage`, or all of its kind:
    /// `Ext.Api.*`.
    pub fn has_permission(&self, permission: &str) -> bool {
        let covers = |held: &String| match held.strip_suffix('*') {
            Some(kind) if kind.ends_with('.') => permission.starts_with(kind),
            _ => held == permission,
        };
        self.super_user || self.permissions.iter().any(covers)
    }

    /// The account as its owner sees it: the answer of `GET /api/token/user`.
    pub(super) fn visible(&self) -> Json {
        let mut seen = json!({
            "id": self.id,
            "is_admin": self.kind == AccountKind::Admin,
            "name": self.name,
            "email": self.email,
            "abilities": self.abilities.list(),
        });
        if let Some(username) = &self.username {
            seen["username"] = json!(username);
            seen["super_user"] = json!(self.super_user);
        }
        seen
    }
}

/// The sender of a request.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Caller {
    /// No token was sent.
    #[default]
    Guest,
    /// A customer.
    Customer(Account),
    /// An administrator.
    Admin(Account),
}

impl Caller {
    /// Whether this caller may pass.
    pub fn passes(&self, allow: Allow) -> bool {
        match allow {
            Allow::All => true,
            Allow::Guest => self.is_guest(),
            Allow::Users => !self.is_guest(),
            Allow::Customer => self.is_customer(),
            Allow::Admin => self.is_admin(),
        }
    }

    /// Lets this caller in.
    ///
    /// # Errors
    ///
    /// 401 where a token is missing, 403 where the context is for another kind of account.
    pub fn check(&self, allow: Allow) -> Result<()> {
        if self.passes(allow) {
            Ok(())
        } else if self.is_guest() {
            Err(Error::unauthenticated("No valid API token provided."))
        } else {
            Err(Error::forbidden(
                "The API token doesn't have permissions to perform the request.",
            ))
        }
    }

    /// Whether an administrator lacks this permission; without one, whether it is no super user. Guests
    /// and customers need no permission.
    pub fn lacks(&self, permission: Option<&str>) -> bool {
        let Self::Admin(account) = self else {
            return false;
        };
        match permission {
            Some(permission) => !account.has_permission(permission),
            None => !account.super_user,
        }
    }

    /// The caller that is served: an administrator without the permission is a guest where everyone
    /// may pass.
    ///
    /// # Errors
    ///
    /// 403 where a guest may not pass.
    pub(crate) fn permitted(self, permission: Option<&str>, allow: Allow) -> Result<Self> {
        if !self.lacks(permission) {
            return Ok(self);
        }
        match (allow, permission) {
            (Allow::All, _) => Ok(Self::Guest),
            (_, Some(permission)) => Err(Error::forbidden(format!(
                "Your account does not have the permission {permission}."
            ))),
            (_, None) => Err(Error::forbidden(
                "The route names no permission: of administrators, only super users may call it.",
            )),
        }
    }

    /// An administrator without a row and without a token: seeds, console commands, tests.
    pub fn system() -> Self {
        Self::Admin(Account::without_token(AccountKind::Admin, 0, "system"))
    }

    /// The account, unless the caller is a guest.
    pub fn account(&self) -> Option<&Account> {
        match self {
            Self::Guest => None,
            Self::Customer(account) | Self::Admin(account) => Some(account),
        }
    }

    /// The customer's key, when a customer calls.
    pub fn customer_id(&self) -> Option<i64> {
        match self {
            Self::Customer(account) => Some(account.id),
            Self::Guest | Self::Admin(_) => None,
        }
    }

    /// Whether no token was sent.
    pub fn is_guest(&self) -> bool {
        matches!(self, Self::Guest)
    }

    /// Whether a customer calls.
    pub fn is_customer(&self) -> bool {
        matches!(self, Self::Customer(_))
    }

    /// Whether an administrator calls.
    pub fn is_admin(&self) -> bool {
        matches!(self, Self::Admin(_))
    }
}

impl From<Account> for Caller {
    fn from(account: Account) -> Self {
        match account.kind {
            AccountKind::Admin => Self::Admin(account),
            AccountKind::Customer => Self::Customer(account),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_permission_is_held_by_its_code_or_its_kind() {
        let holds = |held: &[&str]| {
            let mut account = Account::without_token(AccountKind::Admin, 1, "a@example.com");
            account.super_user = false;
            account.permissions = held.iter().map(|held| (*held).to_owned()).collect();
            account.has_permission("Ext.Api.Manage")
        };
        for held in ["Ext.Api.Manage", "Ext.Api.*", "Ext.*"] {
            assert!(holds(&["Other.Thing", held]), "{held}");
        }
        for held in [
            "",
            "*",
            "Ext",
            "Ext.Api",
            "Ext.Api.",
            "Ext.Ap*",
            "ext.api.*",
            "Ext.Api.Manage.*",
        ] {
            assert!(!holds(&[held]), "{held}");
        }
        assert!(Account::without_token(AccountKind::Admin, 1, "a@example.com").super_user);
    }
}
