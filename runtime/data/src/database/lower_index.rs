//! Indexes over texts without regard to case.

#[cfg(any(feature = "sqlite", feature = "postgres"))]
use super::sql::quoted;

/// Finds a column that is computed.
pub(super) const COMPUTED: &str = "SELECT 1 FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() \
    AND TABLE_NAME = ? AND COLUMN_NAME = ? AND COALESCE(GENERATION_EXPRESSION, '') <> ''";

/// An index over a column of texts, by which rows are found without regard to case.
///
/// MariaDB has no index over an expression, and uses that of a computed column only where a
/// statement names the column: `email_lower` of `email`. `SELECT *` does not show it.
#[derive(Debug, Clone)]
pub struct LowerIndex {
    /// The table.
    pub table: String,
    /// The column.
    pub column: String,
    /// The name of the index.
    pub name: String,
}

impl LowerIndex {
    /// Drops it, where it is: on MariaDB its computed column is looked for before.
    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    pub(super) fn drop_sql(&self) -> String {
        format!("DROP INDEX IF EXISTS {}", quoted(&self.name))
    }

    /// The computed column of MariaDB.
    pub(super) fn computed(&self) -> String {
        computed(&self.column)
    }
}

/// The computed column of MariaDB.
pub(super) fn computed(column: &str) -> String {
    format!("{column}_lower")
}
