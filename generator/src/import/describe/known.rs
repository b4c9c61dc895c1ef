//! The manifests that a project has before an import: their keys and tables stay theirs.

use crate::resolve::Listed;

/// The manifests of a project.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// The folder of the extension that gets the new ones.
    pub folder: String,
    /// Those that imports write: the manifest of an earlier import, or of a table that is not migrated.
    pub imported: Vec<Listed>,
    /// All others, of every extension.
    pub others: Vec<Listed>,
}

impl Known {
    /// The key that a table has since an earlier import.
    pub(super) fn key(&self, table: &str) -> Option<&str> {
        self.imported(table).map(|one| one.key.as_str())
    }

    fn imported(&self, table: &str) -> Option<&Listed> {
        let mut imported = self.imported.iter();
        imported.find(|one| one.table.as_deref() == Some(table))
    }

    /// The manifest of another origin that describes a table already.
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
