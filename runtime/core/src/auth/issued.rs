//! Tokens as the console and the admin area list them: with the accounts behind them.

use std::borrow::Cow;

use formwork_data::{
    database::{Db, among, containing, quoted},
    error::Result,
    value::Value,
};
use serde::Serialize;

use super::{
    Auth,
    customers::{moment, text},
};

/// A token, and the account behind it. Its secret is not stored.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IssuedToken {
    /// Key.
    pub id: i64,
    /// `admin` or `customer`.
    pub kind: String,
    /// Key of the account.
    pub account: i64,
    /// The device it is for.
    pub name: String,
    /// The account's e-mail address; `None`: the account was deleted.
    pub email: Option<String>,
    /// The abilities that it covers.
    pub abilities: Vec<String>,
    /// When it was used last, to the minute.
    pub last_used_at: Option<String>,
    /// When it stops working.
    pub expires_at: Option<String>,
    /// When it was issued.
    pub created_at: String,
}

/// A page of tokens, and how many there are on all pages.
#[derive(Debug, Clone, PartialEq)]
pub struct Issued {
    /// The newest first.
    pub tokens: Vec<IssuedToken>,
    /// On all pages.
    pub total: i64,
}

/// Which tokens are wanted.
#[derive(Debug, Clone, Copy)]
pub enum Sought<'a> {
    /// Tokens whose device or e-mail address contains this text; an empty text is in all.
    Called(&'a str),
    /// Tokens with these keys.
    Ids(&'a [i64]),
}

impl Sought<'_> {
    fn condition(self) -> (Cow<'static, str>, Vec<Value>) {
        match self {
            Self::Ids(ids) => {
                let values = ids.iter().map(|id| Value::from(*id)).collect();
                (among("t.\"id\"", ids.len()).into(), values)
            }
            Self::Called(text) => {
                let pattern = Value::from(containing(text));
                (CALLED.into(), vec![pattern.clone(), pattern])
            }
        }
    }
}

const CALLED: &str = "lower(t.\"name\") LIKE lower(?) ESCAPE '!' \
    OR lower(coalesce(a.\"email\", c.\"email\", '')) LIKE lower(?) ESCAPE '!'";

impl Auth {
    /// The tokens that are wanted, the newest first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    #[doc(hidden)]
    pub async fn issued(
        &self,
        db: &Db,
        sought: Sought<'_>,
        (limit, offset): (i64, i64),
    ) -> Result<Issued> {
        let (condition, mut values) = sought.condition();
        let customers = self.customers();
        let (table, key) = (quoted(customers.table()), quoted(customers.key()));
        let from = format!(
            "FROM \"api_tokens\" t \
             LEFT JOIN \"admin_users\" a ON t.\"account_kind\" = 'admin' \
             AND a.\"user_id\" = t.\"account_id\" \
             LEFT JOIN {table} c ON t.\"account_kind\" = 'customer' \
             AND c.{key} = t.\"account_id\" \
             WHERE {condition}"
        );
        let sql = format!("SELECT count(*) {from}");
        let counted = db.rows(sql, values.clone()).await?;
        let total = counted.first().and_then(|row| row.first()?.as_int());
        let sql = format!(
            "SELECT t.\"id\", t.\"account_kind\", t.\"account_id\", t.\"name\", \
             coalesce(a.\"email\", c.\"email\"), \
             t.\"abilities\", t.\"last_used_at\", t.\"expires_at\", t.\"created_at\" \
             {from} ORDER BY t.\"id\" DESC LIMIT ? OFFSET ?"
        );
        values.extend([limit.into(), offset.into()]);
        let rows = db.rows(sql, values).await?;
        let tokens = rows.iter().filter_map(|row| read(row)).collect();
        Ok(Issued {
            tokens,
            total: total.unwrap_or_default(),
        })
    }
}

fn read(row: &[Value]) -> Option<IssuedToken> {
    let [
        id,
        kind,
        account,
        name,
        email,
        abilities,
        last_used_at,
        expires_at,
        created_at,
    ] = row
    else {
        return None;
    };
    Some(IssuedToken {
        id: id.as_int()?,
        kind: text(kind)?,
        account: account.as_int()?,
        name: text(name)?,
        email: text(email),
        abilities: serde_json::from_str(abilities.as_str()?).unwrap_or_default(),
        last_used_at: moment(last_used_at),
        expires_at: moment(expires_at),
        created_at: moment(created_at)?,
    })
}
