//! The tables of accounts: `admin_users`, and the table of customers that `auth.customers` names.

use std::{fmt, sync::Arc};

use chrono::{DateTime, Utc};
use formwork_data::{
    column::{ColumnInfo, Kind},
    database::{Db, quoted},
    error::Result,
    value::Value,
};

use super::AccountKind;

/// The table of customers, and its columns that logins use.
#[derive(Debug, Clone)]
pub struct CustomerTable {
    table: String,
    key: String,
    /// Columns that must be true for the account to be active.
    active: Vec<String>,
    /// Columns that make up the name.
    name: Vec<String>,
    last_login: bool,
    examples: Examples,
}

/// Returns a value that a column accepts, by the names of table and column.
type Example = dyn Fn(&str, &str) -> Option<Value> + Send + Sync;

/// Values that columns accept.
#[derive(Clone)]
struct Examples(Arc<Example>);

impl fmt::Debug for Examples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Examples(…)")
    }
}

impl CustomerTable {
    /// The runtime's minimal table, for a project whose configuration names none.
    pub fn minimal() -> Self {
        let columns = [
            "id",
            "name",
            "email",
            "password",
            "is_activated",
            "last_login",
        ];
        Self::of("api_customers", "id", &columns)
    }

    /// A project's own table: its name, key, and columns, as the registered model has them.
    ///
    /// Customers log in with `email` and `password`; `is_activated` and `status`, where the table
    /// has them, must be true.
    ///
    /// # Errors
    ///
    /// The column that the table lacks, in a sentence.
    pub fn new(
        table: &str,
        key: &str,
        columns: &[ColumnInfo],
    ) -> std::result::Result<Self, String> {
        let whole = |kind| matches!(kind, Kind::Integer | Kind::BigInt);
        if !columns
            .iter()
            .any(|column| column.name == key && whole(column.kind))
        {
            return Err(format!(
                "auth.customers names the table `{table}`, whose key `{key}` is not an integer"
            ));
        }
        let columns: Vec<&str> = columns.iter().map(|column| column.name).collect();
        for needed in ["email", "password"] {
            if !columns.contains(&needed) {
                return Err(format!(
                    "auth.customers names the table `{table}`, which has no column `{needed}`: \
                     customers log in with email and password"
                ));
            }
        }
        Ok(Self::of(table, key, &columns))
    }

    fn of(table: &str, key: &str, columns: &[&str]) -> Self {
        let has = |wanted: &[&str]| -> Vec<String> {
            let there = wanted.iter().filter(|column| columns.contains(column));
            there.map(|column| (*column).to_owned()).collect()
        };
        let name = if columns.contains(&"name") {
            &["name"][..]
        } else {
            &["first_name", "last_name"]
        };
        Self {
            table: table.to_owned(),
            key: key.to_owned(),
            active: has(&["is_activated", "status"]),
            name: has(name),
            last_login: columns.contains(&"last_login"),
            examples: Examples(Arc::new(|_, _| None)),
        }
    }

    /// The same table, with values for the required columns of new rows.
    pub(crate) fn with_examples(
        self,
        examples: impl Fn(&str, &str) -> Option<Value> + Send + Sync + 'static,
    ) -> Self {
        let examples = Examples(Arc::new(examples));
        Self { examples, ..self }
    }

    /// A value that a column accepts; `None` if no model has the column.
    pub(super) fn example(&self, table: &str, column: &str) -> Option<Value> {
        (self.examples.0)(table, column)
    }

    /// The table's name.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// The name of its key.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Columns that a new account needs to be true, to be active.
    pub fn active_columns(&self) -> &[String] {
        &self.active
    }
}

/// An account's row, as far as a login looks at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LoginRow {
    pub id: i64,
    pub password: Option<String>,
    pub active: bool,
}

/// A table that accounts of one kind log in to.
pub(super) struct AccountTable {
    name: String,
    /// Its name in quotes.
    table: String,
    key: String,
    active: String,
    last_login: bool,
}

impl AccountTable {
    /// The table of this kind of account.
    pub fn of(kind: AccountKind, customers: &CustomerTable) -> Self {
        match kind {
            AccountKind::Admin => Self {
                name: "admin_users".to_owned(),
                table: quoted("admin_users"),
                key: "\"user_id\"".to_owned(),
                active: "\"is_activated\" IS TRUE".to_owned(),
                last_login: true,
            },
            AccountKind::Customer => Self {
                name: customers.table.clone(),
                table: quoted(&customers.table),
                key: quoted(&customers.key),
                active: active_expression(customers, None),
                last_login: customers.last_login,
            },
        }
    }

    /// The account whose login columns hold these values, without regard to case; where only the
    /// case tells two rows apart, the row that is written the same.
    pub async fn find(&self, db: &Db, logins: &[(&str, &str)]) -> Result<Option<LoginRow>> {
        let sql = self.find_statement(db, logins.iter().map(|(column, _)| *column));
        let sql = sql.await?;
        let twice = logins
            .iter()
            .chain(logins)
            .map(|(_, login)| Value::from(*login));
        let rows = db.rows(sql, twice).await?;
        Ok(rows.first().and_then(|row| login(row)))
    }

