//! Secrets, known by their names: columns that are hidden, tables that only administrators read.

use heck::ToSnakeCase;

use crate::import::catalogue::CatalogueTable;
use crate::import::passwords::{READABLE, password};
use crate::project::ColumnType;

/// Words in the name of a secret, in the singular or plural.
const WORDS: &[&str] = &[
    "access_code",
    "access_key",
    "activation_code",
    "activation_key",
    "api_key",
    "auth_code",
    "auth_key",
    "backup_code",
    "confirmation_code",
    "consumer_key",
    "credential",
    "cvc",
    "cvv",
    "digest",
    "encryption_key",
    "hash",
    "login_code",
    "otp",
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "pin",
    "private_key",
    "pwd",
    "recovery_code",
    "reset_code",
    "reset_key",
    "salt",
    "secret",
    "secret_key",
    "security_code",
    "session_key",
    "signing_key",
    "token",
    "verification_code",
];

/// Tables in which frameworks keep what their programs hand them, and a column of each: secrets may be among it.
const FRAMEWORKS: &[(&str, &str)] = &[
    ("active_storage_attachments", "blob_id"),
    ("active_storage_blobs", "key"),
    ("action_mailbox_inbound_emails", "message_id"),
    ("activity_log", "properties"),
    ("ar_internal_metadata", "value"),
    ("audits", "auditable_id"),
    ("cache", "value"),
    ("cache_table", "value"),
    ("delayed_jobs", "handler"),
    ("django_admin_log", "object_repr"),
    ("django_migrations", "applied"),
    ("failed_jobs", "payload"),
    ("good_jobs", "serialized_params"),
    ("job_batches", "options"),
    ("jobs", "payload"),
    ("migrations", "batch"),
    ("notifications", "notifiable_id"),
    ("options", "option_value"),
    ("que_jobs", "args"),
    ("schema_migrations", "version"),
    ("solid_cable_messages", "payload"),
    ("solid_cache_entries", "value"),
    ("solid_queue_failed_executions", "error"),
    ("solid_queue_jobs", "arguments"),
    ("telescope_entries", "content"),
    ("usermeta", "meta_value"),
    ("versions", "object"),
];

/// Whether a column is a secret by its name, however that is written: `accessToken`, `api_keys`.
pub(super) fn is_secret(name: &str) -> bool {
    let words = format!("_{}_", name.to_snake_case());
    let has = |word: &str| {
        ["", "s", "es"]
            .iter()
            .any(|end| words.contains(&format!("_{word}{end}_")))
    };
    // Words that are written as one: `accesstoken`, `clientsecret`, `userpassword`.
    let ends =
        |end: &str| words.contains(&format!("{end}_")) || words.contains(&format!("{end}s_"));
    WORDS.iter().any(|word| has(word))
        || words.starts_with("_remember")
        || words.starts_with("_user_pass_")
        || words.starts_with("_pass_")
        || ["apikey", "token", "secret"].into_iter().any(ends)
        || ["password", "passwd"]
            .iter()
            .any(|part| words.contains(part))
}

/// Whether rows of a table are accounts, sessions or tokens, or what a framework keeps.
pub(super) fn is_guarded(table: &CatalogueTable) -> bool {
    lets_in(&table.name) || password(table).is_some() || is_of_framework(table)
}

/// Whether a table is one of a framework's, with or without a prefix (`wp_options`).
fn is_of_framework(table: &CatalogueTable) -> bool {
    let words = format!("_{}", table.name.to_snake_case());
    FRAMEWORKS.iter().any(|(name, column)| {
        words.ends_with(&format!("_{name}")) && table.column(column).is_some()
    })
}

/// Whether a table holds sessions or tokens, by its name: their keys let a caller in.
pub(super) fn lets_in(table: &str) -> bool {
    let words = format!("_{}_", table.to_snake_case());
    is_secret(table)
        || ["_session_", "_sessions_"]
            .iter()
            .any(|word| words.contains(word))
}

