//! One migration, as a driver applies it.

use std::borrow::Cow;

use chrono::{SecondsFormat, Utc};

#[cfg(any(feature = "sqlite", feature = "postgres"))]
use super::sql::quoted;
use super::{own_tables::OwnTables, sql::Sql};
use crate::{error::Error, value::Value};

/// A migration to apply.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) version: i64,
    pub(crate) name: &'static str,
    pub(crate) extension: &'static str,
    pub(crate) sql: &'static str,
    /// The prefix of the runtime's tables.
    pub(crate) own: OwnTables,
    /// Whether its SQL undoes it.
    pub(crate) undoes: bool,
    /// How many of its statements are done, as it was before the lock of migrations was taken.
    #[cfg_attr(
        not(feature = "mysql"),
        expect(dead_code, reason = "the other databases apply a migration as a whole")
    )]
    pub(crate) done: usize,
    /// An index that is made after the migrations.
    pub(crate) index: Option<LowerIndex>,
}

/// Whether a migration was applied.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
const APPLIED: &str =
    "SELECT 1 FROM \"formwork_migrations\" WHERE extension = ? AND version = ? AND name = ?";

/// Records that a migration was applied.
const RECORD: &str = "INSERT INTO \"formwork_migrations\" (extension, version, name, applied_at) VALUES (?, ?, ?, ?)";

/// Records that a migration was undone.
const FORGET: &str =
    "DELETE FROM \"formwork_migrations\" WHERE extension = ? AND version = ? AND name = ?";

impl Step {
    /// The migration of this version, name and extension.
    pub(crate) fn new(
        own: OwnTables,
        (version, name, extension): (i64, &'static str, &'static str),
        sql: &'static str,
    ) -> Self {
        Self {
            own,
            undoes: false,
            done: 0,
            version,
            name,
            extension,
            sql,
            index: None,
        }
    }

    /// The index, where its table is named: a column with an index over it cannot be dropped or
    /// replaced.
    pub(super) fn index_in_the_way(&self) -> Option<&LowerIndex> {
        let index = self.index.as_ref()?;
        self.sql.contains(&index.table).then_some(index)
    }

    /// Its statements, with the names of tables that the database knows.
    pub(super) fn text(&self) -> Cow<'static, str> {
        self.own.in_text(self.sql)
    }

    /// A statement about it.
    pub(super) fn about(&self, sql: &'static str) -> Sql {
        self.own.in_sql(sql.into())
    }

    /// The statement that finds it where it was applied.
    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    pub(super) fn find(&self) -> Sql {
        self.about(APPLIED)
    }

    /// Whether nothing is left to do.
    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    pub(super) const fn is_done(&self, applied: bool) -> bool {
        applied != self.undoes
    }

    /// The statement that records what was done, and its values.
    pub(super) fn closing(&self) -> (Sql, Vec<Value>) {
        match self.undoes {
            true => (self.about(FORGET), self.id()),
            false => (self.about(RECORD), self.record()),
        }
    }

    /// Its id in the database: the values of [`Step::find`].
    pub(super) fn id(&self) -> Vec<Value> {
        vec![self.extension.into(), self.version.into(), self.name.into()]
    }

    /// The values of [`RECORD`].
    pub(super) fn record(&self) -> Vec<Value> {
        let now = Utc::now().to_rfc3339_opts(SecondsFormat::Millis, true);
        [self.id(), vec![now.into()]].concat()
    }

    /// Why it was not applied.
    pub(crate) fn failed(&self, why: &dyn std::fmt::Display) -> Error {
        let failed = if self.undoes {
            "was not undone"
        } else {
            "failed"
        };
        let Self {
            version,
            name,
            extension,
            ..
        } = self;
        Error::internal(format!(
            "the migration {version} {name} of {extension} {failed}: {why}"
        ))
    }
}

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
