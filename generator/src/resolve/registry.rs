//! All registered keys with their tables and columns, across all extensions.

use std::collections::BTreeMap;

use crate::diagnostic::Code;
use crate::manifest::Span;
use crate::manifest::vocabulary::RelationWord;
use crate::project::ColumnType;

use super::draft::{Draft, declared_type};
use super::report::Diagnostics;

/// Key and table of the administrators, which the runtime registers itself.
pub const ADMINISTRATORS: &str = "admin_users";

/// The columns of administrators.
const ADMINISTRATOR: [(&str, ColumnType); 9] = [
    ("user_id", ColumnType::BigInt),
    ("username", ColumnType::String(255)),
    ("email", ColumnType::String(255)),
    ("password", ColumnType::String(255)),
    ("is_activated", ColumnType::Boolean),
    ("super_user", ColumnType::Boolean),
    ("permissions", ColumnType::Json),
    ("created_at", ColumnType::DateTime),
    ("updated_at", ColumnType::DateTime),
];

/// One key.
#[derive(Debug, Clone)]
pub struct Registered {
    /// The table.
    pub table: String,
    /// The key's column.
    pub key: String,
    /// The key's type.
    pub key_kind: ColumnType,
    /// The key it was registered under before.
    pub was: Option<String>,
    /// The name the key's column had before.
    pub key_was: Option<String>,
    /// Columns and types.
    pub columns: BTreeMap<String, ColumnType>,
    /// The manifest could not be read whole: missing parts may exist.
    pub partial: bool,
    /// Whether migrations make the table.
    pub managed: bool,
    /// Where it is described; `None` for the runtime's own.
    pub place: Option<(String, Span)>,
}

/// All keys.
#[derive(Debug, Default)]
pub struct Registry {
    entries: BTreeMap<String, Registered>,
    /// Keys by table; of a table that is described twice, the first.
    tables: BTreeMap<String, String>,
}