/// Whether the key of a table is a secret: the key of a session or of a token.
pub(super) fn is_secret_key(table: &CatalogueTable, column: &str, kind: &ColumnType) -> bool {
    *kind != ColumnType::BigInt && (is_secret(column) || lets_in(&table.name))
}

/// The note about a table of accounts.
pub(super) const GUESSED_ACCOUNTS: &str =
    "Guessed from the columns: accounts, whose rows only administrators read.";

/// The notice about a table of accounts.
pub(super) fn of_accounts(table: &CatalogueTable, key: (&str, &ColumnType)) -> Option<String> {
    let password = password(table).filter(|_| !table.is_view)?;
    let (name, column) = (&table.name, &password.name);
    let said = match (table.column("email"), key.1) {
        (Some(_), ColumnType::BigInt) if column == "password" => offer(table),
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
    Some(format!("{name}: looks like accounts: {said}"))
}

/// How accounts log in, by the passwords that the rows hold.
fn offer(table: &CatalogueTable) -> String {
    let mut found = table.hashes_found.iter().map(String::as_str);
    let others: Vec<&str> = found
        .clone()
        .filter(|one| !READABLE.contains(one))
        .collect();
    let others = others.join(", ");
    let how = format!(
        "write `auth: {{ customers: {} }}` in formwork.yaml to let them log in",
        table.name
    );
    let readable = READABLE.join(" and ");
    match (found.any(|one| READABLE.contains(&one)), others.is_empty()) {
        (true, true) => how,
        (false, true) => format!("{how}, if their passwords are hashed by {readable}"),
        (true, false) => format!(
            "{how}; passwords that are stored by {others} are refused until they are set anew"
        ),
        (false, false) => format!(
            "`auth.customers` verifies {readable}, and the passwords are stored by {others}: {OWN}"
        ),
    }
}

/// The way to sign in accounts that the runtime cannot read.
const OWN: &str = "write an authentication of your own";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::catalogue::CatalogueColumn;

    #[test]
    fn secrets_are_known_by_their_names() {
        for name in [
            "password",
            "passwordHash",
            "password_digest",
            "encrypted_password",
            "user_pass",
            "token",
            "tokens",
            "accessToken",
            "refreshToken",
            "refreshtoken",
            "ACCESS_TOKEN",
            "remember_token",
            "rememberMe",
            "api_key",
            "apiKey",
            "apikey",
            "stripe_api_keys",
            "access_key",
            "accessKeyId",
            "client_secret",
            "clientsecret",
            "two_factor_secret",
            "two_factor_recovery_codes",
            "recovery_codes",
            "reset_code",
            "activation_code",
            "user_activation_key",
            "session_key",
            "private_key",
            "password_reset_hash",
            "otp",
            "OTPSecret",
            "salt",
            "cvv",
            "pin",
            "reset_digest",
        ] {
            assert!(is_secret(name), "{name}");
        }
        for name in [
            "key",
            "keyword",
            "monkey",
            "id",
            "code",
            "promo_code",
            "post_code",
            "name",
            "email",
            "secretary",
            "tokenizer",
            "hashtag",
            "passenger_id",
            "passport_no",
            "compass",
            "pinned",
            "spin",
            "salty",
            "session_count",
            "access",
            "activation_date",
        ] {
            assert!(!is_secret(name), "{name}");
        }
    }

    fn table(name: &str, columns: &[&str]) -> CatalogueTable {
        let column = |name: &&str| CatalogueColumn {
            kind: Some(ColumnType::String(255)),
            ..CatalogueColumn::new(name, "varchar(255)")
        };
        CatalogueTable {
            name: name.to_owned(),
            columns: columns.iter().map(column).collect(),
            ..CatalogueTable::default()
        }
    }

    #[test]
    fn tables_of_accounts_sessions_and_tokens_are_guarded() {
        for (name, columns) in [
            ("users", ["email", "password"]),
            ("members", ["login", "password_digest"]),
            ("people", ["email", "encrypted_password"]),
            ("wp_users", ["user_login", "user_pass"]),
            ("staff", ["email", "passwordHash"]),
            ("sessions", ["payload", "user_id"]),
            ("django_session", ["session_key", "session_data"]),
            ("authtoken_token", ["key", "user_id"]),
            ("password_reset_tokens", ["email", "token"]),
            ("personalAccessTokens", ["name", "abilities"]),
            ("cache", ["key", "value"]),
            ("lv_cache", ["key", "value"]),
            ("jobs", ["queue", "payload"]),
            ("failed_jobs", ["payload", "exception"]),
            ("active_storage_blobs", ["key", "filename"]),
            ("django_admin_log", ["object_repr", "change_message"]),
            ("wp_options", ["option_name", "option_value"]),
            ("lv_migrations", ["migration", "batch"]),
            ("schema_migrations", ["version", "inserted_at"]),
        ] {
            assert!(is_guarded(&table(name, &columns)), "{name}");
        }
        for (name, columns) in [
            ("dishes", ["title", "password_hint"]),
            ("possessions", ["name", "key"]),
            ("jobs", ["title", "salary"]),
            ("versions", ["name", "released_on"]),
            ("geocache", ["name", "value"]),
        ] {
            assert!(!is_guarded(&table(name, &columns)), "{name}");
        }
    }

    #[test]
    fn keys_of_sessions_and_tokens_are_secrets() {
        let text = ColumnType::String(255);
        let tokens = table("authtoken_token", &["key"]);
        assert!(is_secret_key(&tokens, "key", &text));
        assert!(!is_secret_key(&tokens, "id", &ColumnType::BigInt));
        assert!(is_secret_key(
            &table("invites", &["token"]),
            "token",
            &ColumnType::Uuid
        ));
        assert!(!is_secret_key(&table("settings", &["key"]), "key", &text));
        // An account's key is in no cookie.
        let users = table("users", &["id", "password"]);
        assert!(!is_secret_key(&users, "id", &ColumnType::Uuid));
    }

    #[test]
    fn accounts_are_offered_where_the_runtime_can_read_them() {
        let said = |columns: &[&str], kind: &ColumnType| {
            of_accounts(&table("users", columns), ("id", kind)).expect("accounts")
        };
        let number = ColumnType::BigInt;
        assert!(said(&["email", "password"], &number).contains("customers: users"));
        assert!(said(&["email", "password_hash"], &number).contains("`password_hash`"));
        assert!(said(&["login", "password"], &number).contains("a column `email`, which it lacks"));
        assert!(
            said(&["email", "password"], &ColumnType::Uuid).contains("a whole number as the key")
        );
        assert!(of_accounts(&table("users", &["email"]), ("id", &number)).is_none());
    }

    #[test]
    fn accounts_are_offered_by_the_formats_of_their_passwords() {
        let said = |found: &[&str]| {
            let users = CatalogueTable {
                hashes_found: found.iter().map(|one| (*one).to_owned()).collect(),
                ..table("users", &["email", "password"])
            };
            of_accounts(&users, ("id", &ColumnType::BigInt)).expect("accounts")
        };
        let offered = "write `auth: { customers: users }`";
        assert!(said(&["Argon2", "bcrypt"]).ends_with("to let them log in"));
        let unknown = said(&[]);
        assert!(unknown.contains(offered), "{unknown}");
        assert!(
            unknown.ends_with("hashed by Argon2 and bcrypt"),
            "{unknown}"
        );
        let some = said(&["PBKDF2", "bcrypt"]);
        assert!(some.contains(offered), "{some}");
        assert!(some.contains("stored by PBKDF2 are refused"), "{some}");
        let none = said(&["PBKDF2", "phpass"]);
        assert!(!none.contains(offered), "{none}");
        assert!(
            none.contains("stored by PBKDF2, phpass: write an"),
            "{none}"
        );
    }
}
