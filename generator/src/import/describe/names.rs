//! Keys of resources, from the names of tables.

use std::collections::BTreeSet;

use formwork_vocabulary::inflect::plural;
use formwork_vocabulary::table::is_runtime;
use heck::ToSnakeCase;

use crate::name;

/// Why no manifest can name this table.
pub(super) fn refusal(table: &str) -> Option<String> {
    if is_runtime(table) {
        return Some("its name is that of a table of the runtime".to_owned());
    }
    let is_legal = name::is_column(table);
    (!is_legal).then(|| "a manifest names tables by at most 63 letters, digits and `_`".to_owned())
}

/// Names that are taken: keys, modules and types.
#[derive(Debug, Default)]
pub(super) struct Taken(BTreeSet<String>);

impl Taken {
    /// The key for a table: its name in the plural, else its whole name, else with a number.
    pub(super) fn key(&mut self, bare: &str, table: &str) -> String {
        let whole = table.to_snake_case();
        let numbered = (2..).map(|number| format!("{whole}_{number}"));
        let candidates = [plural(&bare.to_snake_case()), plural(&whole), whole.clone()];
        let mut candidates = candidates.into_iter().chain(numbered).map(beginning);
        let key = candidates.find(|key| self.is_free(key)).unwrap_or(whole);
        self.0.extend(spellings(&key));
        key
    }

    fn is_free(&self, key: &str) -> bool {
        let is_reserved = name::RESERVED_KEYS.contains(&key) || is_runtime(key) || key == "admin";
        !is_reserved
            && name::is_plain(key)
            && spellings(key).iter().all(|one| !self.0.contains(one))
    }
}

/// A key begins with a letter.
fn beginning(key: String) -> String {
    match key.starts_with(|sign: char| sign.is_ascii_alphabetic()) {
        true => key,
        false => format!("table_{}", key.trim_start_matches('_')),
    }
}

/// What two keys may not share: the key, the module and the types in any case.
fn spellings(key: &str) -> [String; 4] {
    let names = name::names(key, None);
    [
        format!("key {key}"),
        format!("module {}", names.module.to_lowercase()),
        format!("type {}", names.model.to_lowercase()),
        format!("type {}", names.controller.to_lowercase()),
    ]
}

/// Whether a column is a secret by its name.
pub(super) fn is_secret(name: &str) -> bool {
    let name = name.to_lowercase();
    let parts: Vec<&str> = name.split('_').collect();
    let whole = [
        "password", "passwd", "pwd", "token", "secret", "salt", "hash", "otp", "pin", "cvv",
    ];
    parts.iter().any(|part| whole.contains(part))
        || name.starts_with("remember")
        || ["apikey", "api_key", "private_key", "encrypted_password"]
            .iter()
            .any(|part| name.contains(part))
        || ["password", "secret", "passwd"]
            .iter()
            .any(|part| name.contains(part))
}