impl Registry {
    /// Registers every draft, and reports keys and tables that are declared twice.
    pub fn new(drafts: &[Draft<'_>], diagnostics: &Diagnostics) -> Self {
        let mut registry = Self::default();
        let administrators = Registered {
            table: ADMINISTRATORS.to_owned(),
            key: "user_id".to_owned(),
            columns: ADMINISTRATOR
                .map(|(name, kind)| (name.to_owned(), kind))
                .into(),
            partial: false,
            ..Registered::unread(None)
        };
        registry
            .entries
            .insert(ADMINISTRATORS.to_owned(), administrators);
        for draft in drafts {
            match registry.entries.get(&draft.key) {
                Some(earlier) => reject_duplicate(draft, earlier, diagnostics),
                None => {
                    let entry = Registered::new(draft);
                    registry.entries.insert(draft.key.clone(), entry);
                }
            }
        }
        registry.refuse_shared_tables(diagnostics);
        for (key, entry) in &registry.entries {
            let first = registry.tables.entry(entry.table.clone());
            first.or_insert_with(|| key.clone());
        }
        for (key, column, kind) in registry.belongs_to_columns(drafts) {
            if let Some(entry) = registry.entries.get_mut(&key) {
                entry.columns.entry(column).or_insert(kind);
            }
        }
        registry
    }

    /// The entry that is registered under `key`.
    pub fn get(&self, key: &str) -> Option<&Registered> {
        self.entries.get(key)
    }

    /// All keys.
    pub fn keys(&self) -> Vec<&str> {
        self.entries.keys().map(String::as_str).collect()
    }

    /// The entry that describes a table.
    pub fn by_table(&self, table: &str) -> Option<&Registered> {
        self.entries.get(self.tables.get(table)?)
    }

    /// Tables that are described.
    pub fn tables_known(&self) -> Vec<&str> {
        self.entries
            .values()
            .map(|entry| entry.table.as_str())
            .collect()
    }

    /// Whether a manifest could not be read at all, so that any table may exist.
    pub fn is_partial(&self) -> bool {
        self.entries.values().any(|entry| entry.table.is_empty())
    }

    fn refuse_shared_tables(&self, diagnostics: &Diagnostics) {
        // SQLite takes capitals and lower-case letters as one.
        let mut tables: BTreeMap<String, (&str, &Registered)> = BTreeMap::new();
        let entries = self.entries.iter();
        for (key, entry) in entries.filter(|(_, entry)| !entry.table.is_empty()) {
            let table = &entry.table;
            let Some((first, earlier)) = tables.insert(table.to_lowercase(), (key, entry)) else {
                continue;
            };
            let Some((path, span)) = entry.place.as_ref().or(earlier.place.as_ref()) else {
                continue;
            };
            let is_of_runtime = entry.place.is_none() || earlier.place.is_none();
            if is_of_runtime && entry.managed && earlier.managed {
                // The name is reserved, which is reported with the model.
                continue;
            }
            let report = diagnostics.report(path);
            let message =
                format!("the table `{table}` is described twice, by `{first}` and `{key}`");
            let mut error = report.error(Code::DuplicateTable, *span, message);
            if let Some((path, span)) = earlier.place.as_ref().filter(|place| place.0 != *path) {
                error.related(path, *span, "first here");
            }
            error.help("give one of them another `table:`");
        }
    }

    /// Returns the columns that relations declare: key of the resource, column, type.
    fn belongs_to_columns(&self, drafts: &[Draft<'_>]) -> Vec<(String, String, ColumnType)> {
        let mut columns = Vec::new();
        for draft in drafts {
            let relations = draft.relations.iter();
            for relation in relations.filter(|one| one.kind == RelationWord::BelongsTo) {
                let target = relation.targets.first();
                let target = target.and_then(|(_, word)| self.get(&word.text));
                let kind = target.map_or(&ColumnType::BigInt, |target| {
                    let key = relation.target_key.as_ref();
                    let kind = key.and_then(|key| target.columns.get(&key.text));
                    kind.unwrap_or(&target.key_kind)
                });
                columns.push((draft.key.clone(), relation.own_column(), kind.clone()));
            }
        }
        columns
    }
}

impl Registered {
    fn new(draft: &Draft<'_>) -> Self {
        let unread = Self::unread(Some((draft.path.to_owned(), draft.table_span)));
        let Some(resource) = &draft.resource else {
            return unread;
        };
        let model = &resource.model;
        let names = model.attributes.iter().map(|column| column.name.as_str());
        let names = names.chain([model.key.name.as_str(), "created_at", "updated_at"]);
        let columns =
            names.filter_map(|name| Some((name.to_owned(), declared_type(resource, name)?)));
        Self {
            table: model.table.clone(),
            key: model.key.name.clone(),
            key_kind: model.key.kind.clone(),
            was: resource.was.clone(),
            key_was: model.key.was.clone(),
            columns: columns.collect(),
            partial: !draft.unread.is_empty(),
            managed: model.managed,
            ..unread
        }
    }

    /// Returns the entry of a manifest that could not be read.
    fn unread(place: Option<(String, Span)>) -> Self {
        Self {
            table: String::new(),
            key: "id".to_owned(),
            key_kind: ColumnType::BigInt,
            was: None,
            key_was: None,
            columns: BTreeMap::new(),
            partial: true,
            managed: true,
            place,
        }
    }
}

fn reject_duplicate(draft: &Draft<'_>, earlier: &Registered, diagnostics: &Diagnostics) {
    let report = diagnostics.report(draft.path);
    let key = &draft.key;
    let Some((path, span)) = &earlier.place else {
        let message = format!("`{key}` is registered by the runtime itself");
        let help = "choose another key, which is the name of the file; relations may name the runtime's key without a manifest";
        return report.reject(Code::DuplicateResource, draft.span, message, help);
    };
    let message = format!("`{key}` is registered twice");
    let help = "a key names one resource or model of all extensions: give one of them another key, which is the name of its file";
    let mut error = report.error(Code::DuplicateResource, draft.span, message);
    error.related(path, *span, "first here").help(help);
}
