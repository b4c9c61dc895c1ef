//! Described tables: manifests as values, with notes.

use super::keys::RowKey;
use super::known::Known;
use crate::import::catalogue::CatalogueTable;
use crate::manifest::ManifestKind;
use crate::project::ColumnType;

/// The options of an import.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Only these tables; all of them when empty.
    pub tables: Vec<String>,
    /// The prefix that is cut from the names of tables.
    pub prefix: String,
    /// The prefix of the runtime's tables.
    pub table_prefix: String,
    /// The manifests that the project has.
    pub known: Known,
}

impl Options {
    /// Whether the import writes the manifest of a table.
    pub(super) fn selects(&self, table: &str) -> bool {
        self.tables.is_empty() || self.tables.iter().any(|one| one == table)
    }
}

/// The manifests of a database, and the tables without one.
#[derive(Debug, Default)]
pub struct Described {
    /// The manifests, by key.
    pub manifests: Vec<DescribedManifest>,
    /// Tables without a manifest, and why.
    pub refused: Vec<(String, String)>,
    /// Tables that need no manifest of their own, and why.
    pub passed: Vec<(String, String)>,
    /// Further notices.
    pub notices: Vec<String>,
}

/// A manifest.
#[derive(Debug, Clone)]
pub struct DescribedManifest {
    /// Resource or supporting model.
    pub kind: ManifestKind,
    /// The key.
    pub key: String,
    /// The table.
    pub table: String,
    /// Its description, for readers of the API.
    pub description: String,
    /// The key's column and type.
    pub primary: (String, ColumnType),
    /// The columns that identify a row together with the key.
    pub key_with: Vec<String>,
    /// Whether `created_at` and `updated_at` are kept by the service.
    pub timestamps: bool,
    /// The columns.
    pub attributes: Vec<DescribedAttribute>,
    /// The relations.
    pub relations: Vec<DescribedRelation>,
    /// Indexes that are not unique, those of foreign keys left out.
    pub indexes: Vec<Vec<String>>,
    /// The actions, with their callers.
    pub actions: Vec<String>,
    /// Columns that a list can be filtered and sorted by.
    pub filter: Vec<String>,
    /// Columns that a list can be searched by.
    pub search: Vec<String>,
    /// Notes: guesses about the table, and what a manifest cannot express.
    pub notes: Vec<String>,
    /// What was guessed about the table: columns, or `accounts`.
    pub guessed: Vec<String>,
}

impl DescribedManifest {
    /// The notice of what was guessed; the notes say why.
    pub(super) fn guesses(&self) -> Option<String> {
        let own = self.guessed.iter().map(String::as_str);
        let attributes = self.attributes.iter().filter(|one| one.is_guessed);
        let attributes = attributes.map(|one| one.name.as_str());
        let relations = self.relations.iter().filter(|one| one.is_guessed);
        let relations = relations.map(|one| one.name.as_str());
        let all: Vec<&str> = own.chain(attributes).chain(relations).collect();
        (!all.is_empty()).then(|| {
            let all = all.join(", ");
            format!(
                "{}: guessed, and explained in its manifest: {all}",
                self.table
            )
        })
    }
}

/// An attribute.
#[derive(Debug, Clone)]
pub struct DescribedAttribute {
    /// The column.
    pub name: String,
    /// Its type.
    pub kind: ColumnType,
    /// Whether it may be null.
    pub nullable: bool,
    /// Its rules.
    pub rules: Vec<String>,
    /// Its default, as YAML.
    pub default: Option<String>,
    /// `hidden` or `read_only`, where callers cannot write it.
    pub access: Option<&'static str>,
    /// Source of its value where requests do not send one: `hook` or `database`.
    pub set_by: Option<&'static str>,
    /// Whether its type is one of the database's own.
    pub is_native: bool,
    /// The rules of a list's items.
    pub items: Option<String>,
    /// Whether it is unique.
    pub is_unique: bool,
    /// A value that is valid by its rules, where the generator cannot make one from them.
    pub example: Option<String>,
    /// Its comment.
    pub description: Option<String>,
    /// Notes: what was guessed about it, and what a manifest cannot express.
    pub notes: Vec<String>,
    /// Whether one of the notes is a guess.
    pub is_guessed: bool,
}

/// A relation.
#[derive(Debug, Clone)]
pub struct DescribedRelation {
    /// Its name.
    pub name: String,
    /// Its keys and values, as YAML.
    pub entries: Vec<(&'static str, String)>,
    /// Notes: what was guessed about it, and what a manifest cannot express.
    pub notes: Vec<String>,
    /// Whether one of the notes is a guess.
    pub is_guessed: bool,
}

/// A table that gets a manifest.
pub(super) struct Chosen<'c> {
    pub kind: ManifestKind,
    pub table: &'c CatalogueTable,
    /// The name without the prefix.
    pub bare: &'c str,
    pub key: String,
    pub primary: RowKey,
}
