//! Tables that look like accounts, and how their rows could log in.

use heck::ToSnakeCase;

use crate::import::catalogue::{CatalogueColumn, CatalogueTable};
use crate::project::ColumnType;

/// Columns that hold a password or its hash.
const PASSWORDS: &[&str] = &[
    "crypted_password",
    "encrypted_password",
    "hashed_password",
    "pass",
    "passwd",
    "password",
    "password_digest",
    "password_hash",
    "pwd",
    "user_pass",
    "user_password",
];

/// The note about a table of accounts.
pub(super) const GUESSED: &str =
    "Guessed from the columns: accounts, whose rows only administrators read.";

/// The way to sign in accounts that the runtime cannot read.
const OWN: &str = "write an authentication of your own";

/// Returns the notice about a table of accounts with this key.
pub(super) fn notice(table: &CatalogueTable, key: (&str, &ColumnType)) -> Option<String> {
    let password = password(table).filter(|_| !table.is_view)?;
    let (name, column) = (&table.name, &password.name);
    let notice = match (table.column("email"), key.1) {
        (Some(_), ColumnType::BigInt) if column == "password" => format!(
            "write `auth: {{ customers: {name} }}` in formwork.yaml to let them log in, if their passwords are hashed by Argon2 or bcrypt"
        ),
        (None, _) => format!("`auth.customers` needs a column `email`, which it lacks: {OWN}"),
        (_, ColumnType::BigInt) => {
            format!(
                "`auth.customers` needs the password in a column `password`, and here it is in `{column}`: {OWN}"
            )
        }
        _ => format!(
            "`auth.customers` needs a whole number as the key, and `{}` is none: {OWN}",
            key.0
        ),
    };
    Some(format!("{name}: looks like accounts: {notice}"))
}

/// Returns the column with the password of an account.
fn password(table: &CatalogueTable) -> Option<&CatalogueColumn> {
    let is_password = |column: &&CatalogueColumn| {
        let is_text = matches!(column.kind, Some(ColumnType::String(_) | ColumnType::Text));
        is_text && PASSWORDS.contains(&column.name.to_snake_case().as_str())
    };
    table.columns.iter().find(is_password)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notice_of(columns: &[&str], kind: &ColumnType) -> Option<String> {
        let column = |name: &&str| CatalogueColumn {
            kind: Some(ColumnType::String(255)),
            ..CatalogueColumn::new(name, "varchar(255)")
        };
        let table = CatalogueTable {
            name: "users".to_owned(),
            columns: columns.iter().map(column).collect(),
            ..CatalogueTable::default()
        };
        notice(&table, ("id", kind))
    }

    #[test]
    fn accounts_are_offered_if_the_runtime_can_read_them() {
        let number = ColumnType::BigInt;
        let says = |columns: &[&str], kind: &ColumnType, text: &str| {
            let notice = notice_of(columns, kind).expect("accounts");
            assert!(notice.contains(text), "{notice}");
        };
        says(&["email", "password"], &number, "customers: users");
        says(&["email", "password_hash"], &number, "`password_hash`");
        says(
            &["login", "password"],
            &number,
            "a column `email`, which it lacks",
        );
        says(
            &["email", "password"],
            &ColumnType::Uuid,
            "a whole number as the key",
        );
        assert!(notice_of(&["email"], &number).is_none());
    }
}
