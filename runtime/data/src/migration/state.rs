//! Which migrations a database has.

use std::{collections::BTreeMap, fmt};

use super::{Migration, Migrations};
use crate::{
    database::{Db, Step},
    error::{Error, Result},
    value::Value,
};

/// A migration, and whether it was applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MigrationState {
    /// Its place in the sequence.
    pub version: i64,
    /// The name of the migration.
    pub name: &'static str,
    /// The extension that brings it.
    pub extension: &'static str,
    /// Whether it was applied, and is not wholly undone.
    pub applied: bool,
    /// When, in UTC.
    pub applied_at: Option<String>,
    /// Where it stopped, if it failed half way: on MariaDB and MySQL, which commit each change of a
    /// table by itself.
    pub halfway: Option<Halfway>,
}

/// The progress of a migration that failed half way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halfway {
    /// So many of its statements are done; it is not applied.
    Applied(usize),
    /// So many statements of its down part are done; it is not undone.
    Undone(usize),
}

impl Halfway {
    /// How many statements are done.
    #[must_use]
    pub const fn done(self) -> usize {
        match self {
            Self::Applied(done) | Self::Undone(done) => done,
        }
    }
}

impl MigrationState {
    /// Whether a run has to change something for it.
    pub(super) const fn is_pending(&self) -> bool {
        !self.applied || self.halfway.is_some()
    }

    /// How many of its statements are done, if it stopped in between.
    pub(super) fn done(&self) -> usize {
        self.halfway.map_or(0, Halfway::done)
    }

    /// Its state once it is applied or undone.
    pub(super) fn after(&self, applied: bool) -> Self {
        Self {
            applied,
            applied_at: None,
            halfway: None,
            ..self.clone()
        }
    }

    /// The step that runs this SQL of it.
    pub(super) fn step(&self, db: &Db, sql: &'static str) -> Step {
        Step {
            done: self.done(),
            ..Step::new(
                db.own_tables().clone(),
                (self.version, self.name, self.extension),
                sql,
            )
        }
    }
}

impl fmt::Display for MigrationState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ({})", self.version, self.name, self.extension)
    }
}

/// Every migration in order, and its state.
pub(super) type States = Vec<(MigrationState, &'static Migration)>;

pub(super) async fn states(db: &Db, migrations: &Migrations) -> Result<States> {
    let mut known = known(db).await?;
    let mut states = Vec::new();
    for (extension, migrations) in migrations {
        for migration in *migrations {
            let id = (
                (*extension).to_owned(),
                migration.version,
                migration.name.to_owned(),
            );
            let (applied_at, done) = known.remove(&id).unwrap_or_default();
            let state = MigrationState {
                version: migration.version,
                name: migration.name,
                extension,
                applied: applied_at.is_some(),
                halfway: halfway(applied_at.is_some(), done),
                applied_at,
            };
            states.push((state, migration));
        }
    }
    // One sequence: of the same moment, extensions come in the order of their registration, and
    // migrations of one extension by name.
    states.sort_by_key(|(state, _)| state.version);
    Ok(states)
}

/// Statements of a down part are counted below zero; those of an applied migration mean nothing more.
fn halfway(applied: bool, done: i64) -> Option<Halfway> {
    let count = usize::try_from(done.unsigned_abs()).unwrap_or(usize::MAX);
    match (applied, done) {
        (false, 1..) => Some(Halfway::Applied(count)),
        (true, ..0) => Some(Halfway::Undone(count)),
        _ => None,
    }
}

/// Extension, version and name.
type Id = (String, i64, String);

/// When each migration was applied, and how many of its statements are done; empty before the first
/// run.
async fn known(db: &Db) -> Result<BTreeMap<Id, (Option<String>, i64)>> {
    if !db.has_table("formwork_migrations").await? {
        return Ok(BTreeMap::new());
    }
    let rows = db.rows(db.dialect().known_migrations(), []).await?;
    let read = |row: &Vec<Value>| match &row[..] {
        [
            Value::Text(extension),
            Value::Int(version),
            Value::Text(name),
            at,
            Value::Int(done),
        ] => {
            let at = at.as_str().map(str::to_owned);
            Ok(((extension.clone(), *version, name.clone()), (at, *done)))
        }
        _ => Err(Error::internal(
            "the table formwork_migrations has an unexpected value",
        )),
    };
    rows.iter().map(read).collect()
}
