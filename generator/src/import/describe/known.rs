//! The manifests of a project before an import; they keep their keys and tables.

use std::collections::{BTreeMap, BTreeSet};

use super::identity::Identity;
use crate::resolve::Listed;

/// The manifests of a project.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// The folder of the extension that gets the new ones.
    pub folder: String,
    /// Manifests that this import may change: those of earlier imports, and of tables that are not migrated.
    pub imported: Vec<Listed>,
    /// All others, of every extension.
    pub others: Vec<Listed>,
    /// Tables that the manifests describe, and pivots of their relations.
    pub tables: BTreeSet<String>,
    /// The relations of imported manifests, by table in lower case.
    pub relations: BTreeMap<String, KnownRelations>,
}

/// The relations of the manifest of a table.
#[derive(Debug, Clone, Default)]
pub struct KnownRelations {
    /// The relations that the last import wrote; `None` if its record is lost.
    pub recorded: Option<Vec<KnownRelation>>,
    /// The relations of the file, as the user changed it.
    pub current: Vec<KnownRelation>,
    /// The attributes of the file.
    pub columns: Vec<String>,
}

/// A relation of a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownRelation {
    /// Its name.
    pub name: String,
    /// What it is in the database.
    pub identity: Identity,
}

impl KnownRelations {
    /// Returns place and name of a relation that the last import wrote.
    pub(super) fn existing(&self, identity: &Identity) -> Option<(usize, &str)> {
        let written = self.recorded.as_ref().unwrap_or(&self.current);
        let mut written = written.iter().enumerate();
        let (place, one) = written.find(|(_, one)| one.identity == *identity)?;
        Some((place, &one.name))
    }

    /// Whether the user wrote a relation that no import did.
    pub(super) fn is_added_by_user(&self, identity: &Identity) -> bool {
        let is_current = self.current.iter().any(|one| one.identity == *identity);
        is_current && self.existing(identity).is_none()
    }

    /// Returns the names that a new relation cannot have. A relation that the database dropped and that the user did
    /// not rename leaves its name free.
    pub(super) fn taken(&self, identities: &[&Identity]) -> Vec<String> {
        let recorded = self.recorded.iter().flatten();
        let is_dropped = |one: &&KnownRelation| {
            let is_as_recorded = self.recorded.iter().flatten().any(|other| other == *one);
            let is_edited = |other: &KnownRelation| other.identity == one.identity && other != *one;
            is_as_recorded
                && !identities.contains(&&one.identity)
                && !self.current.iter().any(is_edited)
        };
        let relations = recorded.chain(&self.current).filter(|one| !is_dropped(one));
        let relations = relations.map(|one| one.name.clone());
        relations.chain(self.columns.iter().cloned()).collect()
    }
}

impl Known {
    /// The key of a table that was imported before.
    pub(super) fn key(&self, table: &str) -> Option<&str> {
        self.imported(table).map(|one| one.key.as_str())
    }

    fn imported(&self, table: &str) -> Option<&Listed> {
        let mut imported = self.imported.iter();
        imported.find(|one| one.table.as_deref() == Some(table))
    }

    /// The manifest that already describes a table, and that no import wrote.
    pub(super) fn elsewhere(&self, table: &str) -> Option<&Listed> {
        let same = |one: &&Listed| {
            let other = one.table.as_deref();
            other.is_some_and(|other| other.eq_ignore_ascii_case(table))
        };
        let mut others = self
            .others
            .iter()
            .filter(|_| self.imported(table).is_none());
        others.find(same)
    }

    /// Whether a manifest describes the table, or joins by it.
    pub(super) fn has_table(&self, table: &str) -> bool {
        let mut tables = self.tables.iter();
        tables.any(|one| one.eq_ignore_ascii_case(table))
    }

    /// Returns the relations of the manifest of a table.
    pub(super) fn relations(&self, table: &str) -> KnownRelations {
        let relations = self.relations.get(&table.to_lowercase());
        relations.cloned().unwrap_or_default()
    }
}
