//! Keys of resources, from the names of tables.

use std::collections::BTreeSet;

use formwork_vocabulary::inflect::plural;
use formwork_vocabulary::table::{is_prefixed, is_runtime};
use heck::ToSnakeCase;

use super::known::Known;
use crate::name;
use crate::project::Names;

/// Maximum length of a key or of the name of a relation.
const LENGTH: usize = 63;

/// The reason why a manifest cannot name this table; `prefix` is that of the runtime's tables.
pub(super) fn refusal(table: &str, prefix: &str) -> Option<String> {
    if is_runtime(table) || is_prefixed(table, prefix) {
        return Some("its name is reserved for a table of the runtime".to_owned());
    }
    let is_legal = name::is_column(table);
    (!is_legal).then(|| {
        "the name of a table in a manifest has at most 63 letters, digits and `_`".to_owned()
    })
}

/// Names that are taken: keys, modules, types and tests, by this import or by a manifest.
#[derive(Debug)]
pub(super) struct Taken<'k> {
    known: &'k Known,
    names: BTreeSet<String>,
    tables: BTreeSet<String>,
}

impl<'k> Taken<'k> {
    /// The names that the project's manifests take.
    pub(super) fn new(known: &'k Known) -> Self {
        let all = known.imported.iter().chain(&known.others);
        let names = all.flat_map(|one| {
            let names = one.names.clone();
            let names = names.unwrap_or_else(|| name::names(&one.key, None));
            let all = spellings(&one.folder, &one.key, &names);
            all.into_iter()
        });
        Self {
            known,
            names: names.collect(),
            tables: BTreeSet::new(),
        }
    }

    /// Takes the name of a table; false where it differs only in case from one that is taken, because manifests ignore
    /// case.
    pub(super) fn take_table(&mut self, table: &str) -> bool {
        self.tables.insert(table.to_lowercase())
    }

    /// The key for a table: its key of an earlier import, else its name in the plural, else its whole
    /// name, else that with a number.
    pub(super) fn key(&mut self, bare: &str, table: &str) -> String {
        if let Some(key) = self.known.key(table) {
            return key.to_owned();
        }
        if let Some(other) = self.known.elsewhere(table) {
            return other.key.clone();
        }
        let whole = shortened(&beginning(table.to_snake_case()), "");
        let numbered = (2..).map(|number| shortened(&whole, &format!("_{number}")));
        let candidates = [plural(&bare.to_snake_case()), plural(&whole), whole.clone()];
        let candidates = candidates.into_iter().map(beginning).chain(numbered);
        let free = candidates.into_iter().find(|key| self.is_free(key));
        let key = free.unwrap_or_else(|| whole.clone());
        let names = name::names(&key, None);
        self.names
            .extend(spellings(&self.known.folder, &key, &names));
        key
    }

    fn is_free(&self, key: &str) -> bool {
        let is_reserved = name::RESERVED_KEYS.contains(&key) || is_runtime(key) || key == "admin";
        let names = name::names(key, None);
        let all = spellings(&self.known.folder, key, &names);
        !is_reserved
            && name::is_plain(key)
            && key.len() <= LENGTH
            && all.iter().all(|one| !self.names.contains(one))
    }
}

/// A name that begins with a letter, as a key and a relation must.
pub(super) fn beginning(key: String) -> String {
    match key.starts_with(|sign: char| sign.is_ascii_alphabetic()) {
        true => key,
        false => format!("table_{}", key.trim_start_matches('_')),
    }
}

/// A name with an ending, cut where it would be too long.
pub(super) fn shortened(key: &str, ending: &str) -> String {
    let rest = key.chars().take(LENGTH - ending.len());
    let rest: String = rest.collect();
    format!("{}{ending}", rest.trim_end_matches('_'))
}

/// Names that must be unique for each key: the key and its test in the project; the module and the types, in any case,
/// in the extension.
fn spellings(folder: &str, key: &str, names: &Names) -> [String; 5] {
    let module = names.module.to_lowercase();
    [
        format!("key {key}"),
        format!("test {folder}_{module}"),
        format!("module {folder}/{module}"),
        format!("type {folder}/{}", names.model.to_lowercase()),
        format!("type {folder}/{}", names.controller.to_lowercase()),
    ]
}
