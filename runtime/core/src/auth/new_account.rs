//! Accounts made by the console and by tests.

use std::fmt;

use chrono::{DateTime, Utc};
use formwork_data::{
    database::{Db, TableColumn},
    error::{Error, Result},
    value::Value,
};

use super::{
    AccountKind, CustomerTable,
    account_row::{self, Filled, Row},
    customers::AccountTable,
    password::hash_password,
};

/// An account about to be made.
#[derive(Clone, PartialEq, Eq)]
pub struct NewAccount {
    /// Administrator or customer.
    pub kind: AccountKind,
    /// The e-mail address of the account.
    pub email: String,
    /// An administrator's login; without one the e-mail address.
    pub username: Option<String>,
    /// The name for people; without one the part before the `@`.
    pub name: Option<String>,
    /// The password, as it will be typed.
    pub password: String,
}

/// Without the password: it never reaches a log.
impl fmt::Debug for NewAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("NewAccount");
        shown
            .field("kind", &self.kind)
            .field("email", &self.email)
            .finish_non_exhaustive()
    }
}

impl NewAccount {
    /// Makes the account, active; an administrator without permissions, which `set_permissions` gives it.
    /// Returns its key.
    ///
    /// Columns of a project's table of customers that are NOT NULL and have no default get a value
    /// that their type and rules accept; foreign keys get the first row of their table.
    ///
    /// # Errors
    ///
    /// 422 when there is such an account, when an administrator's username is an address other than
    /// the account's, or when the table needs what cannot be guessed.
    pub async fn insert(
        &self,
        db: &Db,
        customers: &CustomerTable,
        now: DateTime<Utc>,
    ) -> Result<i64> {
        let inserted = self.insert_and_list(db, customers, now).await;
        inserted.map(|(id, _)| id)
    }

    /// As [`NewAccount::insert`]; returns the filled columns too.
    ///
    /// # Errors
    ///
    /// As [`NewAccount::insert`].
    pub async fn insert_and_list(
        &self,
        db: &Db,
        customers: &CustomerTable,
        now: DateTime<Utc>,
    ) -> Result<(i64, Vec<Filled>)> {
        self.refuse_address()?;
        self.refuse_twin(db, customers).await?;
        let password = hash_password(&self.password).await?;
        let (table, key, (columns, filled)) = match self.kind {
            AccountKind::Admin => {
                let columns = self.administrator(password, now);
                ("admin_users", "user_id", (columns, Vec::new()))
            }
            AccountKind::Customer => {
                let columns = self.customer(db, customers, password, now).await?;
                (customers.table(), customers.key(), columns)
            }
        };
        let id = account_row::insert(db, table, key, columns).await?;
        Ok((id, filled))
    }

    /// A login with an `@` is an e-mail address where administrators sign in: another one than the
    /// account's would never be found.
    fn refuse_address(&self) -> Result<()> {
        if self.kind == AccountKind::Admin
            && self.username().contains('@')
            && self.username() != self.email
        {
            let message = "The username must not contain @: that is an e-mail address.";
            return Err(Error::validation("username", message));
        }
        Ok(())
    }

    async fn refuse_twin(&self, db: &Db, customers: &CustomerTable) -> Result<()> {
        let table = AccountTable::of(self.kind, customers);
        let username = match self.kind {
            AccountKind::Admin => Some(("username", self.username())),
            AccountKind::Customer => None,
        };
        for (column, login) in username.into_iter().chain([("email", self.email.as_str())]) {
            if table.find(db, &[(column, login)]).await?.is_some() {
                let message = format!("The {column} has already been taken.");
                return Err(Error::validation(column, message));
            }
        }
        Ok(())
    }

    fn username(&self) -> &str {
        self.username.as_deref().unwrap_or(&self.email)
    }

    fn name(&self) -> &str {
        let local = self.email.split('@').next().unwrap_or_default();
        self.name.as_deref().unwrap_or(local)
    }

    fn administrator(&self, password: String, now: DateTime<Utc>) -> Vec<(String, Value)> {
        let columns = [
            ("username", Value::from(self.username())),
            ("name", Value::from(self.name())),
            ("email", Value::from(self.email.as_str())),
            ("password", Value::from(password)),
            ("is_activated", Value::from(true)),
            ("super_user", Value::from(false)),
            ("created_at", Value::from(now)),
            ("updated_at", Value::from(now)),
        ];
        columns
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }

    async fn customer(
        &self,
        db: &Db,
        customers: &CustomerTable,
        password: String,
        now: DateTime<Utc>,
    ) -> Result<Row> {
        let active = customers.active_columns();
        let fill = |column: &TableColumn| {
            Some(match column.name.as_str() {
                "email" => Value::from(self.email.as_str()),
                "password" => Value::from(password.as_str()),
                "name" | "first_name" => Value::from(self.name()),
                "created_at" | "updated_at" => Value::from(now),
                name if active.iter().any(|it| it == name) => Value::from(true),
                _ => return None,
            })
        };
        account_row::row(db, (customers.table(), customers), fill).await
    }
}
