//! The manifests of a project before an import; they keep their keys and tables.

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
}
