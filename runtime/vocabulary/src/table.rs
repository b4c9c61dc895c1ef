//! Tables that the runtime makes in every database: no manifest may describe them.

/// The tables, sorted. Names that begin with [`PREFIX`] are reserved as a whole.
pub const RUNTIME: &[&str] = &[
    "admin_sessions",
    "admin_user_locations",
    "admin_users",
    "api_customers",
    "api_identities",
    "api_resources",
    "api_tokens",
    "formwork_migrations",
    "formwork_secrets",
    "idempotency_keys",
];

/// Their indexes, sorted. PostgreSQL and SQLite know each name of an index once.
pub const INDEXES: &[&str] = &[
    "admin_sessions_secret_unique",
    "admin_sessions_user_id_index",
    "admin_users_email_unique",
    "admin_users_username_unique",
    "api_customers_email_unique",
    "api_resources_endpoint_unique",
    "api_tokens_account_index",
    "api_tokens_secret_unique",
    "idempotency_keys_created_at_index",
];

/// Names that begin so are reserved for the runtime.
pub const PREFIX: &str = "formwork_";

/// Whether a table of this name belongs to the runtime. Databases that ignore case see one table in `API_TOKENS`
/// and `api_tokens`.
#[must_use]
pub fn is_runtime(table: &str) -> bool {
    let table = table.to_ascii_lowercase();
    table.starts_with(PREFIX) || RUNTIME.contains(&table.as_str())
}

/// Whether a table belongs to the runtime where its tables have a prefix: `fw_api_tokens`.
#[must_use]
pub fn is_prefixed(table: &str, prefix: &str) -> bool {
    let table = table.to_ascii_lowercase();
    let rest = table.strip_prefix(&prefix.to_ascii_lowercase());
    !prefix.is_empty() && rest.is_some_and(is_runtime)
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    /// The names behind `CREATE TABLE` and `CREATE INDEX` in the runtime's migrations.
    fn created(crates: &Path) -> Vec<String> {
        let mut names = Vec::new();
        for folder in ["admin", "core", "oidc"] {
            for kind in crate::config::DATABASES {
                let folder = crates.join(folder).join("migrations").join(kind);
                for file in fs::read_dir(folder).expect("migrations") {
                    let sql = fs::read_to_string(file.expect("a file").path()).expect("SQL");
                    let lines = sql.lines().filter(|line| line.starts_with("CREATE "));
                    names.extend(lines.filter_map(|line| Some(line.split('"').nth(1)?.to_owned())));
                }
            }
        }
        names
    }

    #[test]
    fn tables_of_the_runtimes_migrations_are_listed() {
        let names = created(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
        assert!(names.len() > 40, "{names:?}");
        for name in names {
            let name = name.as_str();
            assert!(RUNTIME.contains(&name) || INDEXES.contains(&name), "{name}");
        }
    }

    #[test]
    fn a_prefix_reserves_names() {
        assert!(is_prefixed("fw_api_tokens", "fw_") && is_prefixed("FW_Api_Tokens", "fw_"));
        assert!(is_prefixed("fw_formwork_x", "fw_"));
        assert!(!is_prefixed("fw_dishes", "fw_") && !is_prefixed("api_tokens", ""));
    }
}
