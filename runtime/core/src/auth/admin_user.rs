//! Administrators: rows of `admin_users`.

use formwork_data::{
    column::Columns,
    error::Result,
    model::Model,
    value::{DateTime, Json},
};
use serde::Serialize;

/// An administrator; relations name this model `admin_users`.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct AdminUser {
    /// The key of the administrator's account.
    #[serde(rename = "id")]
    pub user_id: i64,
    /// The name that the administrator logs in with.
    pub username: String,
    /// The name for people.
    pub name: String,
    /// E-mail address; a login too.
    pub email: String,
    /// The telephone number of the administrator.
    pub telephone: Option<String>,
    /// Hash of the password.
    #[serde(skip)]
    pub password: Option<String>,
    /// Whether the account may be used.
    pub is_activated: bool,
    /// Whether the account may do everything in the admin area.
    #[serde(skip)]
    pub super_user: bool,
    /// Codes of the permissions the account holds.
    #[serde(skip)]
    pub permissions: Option<Json>,
    /// When a token was last issued to the account.
    #[serde(skip)]
    pub last_login: Option<DateTime>,
    /// When the row was created.
    pub created_at: Option<DateTime>,
    /// When the row was last changed.
    pub updated_at: Option<DateTime>,
}

impl AdminUser {
    /// The key relations name this model by.
    pub const REGISTERED_AS: &'static str = "admin_users";
}

impl Model for AdminUser {
    type Key = i64;

    const TABLE: &'static str = "admin_users";
    const KEY: &'static str = "user_id";
    const HIDDEN: &'static [&'static str] =
        &["password", "super_user", "permissions", "last_login"];

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("user_id", &mut self.user_id)?;
        to.column("username", &mut self.username)?;
        to.column("name", &mut self.name)?;
        to.column("email", &mut self.email)?;
        to.column("telephone", &mut self.telephone)?;
        to.column("password", &mut self.password)?;
        to.column("is_activated", &mut self.is_activated)?;
        to.column("super_user", &mut self.super_user)?;
        to.column("permissions", &mut self.permissions)?;
        to.column("last_login", &mut self.last_login)?;
        to.created_at(&mut self.created_at)?;
        to.updated_at(&mut self.updated_at)
    }

    fn defaults() -> Self {
        Self {
            is_activated: true,
            ..Self::default()
        }
    }
}