    /// The statement of [`AccountTable::find`], which finds rows by an index over the texts without
    /// regard to case.
    pub async fn find_statement<'c>(
        &self,
        db: &Db,
        columns: impl Iterator<Item = &'c str>,
    ) -> Result<String> {
        let Self {
            table, key, active, ..
        } = self;
        let mut column = Vec::new();
        let mut same = Vec::new();
        for name in columns {
            column.push(quoted(name));
            let lowered = db.lowered(&self.name, name).await?;
            same.push(format!("{lowered} = lower(?)"));
        }
        let wanted = same.join(" AND ");
        let exact = column
            .iter()
            .map(|column| format!("{column} = ? DESC, "))
            .collect::<String>();
        Ok(format!(
            "SELECT {key}, \"password\", CASE WHEN {active} THEN 1 ELSE 0 END FROM {table} \
             WHERE {wanted} ORDER BY {exact}{key} LIMIT 1"
        ))
    }

    /// The hash of the password of an account.
    pub async fn password(&self, db: &Db, account: i64) -> Result<Option<String>> {
        let Self { table, key, .. } = self;
        let sql = format!("SELECT \"password\" FROM {table} WHERE {key} = ?");
        let rows = db.rows(sql, [account.into()]).await?;
        Ok(rows.first().and_then(|row| text(row.first()?)))
    }

    /// Locks the row of an account until the transaction ends.
    pub async fn lock(&self, db: &Db, account: i64) -> Result<()> {
        let Self { table, key, .. } = self;
        let locks = db.dialect().for_update();
        let sql = format!("SELECT {key} FROM {table} WHERE {key} = ?{locks}");
        db.rows(sql, [account.into()]).await.map(drop)
    }

    /// Remembers a login, and the password's newer hash where there is one: not where the password
    /// that was verified has been changed meanwhile.
    pub async fn logged_in(
        &self,
        db: &Db,
        login: &LoginRow,
        upgraded: Option<String>,
        now: DateTime<Utc>,
    ) -> Result<()> {
        let mut columns = Vec::new();
        let mut values = Vec::new();
        if self.last_login {
            columns.push("\"last_login\" = ?".to_owned());
            values.push(Value::from(now));
        }
        if let Some(hash) = upgraded {
            let verified = "CASE WHEN \"password\" = ? THEN ? ELSE \"password\" END";
            columns.push(format!("\"password\" = {verified}"));
            values.extend([login.password.clone().into(), hash.into()]);
        }
        if columns.is_empty() {
            return Ok(());
        }
        values.push(Value::from(login.id));
        let sql = format!(
            "UPDATE {} SET {} WHERE {} = ?",
            self.table,
            columns.join(", "),
            self.key
        );
        db.execute(sql, values).await.map(drop)
    }
}

fn login(row: &[Value]) -> Option<LoginRow> {
    match row {
        [id, password, active] => Some(LoginRow {
            id: id.as_int()?,
            password: text(password),
            active: active.is_true(),
        }),
        _ => None,
    }
}

/// Whether a customer is active, for a statement; `alias` is the table's name there.
pub(super) fn active_expression(customers: &CustomerTable, alias: Option<&str>) -> String {
    if customers.active.is_empty() {
        return "1 = 1".to_owned();
    }
    let dot = alias.map(|alias| format!("{alias}.")).unwrap_or_default();
    let conditions = customers
        .active
        .iter()
        .map(|name| format!("{dot}{} IS TRUE", quoted(name)));
    conditions.collect::<Vec<_>>().join(" AND ")
}

/// The name of a customer, for a statement: of two columns, either of which may be empty or missing.
pub(super) fn name_expression(customers: &CustomerTable, alias: &str) -> String {
    let column = |name: &String| format!("{alias}.{}", quoted(name));
    match customers.name.as_slice() {
        [] => "NULL".to_owned(),
        [name] => column(name),
        [first, last, ..] => {
            let (first, last) = (column(first), column(last));
            format!("COALESCE({first} || ' ' || {last}, {first}, {last})")
        }
    }
}

/// Columns of a table for tests: an integer key `id`, and texts.
#[cfg(test)]
pub(super) fn text_columns<const N: usize>(names: [&'static str; N]) -> Vec<ColumnInfo> {
    let column = |name, kind| ColumnInfo {
        name,
        kind,
        nullable: false,
        native: false,
    };
    let texts = names.into_iter().map(|name| column(name, Kind::Text));
    std::iter::once(column("id", Kind::BigInt))
        .chain(texts)
        .collect()
}

/// A moment that a statement returned, as text, whatever the database keeps it as.
pub(super) fn moment(value: &Value) -> Option<String> {
    (!value.is_null()).then(|| value.to_string())
}

/// A text a statement returned.
pub(super) fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_existing_columns_of_customers_are_selected() {
        let columns = text_columns(["first_name", "last_name", "email", "password", "status"]);
        let table = CustomerTable::new("customers", "id", &columns).expect("table");
        assert_eq!(active_expression(&table, Some("c")), "c.\"status\" IS TRUE");
        assert_eq!(
            name_expression(&table, "c"),
            "COALESCE(c.\"first_name\" || ' ' || c.\"last_name\", c.\"first_name\", \
             c.\"last_name\")"
        );
        assert!(!table.last_login);
        let columns = text_columns(["email", "password"]);
        let bare = CustomerTable::new("people", "id", &columns).expect("table");
        assert_eq!(active_expression(&bare, None), "1 = 1");
        assert_eq!(name_expression(&bare, "c"), "NULL");
    }

    #[test]
    fn a_customer_table_without_login_columns_is_refused() {
        let refused = CustomerTable::new("people", "id", &text_columns(["email"]));
        let refused = refused.expect_err("no password");
        assert!(
            refused.contains("`people`") && refused.contains("`password`"),
            "{refused}"
        );
        let columns = text_columns(["email", "password", "code"]);
        let refused = CustomerTable::new("people", "code", &columns).expect_err("a text as key");
        assert!(refused.contains("`code` is not an integer"), "{refused}");
    }

    #[test]
    fn names_are_quoted() {
        assert_eq!(quoted("a\"b"), "\"a\"\"b\"");
    }
}
