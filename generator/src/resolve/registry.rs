//! All registered keys with their tables and columns, across all extensions.

use std::collections::BTreeMap;

use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::Span;
use crate::project::ColumnType;

use super::draft::{Draft, declared_type};
use super::report::Report;

/// Key, table, and columns, the key's column first.
type Own = (
    &'static str,
    &'static str,
    &'static [(&'static str, ColumnType)],
);

/// Keys that the runtime registers itself.
const RUNTIME: &[Own] = &[(
    "admin_users",
    "admin_users",
    &[
        ("user_id", ColumnType::BigInt),
        ("username", ColumnType::String(255)),
        ("email", ColumnType::String(255)),
        ("password", ColumnType::String(255)),
        ("is_activated", ColumnType::Boolean),
        ("super_user", ColumnType::Boolean),
        ("permissions", ColumnType::Json),
        ("created_at", ColumnType::DateTime),
        ("updated_at", ColumnType::DateTime),
    ],
)];

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
    pub fn of(drafts: &[Draft<'_>], found: &mut Vec<Diagnostic>) -> Self {
        let mut registry = Self::default();
        for (key, table, columns) in RUNTIME {
            registry
                .entries
                .insert((*key).to_owned(), runtime(table, columns));
        }
        for draft in drafts {
            let entry = Registered::of(draft);
            match registry.entries.get(&draft.key) {
                Some(earlier) => found.extend(duplicate(draft, earlier)),
                None => {
                    registry.entries.insert(draft.key.clone(), entry);
                }
            }
        }
        registry.refuse_shared_tables(found);
        for (key, entry) in &registry.entries {
            let first = registry.tables.entry(entry.table.clone());
            first.or_insert_with(|| key.clone());
        }
        let columns = registry.belongs_to_columns(drafts);
        for (key, column, kind) in columns {
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

    fn refuse_shared_tables(&self, found: &mut Vec<Diagnostic>) {
        // SQLite takes capitals and lower-case letters as one.
        let mut tables: BTreeMap<String, (&str, &Registered)> = BTreeMap::new();
        for (key, entry) in self
            .entries
            .iter()
            .filter(|(_, entry)| !entry.table.is_empty())
        {
            let Some((first, earlier)) = tables.insert(entry.table.to_lowercase(), (key, entry))
            else {
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
            let mut report = Report::new(path);
            let message = format!(
                "the table `{}` is described twice, by `{first}` and `{key}`",
                entry.table
            );
            let error = report.error(Code::DuplicateTable, *span, message);
            if let Some((path, span)) = earlier.place.as_ref().filter(|place| place.0 != *path) {
                error.related(path, *span, "first here");
            }
            error.help("give one of them another `table:`");
            found.append(&mut report.found);
        }
    }

    /// Columns that relations declare: key of the resource, column, type.
    fn belongs_to_columns(&self, drafts: &[Draft<'_>]) -> Vec<(String, String, ColumnType)> {
        let mut columns = Vec::new();
        for draft in drafts {
            for relation in draft
                .relations
                .iter()
                .filter(|relation| relation.kind == "belongs_to")
            {
                let target = relation
                    .targets
                    .first()
                    .and_then(|(_, word)| self.get(&word.text));
                let kind = target.map_or(ColumnType::BigInt, |target| {
                    let named = relation
                        .target_key
                        .as_ref()
                        .and_then(|key| target.columns.get(&key.text));
                    named.unwrap_or(&target.key_kind).clone()
                });
                columns.push((draft.key.clone(), relation.own_column(), kind));
            }
        }
        columns
    }
}

impl Registered {
    fn of(draft: &Draft<'_>) -> Self {
        let place = Some((draft.path.to_owned(), draft.table_span));
        let Some(resource) = &draft.resource else {
            return Self {
                table: String::new(),
                key: "id".to_owned(),
                key_kind: ColumnType::BigInt,
                was: None,
                key_was: None,
                columns: BTreeMap::new(),
                partial: true,
                managed: true,
                place,
            };
        };
        let model = &resource.model;
        let names = model
            .attributes
            .iter()
            .map(|attribute| attribute.name.as_str());
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
            place,
        }
    }
}

fn runtime(table: &str, columns: &[(&str, ColumnType)]) -> Registered {
    let (key, key_kind) = columns
        .first()
        .map_or(("id", ColumnType::BigInt), |(name, kind)| {
            (*name, kind.clone())
        });
    Registered {
        table: table.to_owned(),
        key: key.to_owned(),
        key_kind,
        was: None,
        key_was: None,
        columns: columns
            .iter()
            .map(|(name, kind)| ((*name).to_owned(), kind.clone()))
            .collect(),
        partial: false,
        managed: true,
        place: None,
    }
}

fn duplicate(draft: &Draft<'_>, earlier: &Registered) -> Vec<Diagnostic> {
    let mut report = Report::new(draft.path);
    match &earlier.place {
        Some((path, span)) => report
            .error(
                Code::DuplicateResource,
                draft.span,
                format!("`{}` is registered twice", draft.key),
            )
            .related(path, *span, "first here")
            .help("a key names one resource or model of all extensions: give one of them another key, which is the name of its file"),
        None => report
            .error(
                Code::DuplicateResource,
                draft.span,
                format!("`{}` is registered by the runtime itself", draft.key),
            )
            .help("choose another key, which is the name of the file; relations may name the runtime's key without a manifest"),
    };
    report.found
}
