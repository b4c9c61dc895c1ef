//! Columns with the passwords of accounts, and the formats in which programs store these.

use heck::ToSnakeCase;

use super::catalogue::{CatalogueColumn, CatalogueTable};
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

/// Formats that the runtime verifies.
pub(super) const READABLE: [&str; 2] = ["Argon2", "bcrypt"];

/// Beginnings of stored passwords, and the names of their formats.
pub(super) const FORMATS: &[(&str, &str)] = &[
    ("$argon2", "Argon2"),
    ("$2", "bcrypt"),
    ("pbkdf2", "PBKDF2"),
    ("$pbkdf2", "PBKDF2"),
    ("argon2$", "Argon2 as Django writes it"),
    ("bcrypt", "bcrypt as Django writes it"),
    ("scrypt", "scrypt"),
    ("$scrypt", "scrypt"),
    ("$P$", "phpass"),
    ("$5$", "SHA-crypt"),
    ("$6$", "SHA-crypt"),
    ("$wp", "bcrypt as WordPress writes it"),
];

/// What has none of these beginnings.
pub(super) const OTHER: &str = "an unknown format";

/// The column with the password of an account.
pub(super) fn password(table: &CatalogueTable) -> Option<&CatalogueColumn> {
    let is_password = |column: &&CatalogueColumn| {
        let is_text = matches!(column.kind, Some(ColumnType::String(_) | ColumnType::Text));
        is_text && PASSWORDS.contains(&column.name.to_snake_case().as_str())
    };
    table.columns.iter().find(is_password)
}
