//! One migration, as a driver applies it.

use std::borrow::Cow;

use chrono::{SecondsFormat, Utc};

use super::{
    lower_index::LowerIndex,
    own_tables::OwnTables,
    sql::{Sql, quoted},
};
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
    /// Renames of tables that it does not know: they are undone while it runs.
    pub(crate) undone: Vec<Rename>,
    /// The table that it renames, where its SQL does not know every index of it.
    pub(crate) renamed: Option<Rename>,
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

/// The old name of a table and the new one.
pub(crate) type Rename = (&'static str, &'static str);

/// A change that a migration makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change<'s> {
    /// Runs these statements.
    Sql(&'s str),
    /// Gives a table another name, and its indexes, which are named after it.
    Rename {
        from: &'static str,
        to: &'static str,
    },
}

impl Change<'_> {
    /// As SQL to read.
    pub(super) fn shown(self) -> String {
        match self {
            Self::Sql("") => "-- Another migration made the same change.\n".to_owned(),
            Self::Sql(sql) => format!("{}\n", sql.trim_end()),
            Self::Rename { from, to } => format!(
                "-- With the indexes and constraints that are named after it.\n\
                 ALTER TABLE {} RENAME TO {};\n",
                quoted(from),
                quoted(to)
            ),
        }
    }
}

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
            undone: Vec::new(),
            renamed: None,
            index: None,
        }
    }

    /// The index, where its table is named: a column with an index over it cannot be dropped or
    /// replaced.
    pub(super) fn index_in_the_way(&self) -> Option<&LowerIndex> {
        let index = self.index.as_ref()?;
        let renames = self.undone.iter().chain(&self.renamed);
        let mut tables = renames.flat_map(|(from, to)| [*from, *to]);
        let is_named = self.sql.contains(&index.table) || tables.any(|it| it == index.table);
        is_named.then_some(index)
    }

    /// Its changes, in order: its SQL runs under the names of tables that it knows.
    pub(super) fn changes<'s>(&self, sql: &'s str) -> Vec<Change<'s>> {
        let rename = |(from, to): Rename| Change::Rename { from, to };
        let undone = self.undone.iter().rev();
        let mut changes: Vec<Change<'s>> = undone.map(|(from, to)| rename((to, from))).collect();
        changes.push(self.renamed.map_or(Change::Sql(sql), rename));
        changes.extend(self.undone.iter().copied().map(rename));
        changes
    }

    /// Its statements, with the names of tables that the database knows.
    pub(super) fn text(&self) -> Cow<'static, str> {
        self.own.in_text(self.sql)
    }

    /// Its changes, as SQL to read.
    pub(super) fn shown(&self) -> String {
        let sql = self.text();
        let changes = self.changes(&sql);
        changes.iter().map(|change| change.shown()).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_renames_are_undone_while_a_migration_runs() {
        let step = Step {
            version: 1,
            name: "x",
            extension: "x",
            sql: "X",
            own: OwnTables::default(),
            undoes: false,
            done: 0,
            undone: vec![("a", "b"), ("c", "d")],
            renamed: None,
            index: None,
        };
        let rename = |from, to| Change::Rename { from, to };
        let expected = [
            rename("d", "c"),
            rename("b", "a"),
            Change::Sql("X"),
            rename("a", "b"),
            rename("c", "d"),
        ];
        assert_eq!(step.changes(step.sql), expected);
    }
}
