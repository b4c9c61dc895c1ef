//! One migration, as a driver applies it.

use chrono::{SecondsFormat, Utc};

use crate::{error::Error, value::Value};

/// A migration to apply.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) version: i64,
    pub(crate) name: &'static str,
    pub(crate) extension: &'static str,
    pub(crate) sql: &'static str,
    /// Renames of tables that it does not know: they are undone while it runs.
    pub(crate) undone: Vec<Rename>,
    /// The table that it renames, where its SQL does not know every index of it.
    pub(crate) renamed: Option<Rename>,
}

/// Whether a migration was applied.
pub(super) const APPLIED: &str =
    "SELECT 1 FROM formwork_migrations WHERE extension = ? AND version = ? AND name = ?";

/// Records that a migration was applied.
pub(super) const RECORD: &str =
    "INSERT INTO formwork_migrations (extension, version, name, applied_at) VALUES (?, ?, ?, ?)";

/// The old name of a table and the new one.
pub(crate) type Rename = (&'static str, &'static str);

/// What a migration does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// Runs these statements.
    Sql(&'static str),
    /// Gives a table another name, and its indexes, which are named after it.
    Rename {
        from: &'static str,
        to: &'static str,
    },
}

impl Step {
    /// What it does, in order: its SQL runs under the names of tables that it knows.
    pub(super) fn changes(&self) -> Vec<Change> {
        let rename = |(from, to): Rename| Change::Rename { from, to };
        let undone = self.undone.iter().rev();
        let mut changes: Vec<Change> = undone.map(|(from, to)| rename((to, from))).collect();
        changes.push(self.renamed.map_or(Change::Sql(self.sql), rename));
        changes.extend(self.undone.iter().copied().map(rename));
        changes
    }

    /// The values of [`APPLIED`].
    pub(super) fn id(&self) -> Vec<Value> {
        vec![self.extension.into(), self.version.into(), self.name.into()]
    }

    /// The values of [`RECORD`].
    pub(super) fn record(&self) -> Vec<Value> {
        let now = Utc::now().to_rfc3339_opts(SecondsFormat::Millis, true);
        [self.id(), vec![now.into()]].concat()
    }

    /// Why it was not applied.
    pub(super) fn failed(&self, why: &dyn std::fmt::Display) -> Error {
        let Self {
            version,
            name,
            extension,
            ..
        } = self;
        Error::internal(format!(
            "the migration {version} {name} of {extension} failed: {why}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renames_that_it_does_not_know_are_taken_back_for_its_time() {
        let step = Step {
            version: 1,
            name: "x",
            extension: "x",
            sql: "X",
            undone: vec![("a", "b"), ("c", "d")],
            renamed: None,
        };
        let rename = |from, to| Change::Rename { from, to };
        let expected = [
            rename("d", "c"),
            rename("b", "a"),
            Change::Sql("X"),
            rename("a", "b"),
            rename("c", "d"),
        ];
        assert_eq!(step.changes(), expected);
    }
}
